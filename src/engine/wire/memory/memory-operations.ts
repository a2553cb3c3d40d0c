// The operations of memory, each inside one audience: without a name it is the operator's own. docs/architecture.md says how to add one.
import { nothing } from '#engine/operations/fields.ts';
import { operation, type ServiceOf } from '#engine/operations/operation.ts';
import { forgottenTurns, roomStates } from '#engine/wire/runs/amendment.ts';
import { activeMemoryQuery, activeMemoryState } from './active-memory.ts';
import {
  memoryAudiences,
  memoryBudgets,
  memoryDelete,
  memoryDeleted,
  memoryEntries,
  memoryFindings,
  memoryForget,
  memoryForgotten,
  memoryItem,
  memoryList,
  memoryOfAudience,
  memoryPlaces,
  memorySearch,
  memoryShow,
} from './memory.ts';
import { contextOperations } from './memory-context.ts';
import { fileOperations, memoryDreams } from './memory-files.ts';
import { governOperations } from './memory-govern.ts';
import { journalSettle, journalSettled, memoryJournal, memoryJournalQuery } from './memory-journal.ts';
import { knowledgeOperations } from './memory-knowledge.ts';

const itemOperations = {
  searchMemory: operation({
    effect: 'read',
    method: 'POST',
    path: '/memory/search',
    summary: 'Searches memory inside one audience; what is shown is noted in the audit',
    about: 'What was found, the best first',
    input: memorySearch,
    output: memoryFindings,
    call: 'search',
    first: 'query',
  }),
  listMemory: operation({
    effect: 'read',
    method: 'GET',
    path: '/memory',
    summary: 'What one audience remembers, newest first',
    about: 'A page of it',
    input: memoryList,
    output: memoryEntries,
    call: 'list',
  }),
  /** A ParleyError `memory_forgotten` for one that was forgotten, which says when, by whom and why; `memory_not_found` for an unknown one. */
  showMemory: operation({
    effect: 'read',
    method: 'GET',
    path: '/memory/:id',
    named: 'memory',
    summary: 'One memory of one audience, and of a record all its versions',
    about: 'The memory',
    input: memoryShow,
    output: memoryItem,
    call: 'get',
    first: 'id',
  }),
  memoryPlaces: operation({
    effect: 'read',
    method: 'GET',
    path: '/memory/audiences',
    summary: 'The audiences that own memories, with how many, the largest first',
    about: 'Audiences',
    input: memoryPlaces,
    output: memoryAudiences,
    call: 'audiences',
    unaudited: 'shows no words',
  }),
  /** A ParleyError `unknown_agent` for an agent that is not configured. */
  activeMemory: operation({
    effect: 'read',
    method: 'GET',
    path: '/memory/active',
    summary: 'The look into memory before answers: whether a chat has it, and how looks went',
    about: 'How it works',
    input: activeMemoryQuery,
    output: activeMemoryState,
    call: 'active',
    unaudited: 'shows no words',
  }),
  memoryBudgets: operation({
    effect: 'read',
    method: 'GET',
    path: '/memory/budgets',
    summary: 'How much of each budget is used, and what would go next; nothing is changed',
    about: 'The budgets',
    input: memoryOfAudience,
    output: memoryBudgets,
    call: 'budgets',
    unaudited: 'shows no words',
  }),
  memoryJournal: operation({
    effect: 'read',
    method: 'GET',
    path: '/memory/journal',
    summary: 'What agents wrote into the work journal of one audience, of several or of all, newest first',
    about: 'A page of it, with the projects and agents that there are',
    input: memoryJournalQuery,
    output: memoryJournal,
    call: 'journal',
  }),
  /** A ParleyError `journal_not_found` for what is no thread or step of this audience, `invalid_journal` for one that is settled. */
  settleJournalEntry: operation({
    effect: 'change',
    method: 'PATCH',
    path: '/memory/journal/:id',
    named: 'journal entry',
    summary:
      'Settles an open or parked thread or step of any agent and project, opens it again, or answers it',
    about: 'What it is now',
    input: journalSettle,
    output: journalSettled,
    call: 'settleEntry',
    showsWords: true,
    first: 'id',
  }),
  memoryDreams: operation({
    effect: 'read',
    method: 'GET',
    path: '/memory/dreams',
    summary: 'What the next sweep of dreaming would promote in one audience, and why the rest waits',
    about: 'Candidates with their scores',
    input: memoryOfAudience,
    output: memoryDreams,
    call: 'dreams',
  }),
  /**
   * In one transaction with its full text, vector, versions and what was derived from it; it leaves a mark by which no import brings it
   * back. A ParleyError `memory_not_found`.
   */
  deleteMemory: operation({
    effect: 'remove',
    method: 'DELETE',
    path: '/memory/:id',
    named: 'memory',
    summary: 'Deletes a memory of one audience with all that was made of it, permanently',
    about: 'It no longer exists, and no import brings it back',
    input: memoryDelete,
    output: memoryDeleted,
    call: 'delete',
    first: 'id',
  }),
  /** What a selection means now, by what it is or where it comes from, of a record all its versions, in one transaction; nothing brings it back. */
  forgetMemory: operation({
    effect: 'remove',
    method: 'POST',
    path: '/memory/forget',
    summary:
      'Counts and shows what a selection means in one audience, by what it is or where it comes from; with `apply` forgets it permanently, with all that was made of it',
    about: 'How many they are, and what was still found',
    input: memoryForget,
    output: memoryForgotten,
    call: 'forget',
    showsWords: true,
  }),
};

/** What gateways tell memory of chats and of imported messages, beside the rest of `client.memory`. */
export const gatewayMemoryOperations = {
  forgetTurns: operation({
    effect: 'remove',
    method: 'POST',
    path: '/memory/turns/forget',
    summary: 'Forgets imported messages that were changed or deleted on their platform',
    about: 'Nothing of them is remembered',
    input: forgottenTurns,
    output: nothing,
    call: 'forgetTurns',
  }),
  /** Commits before it resolves. */
  setRooms: operation({
    effect: 'change',
    method: 'PUT',
    path: '/memory/rooms',
    summary:
      'Says which rooms are open to everyone of their space now; what was written in a closed one stays in it',
    about: 'It is in force',
    input: roomStates,
    output: nothing,
    call: 'setRooms',
  }),
};

/** Named by its parts, so that the package's types do not spell all of them out once more. */
export const memoryOperations: typeof itemOperations &
  typeof governOperations &
  typeof knowledgeOperations &
  typeof contextOperations &
  typeof fileOperations = {
  ...itemOperations,
  ...governOperations,
  ...knowledgeOperations,
  ...contextOperations,
  ...fileOperations,
};

/** What clients of the engine do with memory. */
export type MemoryService = ServiceOf<typeof memoryOperations>;
export type GatewayMemoryService = ServiceOf<typeof gatewayMemoryOperations>;
