import { wholeNumber } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";
import { MessageId } from "../message-id.ts";
import { type AdminHttp, flagged, type RequestOptions } from "./admin-http.ts";
import { messageIdJson } from "./message-id-json.ts";
import { segment, topicPath } from "./paths.ts";
import { type StoredMessage, storedMessages } from "./stored-message.ts";
import { timeOf } from "./topics.ts";

/** Where a subscription starts or is moved to. */
export type SubscriptionPosition = "earliest" | "latest" | MessageId;

export interface DeleteSubscriptionOptions extends RequestOptions {
  /** Also while consumers are connected. Default false. */
  force?: boolean;
}

/** The subscriptions of topics. Of a partitioned topic, what is done is done on each partition. */
export class Subscriptions {
  readonly #http: AdminHttp;

  /** @internal */
  constructor(http: AdminHttp) {
    this.#http = http;
  }

  list(topic: string, options?: RequestOptions): Promise<string[]> {
    return this.#http.json("GET", `/admin/v2/${topicPath(topic)}/subscriptions`, options);
  }

  create(
    topic: string,
    subscription: string,
    position: SubscriptionPosition = "latest",
    options?: RequestOptions,
  ): Promise<void> {
    return this.#http.done("PUT", pathOf(topic, subscription), { ...options, body: positionJson(position) });
  }

  delete(topic: string, subscription: string, options?: DeleteSubscriptionOptions): Promise<void> {
    return this.#http.done("DELETE", pathOf(topic, subscription), flagged("delete", options, { force: undefined }));
  }

  /** Acknowledges the next `count` messages. */
  skip(topic: string, subscription: string, count: number, options?: RequestOptions): Promise<void> {
    const path = `${pathOf(topic, subscription)}/skip/${wholeNumber("count", count, 0, 1)}`;
    return this.#http.done("POST", path, options);
  }

  /** Acknowledges everything. */
  skipAll(topic: string, subscription: string, options?: RequestOptions): Promise<void> {
    return this.#http.done("POST", `${pathOf(topic, subscription)}/skip_all`, options);
  }

  /** Moves to an id, or to the first message published at or after a time (a Date, or ms since 1970). */
  resetCursor(
    topic: string,
    subscription: string,
    to: SubscriptionPosition | Date | number,
    options?: RequestOptions,
  ): Promise<void> {
    const path = `${pathOf(topic, subscription)}/resetcursor`;
    if (typeof to === "number" || to instanceof Date) {
      return this.#http.done("POST", `${path}/${wholeNumber("time", timeOf(to), 0)}`, options);
    }
    return this.#http.done("POST", path, { ...options, body: positionJson(to) });
  }

  /** Acknowledges what is older than `seconds`. */
  expireMessages(topic: string, subscription: string, seconds: number, options?: RequestOptions): Promise<void> {
    const path = `${pathOf(topic, subscription)}/expireMessages/${wholeNumber("seconds", seconds, 0, 1)}`;
    return this.#http.done("POST", path, options);
  }

  expireMessagesOfAll(topic: string, seconds: number, options?: RequestOptions): Promise<void> {
    const count = wholeNumber("seconds", seconds, 0, 1);
    const path = `/admin/v2/${topicPath(topic)}/all_subscription/expireMessages/${count}`;
    return this.#http.done("POST", path, options);
  }

  /**
   * The messages of the `nth` entry that is not acknowledged, counted from 1, without receiving them. A batch is one
   * entry. Rejects with an AdminError of status 404 where there is none.
   */
  async peek(topic: string, subscription: string, nth: number = 1, options?: RequestOptions): Promise<StoredMessage[]> {
    const path = `${pathOf(topic, subscription)}/position/${wholeNumber("nth", nth, 1, 1)}`;
    return storedMessages(await this.#http.send("GET", path, options));
  }

  /** The messages of one entry. */
  async messagesAt(
    topic: string,
    ledgerId: number,
    entryId: number,
    options?: RequestOptions,
  ): Promise<StoredMessage[]> {
    const place = `${wholeNumber("ledgerId", ledgerId, 0)}/entry/${wholeNumber("entryId", entryId, 0)}`;
    return storedMessages(await this.#http.send("GET", `/admin/v2/${topicPath(topic)}/ledger/${place}`, options));
  }

  /** The messages of the `nth` entry, counted from 1 from one end of the topic. */
  async examine(
    topic: string,
    from: "earliest" | "latest",
    nth: number = 1,
    options?: RequestOptions,
  ): Promise<StoredMessage[]> {
    const query = { initialPosition: from, messagePosition: wholeNumber("nth", nth, 1, 1) };
    const path = `/admin/v2/${topicPath(topic)}/examinemessage`;
    return storedMessages(await this.#http.send("GET", path, { ...options, query }));
  }
}

function pathOf(topic: string, subscription: string): string {
  return `/admin/v2/${topicPath(topic)}/subscription/${segment("subscription", subscription)}`;
}

function positionJson(position: SubscriptionPosition): unknown {
  if (position === "earliest" || position === MessageId.earliest) return { ledgerId: -1, entryId: -1 };
  // the end of a topic has numbers that a JavaScript number cannot hold: rounded up they would not be read
  if (position === "latest" || position === MessageId.latest) {
    return { ledgerId: Number.MAX_SAFE_INTEGER, entryId: Number.MAX_SAFE_INTEGER };
  }
  if (position instanceof MessageId) return messageIdJson(position);
  throw new InvalidConfigurationError('a position takes "earliest", "latest" or a MessageId');
}
