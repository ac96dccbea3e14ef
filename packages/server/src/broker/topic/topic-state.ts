/**
 * A loaded topic's life. `open → recovering → open` around a failed write, and from either to `closed` by way of
 * `closing`, which is final for those attached; `closed` is the last state.
 */
export type TopicState =
  | { kind: "open" }
  /** A write failed: producers were told to come back, and can once every publish under way has its outcome. */
  | { kind: "recovering" }
  | { kind: "closing"; closed: Promise<void> }
  | { kind: "closed" };
