// The engine's parts that are about memory, put together: what clients do with it, distilling, cached answers.

import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Sharing } from '#memory/types/scope.ts';
import type { ActiveMemorySettings } from './active/active-memory.ts';
import type { Agents } from './context/agents.ts';
import type { RunArchive } from './conversations/archive.ts';
import { createFeedbackOf } from './conversations/note-feedback.ts';
import { createProposeHandoff } from './conversations/propose-handoff.ts';
import { type AutoDistil, type AutoDistilSettings, createAutoDistil } from './distillation/auto-distill.ts';
import { createBudgetSchedule } from './distillation/budget-schedule.ts';
import { createDistill } from './distillation/distill.ts';
import { createDistilRows } from './distillation/distill-rows.ts';
import { createDreamSchedule, type DreamSchedule } from './distillation/dream-schedule.ts';
import { createFlush, type Flush, type FlushSettings } from './distillation/flush.ts';
import { createFlushRows } from './distillation/flush-rows.ts';
import { createMemoryService } from './memory-api/memory-service.ts';
import { createReaderCalls } from './memory-api/reader-calls.ts';
import type { Policy } from './permissions/policy.ts';
import type { CallContext } from './providers/call-model.ts';
import type { Provider } from './providers/provider.ts';
import type { createForeignRuns } from './runs/foreign-runs.ts';
import {
  createResponseCache,
  type ResponseCache,
  type ResponseCacheSettings,
} from './runs/response-cache.ts';
import type { RunTables } from './runs/tables/run-tables.ts';
import type { PlaceNameTable } from './sessions/place-names.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { MemoryService } from './wire/memory/memory-operations.ts';
import type { ReaderService } from './wire/memory/reader.ts';

export interface MemorySettings {
  /** Answers are given again for so long; never when absent. */
  responseCache?: ResponseCacheSettings | undefined;
  /** Conversations are distilled on their own; only on request when absent. */
  autoDistill?: AutoDistilSettings | undefined;
  /** Conversations are flushed to memory files before they are shortened; never when absent. */
  flush?: FlushSettings | undefined;
  /** A look into memory before answers; none when absent. */
  active?: ActiveMemorySettings | undefined;
  /** Sweeps over short-term memory are run when they are due. */
  dreams?: boolean | undefined;
  /** What is stored for a session alone also ends when it is archived; only when it is deleted when absent. */
  endArchived?: boolean | undefined;
  /** Memory has budgets, and is brought back within them. */
  budgets?: boolean | undefined;
}

interface MemoryParts {
  service: Omit<MemoryService, 'activeMemory'> & ReaderService;
  responseCache: ResponseCache;
  autoDistill: AutoDistil;
  flush: Flush;
  dreams: DreamSchedule;
  budgets: { close(): Promise<void> };
}

/** The rooms over one memory; it stays the caller's. */
export function createMemoryParts(options: {
  database: Sqlite;
  memory: Memory;
  sharing: () => Sharing;
  policy: Policy;
  settings: MemorySettings;
  tables: RunTables;
  sessions: Sessions;
  namesOf: PlaceNameTable['of'];
  agents: Agents;
  archive: Pick<RunArchive, 'whileUnchanged'>;
  /** Which runs of a session wrote in the memory of another agent; undefined where none did. */
  foreignRuns: ReturnType<typeof createForeignRuns>;
  /** The model that answers in the session, or the one with this id. */
  providerOf(sessionID: string, modelID?: string): Provider;
  /** Who answers where nothing else is set. */
  provider(): Provider;
  calls: CallContext;
}): MemoryParts {
  const { memory, settings, tables, agents, calls } = options;
  const { secrets, clock, log } = calls;
  const distill = createDistill({ ...options, secrets, clock, newId: tables.newId, log });
  return {
    service: {
      ...createMemoryService({
        ...{ memory, agents, sessions: options.sessions, secrets, clock },
        namesOf: options.namesOf,
        answeredBy: (runID) => tables.runs.get(runID)?.agent,
      }),
      ...createReaderCalls({
        ...{ memory, agents, sharing: options.sharing, policy: options.policy, secrets, clock },
        feedback: createFeedbackOf(tables),
        propose: createProposeHandoff(options),
      }),
      distillMemory: (request) => distill(request),
    },
    responseCache: createResponseCache({ memory, settings: settings.responseCache, secrets, clock, log }),
    autoDistill: createAutoDistil({
      rows: createDistilRows(options.database),
      distill,
      settings: settings.autoDistill,
      clock,
      log,
    }),
    flush: createFlush({
      tables,
      rows: createFlushRows(options.database),
      memory,
      agents,
      whileUnchanged: options.archive.whileUnchanged,
      providerOf: options.providerOf,
      calls,
      settings: settings.flush,
    }),
    dreams: createDreamSchedule({
      ...{ memory, provider: options.provider, calls, clock, log },
      isOn: settings.dreams === true,
    }),
    budgets: createBudgetSchedule({
      ...{ memory, provider: options.provider, calls, clock, log },
      isOn: settings.budgets === true,
    }),
  };
}
