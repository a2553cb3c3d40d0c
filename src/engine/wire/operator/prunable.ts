// What of the engine only grows, for the operator: counted, and pruned. Promises only.

export interface Prunable {
  /** Removes events from before this time, but those of runs that have not ended; resolves with how many. */
  pruneEvents(beforeMs: number, signal: AbortSignal): Promise<number>;
  /** Removes schedules that ended and what was due before this time, and schedules that nobody confirmed; resolves with how many. */
  pruneSchedules(beforeMs: number): Promise<number>;
  countEvents(): Promise<number>;
}
