// The engine's rooms that are about memory, put together: what clients do with it, distilling, kept answers. Not the runs.
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import type { Secrets } from '#base/secrets.ts';
import type { Memory } from '#memory/terms/contract.ts';
import { createMemoryService } from './context/memory-service.ts';
import type { CallContext } from './providers/call-model.ts';
import type { Provider } from './providers/provider.ts';
import { createDistill } from './runs/distill.ts';
import { createKeptAnswers, type KeptAnswers, type KeptAnswersSettings } from './runs/kept-answers.ts';
import type { RunTables } from './runs/run-tables.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { MemoryService } from './wire/memory-service.ts';

export interface MemorySettings {
  /** Answers are given again for so long; never when absent. */
  keptAnswers?: KeptAnswersSettings | undefined;
}

export interface MemoryRooms {
  service: MemoryService;
  keptAnswers: KeptAnswers;
}

/** The rooms over one memory; it stays the caller's. */
export function createMemoryRooms(options: {
  memory: Memory;
  settings: MemorySettings;
  tables: RunTables;
  sessions: Sessions;
  providerOf(sessionID: string): Provider;
  calls: CallContext;
  secrets: Secrets;
  clock: Clock;
  newId: NewId;
  log: Log;
}): MemoryRooms {
  const { memory, settings, secrets, clock, log } = options;
  const distill = createDistill(options);
  return {
    service: { ...createMemoryService({ memory, secrets, clock }), distillMemory: distill },
    keptAnswers: createKeptAnswers({ memory, settings: settings.keptAnswers, secrets, clock, log }),
  };
}
