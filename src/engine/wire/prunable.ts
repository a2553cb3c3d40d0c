// What of the engine only grows, for anyone who runs it: counted, and pruned. Promises only.

export interface Prunable {
  /** Removes events from before this time, but those of runs that have not ended; resolves with how many. */
  pruneEvents(beforeMs: number, signal: AbortSignal): Promise<number>;
  countEvents(): Promise<number>;
}
