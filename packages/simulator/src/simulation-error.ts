export type SimulationErrorCode =
  /** What was waited for did not come in the time it was given. */
  | "TimeLimit"
  /** Nothing is left that could happen, and what was waited for has not come. */
  | "Stuck"
  /** Things go on and on without time passing. */
  | "Livelock"
  /** A node or a run is not in a state in which this can be asked. */
  | "WrongState";

/** Something is wrong with the run of a simulation; the message names the seed that replays it. */
export class SimulationError extends Error {
  readonly code: SimulationErrorCode;

  constructor(code: SimulationErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.name = "SimulationError";
    this.code = code;
  }
}
