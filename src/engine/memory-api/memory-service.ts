// All that clients do with memory without a model, put together. Each part is in a separate file.
import type { Clock } from '#base/clock.ts';
import type { Secrets } from '#base/secrets.ts';
import type { Agents } from '#engine/context/agents.ts';
import type { PlaceNameTable } from '#engine/sessions/place-names.ts';
import type { MemoryService } from '#engine/wire/memory/memory-operations.ts';
import type { Memory } from '#memory/types/contract.ts';
import { createClientContext } from './client-context.ts';
import { createClientFiles } from './client-files.ts';
import { createClientJournal } from './client-journal.ts';
import { createClientKnowledge } from './client-knowledge.ts';
import { createClientMemory } from './client-memory.ts';
import { createClientRecords } from './client-records.ts';
import type { KnownSessions } from './session-tier.ts';
import type { AnsweredBy } from './wire-memory.ts';

/** Memory for anyone who has the token; what a model is needed for is the runs'. */
export function createMemoryService(options: {
  memory: Memory;
  agents: Pick<Agents, 'at'>;
  sessions: KnownSessions;
  secrets: Secrets;
  namesOf: PlaceNameTable['of'];
  answeredBy: AnsweredBy;
  clock: Clock;
}): Omit<MemoryService, 'distillMemory' | 'activeMemory'> {
  return {
    ...createClientMemory(options),
    ...createClientFiles(options),
    ...createClientJournal(options),
    ...createClientRecords(options),
    ...createClientKnowledge(options),
    ...createClientContext(options),
  };
}
