import {
  COMMAND_NAMES,
  type Command,
  type CommandSend,
  CommandType,
  ServerError,
  TopicName,
} from "@pulsewire/protocol";
import type { Clock } from "@pulsewire/runtime";
import type { BrokerConnection } from "../../broker/connection/broker-connection.ts";
import type { CommandInterceptor } from "../../broker/connection/command-interceptor.ts";
import { checkNames } from "../check-names.ts";
import { checkedTopic, checkText, checkWhole } from "./fault-arguments.ts";
import { undoing } from "./fault-links.ts";
import { checkDelay } from "./metadata-faults.ts";

/** The name of a command as the protocol has it, such as `SEND`, `SEND_RECEIPT`, `ACK` or `MESSAGE`. */
export type CommandName = keyof typeof CommandType;
/** The name of an error as the protocol has it, such as `PersistenceError`. */
export type ServerErrorName = keyof typeof ServerError;

/** Which commands a fault is about. */
export interface CommandFilter {
  /** Only of this topic (as the client wrote it, or its full name). Default: of every one. */
  topic?: string;
  /** How many commands it hits before it is over. Default: every one until it is undone. */
  count?: number;
}

/** Commands that are kept until they are released. */
export interface HeldCommands extends Disposable {
  /** How many are kept now. */
  readonly held: number;
  /** Resolves once so many (default 1) were kept. */
  arrived(count?: number): Promise<void>;
  /** Lets go what is kept, in order, and keeps no more. Disposing does the same. */
  release(): void;
}

type Rule = (connection: BrokerConnection, command: Command, go: () => void) => boolean;

interface Entry {
  type: CommandType;
  topic: string | undefined;
  left: number;
  keep: Rule;
}

/** Drops, delays, reorders and holds commands between clients and the brokers of a cluster, whichever way they go. */
export class CommandFaults implements CommandInterceptor {
  readonly #clock: Clock;
  readonly #entries = new Set<Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get active(): boolean {
    return this.#entries.size > 0;
  }

  incoming(connection: BrokerConnection, command: Command, serve: () => void): boolean {
    return this.#keep(connection, command, serve);
  }

  outgoing(connection: BrokerConnection, command: Command, send: () => void): boolean {
    return this.#keep(connection, command, send);
  }

  /** The command never gets there. */
  drop(name: CommandName, filter: CommandFilter = {}): Disposable {
    return this.#add(name, filter, () => true);
  }

  /** The command takes so much longer, in ms. Commands of other kinds overtake it. */
  delay(name: CommandName, delayMs: number, filter: CommandFilter = {}): Disposable {
    checkDelay(delayMs);
    return this.#add(name, filter, (_connection, _command, go) => {
      this.#clock.setTimer(delayMs, go);
      return true;
    });
  }

  /** The next so many commands (at least 2) come in the reverse order, once the last of them is there. */
  reorder(name: CommandName, count: number, filter: Omit<CommandFilter, "count"> = {}): Disposable {
    checkWhole("count", count, 2);
    checkNames("reorder", filter, ["topic"]);
    const kept: (() => void)[] = [];
    const letGo = (): void => {
      for (const go of kept.splice(0).reverse()) go();
    };
    const rule = this.#add(name, { ...filter, count }, (_connection, _command, go) => {
      kept.push(go);
      if (kept.length === count) letGo();
      return true;
    });
    return undoing(() => {
      rule[Symbol.dispose]();
      letGo();
    });
  }

  /** The command waits until it is released. */
  hold(name: CommandName, filter: CommandFilter = {}): HeldCommands {
    const kept: (() => void)[] = [];
    const waiting: { count: number; resolve: () => void }[] = [];
    let arrived = 0;
    const rule = this.#add(name, filter, (_connection, _command, go) => {
      kept.push(go);
      arrived++;
      for (const waiter of waiting) if (arrived >= waiter.count) waiter.resolve();
      return true;
    });
    const release = (): void => {
      rule[Symbol.dispose]();
      for (const go of kept.splice(0)) go();
    };
    return {
      get held() {
        return kept.length;
      },
      arrived: (count = 1) => {
        checkWhole("count", count, 1);
        return arrived >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve }));
      },
      release,
      [Symbol.dispose]: release,
    };
  }

  /** A SEND is not stored, and answered by SEND_ERROR with the error of that name. */
  failSend(error: ServerErrorName, message: string, filter: CommandFilter): Disposable {
    const code = ServerError[error];
    if (typeof code !== "number") {
      throw new TypeError(`there is no error named ${String(error)}; there are ${Object.keys(ServerError).join(", ")}`);
    }
    checkText("message", message);
    return this.#add("SEND", filter, (connection, command) => {
      const { producerId, sequenceId } = command.body as CommandSend;
      connection.send({ type: CommandType.SEND_ERROR, body: { producerId, sequenceId, error: code, message } });
      return true;
    });
  }

  #add(name: CommandName, filter: CommandFilter, keep: Rule): Disposable {
    checkNames(`a fault of ${String(name)}`, filter, ["topic", "count"]);
    const { topic, count = Number.POSITIVE_INFINITY } = filter;
    const type = CommandType[name];
    if (typeof type !== "number") {
      throw new TypeError(
        `there is no command named ${String(name)}; there are ${Object.values(COMMAND_NAMES).join(", ")}`,
      );
    }
    if (count !== Number.POSITIVE_INFINITY) checkWhole("count", count, 1);
    const entry: Entry = { type, topic: topic === undefined ? undefined : checkedTopic(topic), left: count, keep };
    this.#entries.add(entry);
    return undoing(() => this.#entries.delete(entry));
  }

  #keep(connection: BrokerConnection, command: Command, go: () => void): boolean {
    for (const entry of this.#entries) {
      if (entry.type !== command.type) continue;
      if (entry.topic !== undefined && entry.topic !== topicOf(connection, command)) continue;
      entry.left--;
      if (entry.left <= 0) this.#entries.delete(entry);
      return entry.keep(connection, command, go);
    }
    return false;
  }
}

/** The topic a command is about, by its own word or by its producer or consumer. */
function topicOf(connection: BrokerConnection, { body }: Command): string | undefined {
  const { topic, producerId, consumerId } = body as { topic?: string; producerId?: number; consumerId?: number };
  if (typeof topic === "string") return fullName(topic);
  if (producerId !== undefined) return connection.producers.get(producerId)?.topic.name.toString();
  if (consumerId !== undefined) return connection.consumers.get(consumerId)?.topic.name.toString();
  return undefined;
}

function fullName(topic: string): string {
  return TopicName.parse(topic).toString();
}
