// Every bound of the engine, with what it bounds and its default.

export interface EngineLimits {
  /** Until a provider accepts a request. */
  connectMs: number;
  /** Until the first piece of an answer. */
  firstTokenMs: number;
  /** Between two pieces of an answer. */
  idleMs: number;
  /** For a whole run, tools included; waiting for a person is not counted. */
  totalMs: number;
  /** Characters of a conversation that are sent to a model. */
  historyChars: number;
  /** Messages of a conversation that are sent to a model. */
  historyMessages: number;
  /** Characters of one answer, reasoning included; of one call of a model also with the arguments of tools, except files. */
  outputChars: number;
  /** Characters of one tool result that a model is given. */
  toolChars: number;
  /** Events that are queued for a reader who is behind. */
  subscriberEvents: number;
  /** How long a request to approve a tool call stays open. */
  permissionMs: number;
  /** How long a question can be answered. */
  questionMs: number;
  /** How long either waits in a room at most, where everyone's messages wait with it. */
  roomAskMs: number;
  /** Bytes of one file that a run writes. */
  artifactBytes: number;
  /** Files that one run writes for the person. */
  artifactsPerRun: number;
  /** Schedules of one person that have not ended. */
  schedulesPerPerson: number;
  /** Shortest time between two firings of one schedule. */
  scheduleGapMs: number;
  /** Runs whose files are kept; older ones are removed at a start and once a day. */
  maxRuns: number;
  /** Days for which they are kept. */
  runRetentionDays?: number | undefined;
}

/** Times, history and buffer as Tandem has them; the others stop what has run away. */
export const defaultLimits: EngineLimits = {
  connectMs: 30_000,
  firstTokenMs: 90_000,
  idleMs: 90_000,
  totalMs: 600_000,
  historyChars: 80_000,
  historyMessages: 40,
  outputChars: 200_000,
  toolChars: 40_000,
  subscriberEvents: 2_048,
  permissionMs: 15 * 60_000,
  questionMs: 24 * 3_600_000,
  roomAskMs: 15 * 60_000,
  artifactBytes: 8 * 1024 * 1024,
  artifactsPerRun: 10,
  schedulesPerPerson: 50,
  scheduleGapMs: 15 * 60_000,
  maxRuns: 2_000,
};
