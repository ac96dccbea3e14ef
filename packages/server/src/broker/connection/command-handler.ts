import type { CommandBodies } from "@pulsewire/protocol";
import type { BrokerConnection } from "./broker-connection.ts";

/**
 * Serves one command. `entry` is what followed the command in its frame.
 * A BrokerError, thrown or rejected with, is answered as ERROR with the command's request id. Only commands that wait
 * for something answer a promise; SEND, ACK, FLOW and their like do not.
 */
export type CommandHandler<T extends keyof CommandBodies> = (
  connection: BrokerConnection,
  body: CommandBodies[T],
  entry: Uint8Array | undefined,
) => void | Promise<void>;

/** Handlers by command type. */
export type CommandTable = { readonly [T in keyof CommandBodies]?: CommandHandler<T> };
