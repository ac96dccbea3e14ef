import type { Command } from "@pulsewire/protocol";
import type { BrokerConnection } from "./broker-connection.ts";

/** Who may keep commands from being served or sent: for faults on purpose. */
export interface CommandInterceptor {
  /** False while it has nothing to keep: what is asked for every command. */
  readonly active: boolean;
  /** True where it keeps a command that came. `serve` serves it, when it is to be. */
  incoming(connection: BrokerConnection, command: Command, serve: () => void): boolean;
  /** True where it keeps a command that is to be sent. `send` sends it, when it is to be. */
  outgoing(connection: BrokerConnection, command: Command, send: () => void): boolean;
}
