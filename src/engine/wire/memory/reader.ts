// What someone who is no run reads and writes of the journal and of memory: by which reader, and which operation. Shapes only.
import { z } from 'zod';
import { promptOrigin } from '#engine/wire/runs/prompt.ts';
import type { Journal } from '#memory/types/journal.ts';
import type { HandoffProposal } from './handoff.ts';
import type { BundleMemory, ReaderMemory } from './reader-memory.ts';
import { type ReaderOperation, readerOperations } from './reader-operations.ts';

/** Who reads, and from where, as of a prompt; a gateway names it, and the engine makes the scope of it. */
const reader = promptOrigin.partial({ nativeIDs: true, at: true }).extend({
  agent: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'The agent that answers where it is read: of one with its own memory, that is read and written',
    ),
});
export type Reader = z.infer<typeof reader>;

type Results = {
  // the program asks, nobody calls it
  [Name in Exclude<keyof Journal, 'askWhichHolds'>]: Awaited<ReturnType<Journal[Name]>>;
} & ReaderMemory & { bundle: { memory: BundleMemory } } & { proposeHandoff: HandoffProposal };
export type ReaderResult<Name extends ReaderOperation> = Results[Name];

export const readerCall = z.strictObject({
  operation: z.enum(Object.keys(readerOperations) as ReaderOperation[]),
  reader,
  project_id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Of the journal: only this project is read and written; without it, what has no project'),
  input: z.record(z.string(), z.unknown()),
});

export interface ReaderCall {
  reader: Reader;
  projectID?: string | undefined;
  input: Record<string, unknown>;
}

export interface ReaderService {
  /**
   * Does one operation of the journal or of memory for a reader: inside what the reader may read, and written for the reader's own
   * audience. A ParleyError `invalid_journal` or `invalid_memory_call` names the field that does not fit; nothing is written then.
   */
  forReader<Name extends ReaderOperation>(operation: Name, call: ReaderCall): Promise<ReaderResult<Name>>;
}
