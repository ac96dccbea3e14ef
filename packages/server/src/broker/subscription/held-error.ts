import type { ServerError } from "@pulsewire/protocol";
import { BrokerError } from "../broker-error.ts";
import type { ConsumerOptions, ConsumerSession } from "./contracts.ts";

/** A consumer, as far as it can stand in another's way. */
export interface Holder {
  readonly options: ConsumerOptions;
  close(): void;
}

/** What a consumer asked for is another's: an exclusive subscription, a range of hashes. */
export class HeldError extends BrokerError {
  readonly holder: Holder;

  constructor(code: ServerError, message: string, holder: Holder) {
    super(code, message);
    this.name = "HeldError";
    this.holder = holder;
  }
}

/**
 * Adds a consumer; one in its way whose connection answers no more has to go. Rejects with the HeldError where the other
 * is alive.
 * a -> SUBSCRIBE; the client loses the socket, and the broker has not noticed; b -> SUBSCRIBE by the same client: without
 * the question it would be refused until the connection's keep-alive gives up.
 */
export async function addUnlessHeld<T>(session: ConsumerSession, add: () => T): Promise<T> {
  for (;;) {
    try {
      return add();
    } catch (error) {
      if (!(error instanceof HeldError)) throw error;
      const { holder } = error;
      if (holder.options.session === session || (await holder.options.session.checkAlive())) throw error;
      holder.close();
    }
  }
}
