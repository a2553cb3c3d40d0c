// What someone who is no run reads and writes of the journal and of memory: by which reader, and which operation. Shapes only.
import { z } from 'zod';
import { promptOrigin } from '#engine/wire/runs/prompt.ts';
import type { Journal } from '#memory/types/journal.ts';
import { journalInputs } from '#memory/types/journal-input.ts';
import { type HandoffProposal, handoffInput } from './handoff.ts';
import type { BundleMemory, ReaderMemory } from './reader-memory.ts';
import { readerMemoryInputs } from './reader-memory.ts';

/** Who reads, and from where, as of a prompt; a gateway names it, and the engine makes the scope of it. */
const reader = promptOrigin.partial({ nativeIDs: true, at: true });
export type Reader = z.infer<typeof reader>;

const journalOperations = [
  'closeSession',
  'noteElement',
  'updateElement',
  'bundle',
  'listElements',
  'listSessions',
  'listEntries',
  'settleEntry',
  'listProjects',
  'listAgents',
  'getSession',
  'searchSessions',
  'recordLesson',
  'deprecateLesson',
  'getLessons',
  'recordTouchstone',
  'linkTouchstone',
  'getTouchstones',
  'createConversation',
  'addConversationEntry',
  'getConversation',
  'searchConversations',
  'putBuild',
  'getBuild',
  'putT4Entry',
  'getT4Entry',
  'searchT4',
  'forget',
] as const satisfies readonly (keyof Journal)[];
const memoryOperations = Object.keys(readerMemoryInputs) as (keyof typeof readerMemoryInputs)[];

type Results = {
  // the program asks, nobody calls it
  [Name in Exclude<keyof Journal, 'askWhichHolds'>]: Awaited<ReturnType<Journal[Name]>>;
} & ReaderMemory & { bundle: { memory: BundleMemory } } & { proposeHandoff: HandoffProposal };
export type ReaderOperation = keyof Results;
export type ReaderResult<Name extends ReaderOperation> = Results[Name];

export const readerCall = z.strictObject({
  operation: z.enum([...journalOperations, ...memoryOperations, 'proposeHandoff']),
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

/** The schema of what an operation takes. */
export const readerInputs = {
  ...readerMemoryInputs,
  closeSession: journalInputs.closeSession,
  noteElement: journalInputs.noteElement,
  updateElement: journalInputs.updateElement,
  bundle: journalInputs.bundle,
  listElements: journalInputs.listElements,
  listSessions: journalInputs.listSessions,
  listEntries: journalInputs.listEntries,
  settleEntry: journalInputs.settleEntry,
  listProjects: journalInputs.listProjects,
  listAgents: journalInputs.listAgents,
  getSession: journalInputs.getSession,
  searchSessions: journalInputs.search,
  recordLesson: journalInputs.recordLesson,
  deprecateLesson: journalInputs.deprecateLesson,
  getLessons: journalInputs.getLessons,
  recordTouchstone: journalInputs.recordTouchstone,
  linkTouchstone: journalInputs.linkTouchstone,
  getTouchstones: journalInputs.getTouchstones,
  createConversation: journalInputs.createConversation,
  addConversationEntry: journalInputs.addConversationEntry,
  getConversation: journalInputs.getConversation,
  searchConversations: journalInputs.search,
  putBuild: journalInputs.putBuild,
  getBuild: journalInputs.byID,
  putT4Entry: journalInputs.putT4Entry,
  getT4Entry: journalInputs.getT4Entry,
  searchT4: journalInputs.searchT4,
  forget: journalInputs.forget,
  proposeHandoff: handoffInput,
} as const satisfies Record<ReaderOperation, z.ZodObject>;

export interface ReaderService {
  /**
   * Does one operation of the journal or of memory for a reader: inside what the reader may read, and written for the reader's own
   * audience. A ParleyError `invalid_journal` or `invalid_memory_call` names the field that does not fit; nothing is written then.
   */
  forReader<Name extends ReaderOperation>(operation: Name, call: ReaderCall): Promise<ReaderResult<Name>>;
}
