import { type Command, CommandType } from "@pulsewire/protocol";
import { describe } from "../check-options.ts";
import type { Detachment } from "../connection/handlers.ts";
import { InvalidConfigurationError } from "../errors.ts";
import { MessageId } from "../message-id.ts";
import { type StartPosition, seekIdData } from "./start-position.ts";

/** A place in a topic: the id of a message, or when it was published, as a Date or in ms since 1970. */
export type SeekPosition = MessageId | Date | number;
/** Tells for each topic (of a partitioned one, each partition) where to go; undefined leaves it where it is. */
export type SeekFunction = (topic: string) => SeekPosition | undefined;

/** Throws an InvalidConfigurationError for what is no place. */
export function seekStart(position: SeekPosition, inclusive: boolean): StartPosition {
  if (position instanceof MessageId) return { kind: "id", id: position, inclusive };
  const timestampMs =
    typeof position === "number" ? position : position instanceof Date ? position.getTime() : Number.NaN;
  if (Number.isSafeInteger(timestampMs) && timestampMs >= 0) return { kind: "time", timestampMs };
  throw new InvalidConfigurationError(
    `seek takes a MessageId, a Date or a number of ms since 1970, not ${describe(position)}`,
  );
}

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
