import { type Command, CommandType } from "@pulsewire/protocol";
import type { Detachment } from "../connection/handlers.ts";
import { type StartPosition, seekIdData } from "./start-position.ts";

/** The SEEK command for a position. */
export function seekCommand(consumerId: number, requestId: number, position: StartPosition): Command {
  const body =
    position.kind === "time"
      ? { consumerId, requestId, messagePublishTime: position.timestampMs }
      : { consumerId, requestId, messageId: seekIdData(position.id, position.inclusive) };
  return { type: CommandType.SEEK, body };
}

/**
 * A seek under way. The broker detaches the consumer meanwhile, before or after it answers; that is looked at when the
 * seek is over, so that the consumer attaches again only with its new position.
 */
export class Seeking {
  #underway = false;
  #detachment: Detachment | undefined;

  /** Whether what comes from the broker is of before the seek. */
  get underway(): boolean {
    return this.#underway;
  }

  /** The consumer was detached. True: the seek answers for it. */
  onDetached(detachment: Detachment): boolean {
    if (!this.#underway) return false;
    this.#detachment ??= detachment;
    return true;
  }

  /** Runs one seek and answers the detachment that came with it, also where it failed: `failure` tells. */
  async run(seek: () => Promise<unknown>): Promise<{ detachment: Detachment | undefined; failure: unknown }> {
    this.#underway = true;
    this.#detachment = undefined;
    let failure: unknown;
    try {
      await seek();
    } catch (error) {
      failure = error;
    }
    this.#underway = false;
    return { detachment: this.#detachment, failure };
  }
}
