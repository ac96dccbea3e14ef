/** The name of a broker, a bookie, a client or the metadata store among the others. */
export type NodeId = string;

/**
 * Datagrams between the nodes of a cluster. Neither order nor delivery is promised: a message may be delayed,
 * lost or delivered twice; who needs an answer asks with an id and a timeout.
 * In one process messages are handed over as they are: neither side may change one after it was sent.
 */
export interface Messenger {
  /** Names a node and takes its messages, until disposed. One handler a node. */
  attach(node: NodeId, receive: (from: NodeId, message: unknown) => void): Disposable;
  send(from: NodeId, to: NodeId, message: unknown): void;
}
