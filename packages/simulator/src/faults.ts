/** What may go wrong with datagrams between nodes. Everything is 0 by default: delivered at once, once, in order. */
export interface MessengerFaults {
  /** Default 0. */
  delayMsMin: number;
  /** Default 0. */
  delayMsMax: number;
  /** Default 0. */
  lossProbability: number;
  /** That a message comes twice. Default 0. */
  duplicateProbability: number;
  /** That a message may be overtaken by those sent after it. Default 0. */
  reorderProbability: number;
  /** How much longer such a message takes at most, in ms. Default 0. */
  reorderDelayMsMax: number;
}

/** What may go wrong with connections. Everything is 0 by default. Bytes of one connection are never reordered. */
export interface NetworkFaults {
  /** Default 0. */
  delayMsMin: number;
  /** Default 0. */
  delayMsMax: number;
  /** Of each direction of each connection; 0, the default, is without limit. */
  bandwidthBytesPerSecond: number;
  /** That what is written in one turn is lost together with its connection. Default 0. */
  cutProbability: number;
  /** That a connection attempt is refused. Default 0. */
  refuseProbability: number;
}

/** What may go wrong with a disk. Everything is 0 by default, and then a crash of the process loses nothing. */
export interface DiskFaults {
  /** How long opening, reading, appending and the like take, in ms. Default 0. */
  latencyMsMin: number;
  /** Default 0. */
  latencyMsMax: number;
  /** How long a sync takes on top, in ms. Default 0. */
  syncMsMin: number;
  /** Default 0. */
  syncMsMax: number;
  /** What fits; beyond it appends fail with NoSpace. Default 0: without limit. */
  sizeBytesMax: number;
  /** That a crash takes from a file, or from the list of files, what was not synced. Default 0. */
  unsyncedLossProbability: number;
  /** That of appended bytes a crash would take, the first few survive. Default 0. */
  tornWriteProbability: number;
  /** That a read meets a bit that has changed, for good. Default 0. */
  bitRotProbability: number;
  /** That a read fails. Default 0. */
  readErrorProbability: number;
  /** That an append, a truncation, a rename or a removal fails and leaves no trace. Default 0. */
  writeErrorProbability: number;
  /** That a sync fails; what it was for stays unsynced. Default 0. */
  syncErrorProbability: number;
}

/** What may be wrong with clocks. */
export interface ClockFaults {
  /** How far a node's wall clock is ahead or behind at most, in ms. Default 0. */
  skewMsMax: number;
}

/** What may go wrong with calls to a service apart from the nodes, such as the metadata store. */
export interface RemoteFaults {
  /** How long a call takes to get there, and its answer to come back, in ms. Default 0. */
  delayMsMin: number;
  /** Default 0. */
  delayMsMax: number;
  /** That a call never gets there. Default 0. */
  requestLossProbability: number;
  /** That a call is done and its answer never comes back. Default 0. */
  answerLossProbability: number;
  /** After how long a call without an answer fails, in ms. Default 10,000. */
  timeoutMs: number;
}

export const NO_MESSENGER_FAULTS: Readonly<MessengerFaults> = {
  delayMsMin: 0,
  delayMsMax: 0,
  lossProbability: 0,
  duplicateProbability: 0,
  reorderProbability: 0,
  reorderDelayMsMax: 0,
};

export const NO_NETWORK_FAULTS: Readonly<NetworkFaults> = {
  delayMsMin: 0,
  delayMsMax: 0,
  bandwidthBytesPerSecond: 0,
  cutProbability: 0,
  refuseProbability: 0,
};

export const NO_DISK_FAULTS: Readonly<DiskFaults> = {
  latencyMsMin: 0,
  latencyMsMax: 0,
  syncMsMin: 0,
  syncMsMax: 0,
  sizeBytesMax: 0,
  unsyncedLossProbability: 0,
  tornWriteProbability: 0,
  bitRotProbability: 0,
  readErrorProbability: 0,
  writeErrorProbability: 0,
  syncErrorProbability: 0,
};

export const NO_CLOCK_FAULTS: Readonly<ClockFaults> = { skewMsMax: 0 };

export const NO_REMOTE_FAULTS: Readonly<RemoteFaults> = {
  delayMsMin: 0,
  delayMsMax: 0,
  requestLossProbability: 0,
  answerLossProbability: 0,
  timeoutMs: 10_000,
};
