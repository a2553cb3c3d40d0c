// Memory in the typed client: the same routes, inside the audience that is named or the operator's own.
import type { ActiveMemoryQuery, ActiveMemoryState } from '#engine/wire/memory/active-memory.ts';
import type {
  MemoryAudiences,
  MemoryBudgets,
  MemoryEntries,
  MemoryFindings,
  MemoryForget,
  MemoryForgotten,
  MemoryItem,
  MemorySearch,
} from '#engine/wire/memory/memory.ts';
import type {
  MemoryDistill,
  MemoryDistilled,
  MemoryImport,
  MemoryImported,
  MemoryLayers,
  MemoryNode,
  MemoryTree,
} from '#engine/wire/memory/memory-context.ts';
import type {
  MemoryArtifactList,
  MemoryDreams,
  MemoryFileLines,
  MemoryFileList,
  MemoryFileNote,
  MemoryFileNoted,
  MemoryFileReplace,
  MemoryFileReplaced,
  MemoryFileWhole,
} from '#engine/wire/memory/memory-files.ts';
import type {
  MemoryAuditPage,
  MemoryCorrect,
  MemoryCorrected,
  MemoryPin,
  MemoryPinned,
  MemoryPromote,
  MemoryPromoted,
  MemoryPut,
  MemorySignal,
  MemorySignalled,
  MemoryStored,
  MemoryWithdraw,
  MemoryWithdrawn,
} from '#engine/wire/memory/memory-govern.ts';
import type { MemoryJournal } from '#engine/wire/memory/memory-journal.ts';
import type {
  KnowledgePage,
  KnowledgePromote,
  KnowledgePromoted,
  KnowledgeWithdrawn,
  MemoryPreflight,
  MemoryPreflighted,
} from '#engine/wire/memory/memory-knowledge.ts';
import type { ReaderCall, ReaderOperation, ReaderResult } from '#engine/wire/memory/reader.ts';
import type { ForgottenTurns, RoomStates } from '#engine/wire/runs/amendment.ts';
import type { RequestOptions, Verbs } from './request.ts';

/** The engine checks the form of an audience. */
type Loose<T> = Partial<Omit<T, 'audience'>> & { audience?: string };
type SearchOptions = Loose<Omit<MemorySearch, 'query'>>;
type DistillOptions = Loose<Omit<MemoryDistill, 'session_id' | 'conversation'>> & {
  conversation?: (string | { role?: 'user' | 'assistant'; content: string; speaker?: string })[];
};
type PutOptions = Loose<Omit<MemoryPut, 'content'>>;
type WithdrawOptions = Loose<Omit<MemoryWithdraw, 'id'>>;

/** What a call is about, as its first argument or with all else in one object, as Tandem's client has it. */
function named(name: string, first: string | object, more: object): object {
  return typeof first === 'string' ? { [name]: first, ...more } : { ...first, ...more };
}

type ListQuery = {
  q?: string;
  audience?: string;
  project_id?: string;
  user_id?: string;
  channel_tag?: string;
  kind?: MemoryPut['kind'] | 'episode';
  key?: string;
  tag?: string;
  pinned?: 'true';
  limit?: number;
  offset?: number;
  after?: string;
};

/** `client.memory`. */
export function memoryCalls({ get, post, json }: Verbs) {
  const at = (id: string): string => `/memory/${encodeURIComponent(id)}`;
  return {
    /** Searches inside `audience`, like every call here: the operator's own memory when none is named. */
    search: (query: string | (SearchOptions & { query: string }), more: SearchOptions = {}) =>
      post<MemoryFindings>('/memory/search', named('query', query, more)),
    /** Stores a governed record; `stored` is false for a text that is there already, or were forgotten there. */
    put: (content: string | (PutOptions & { content: string }), more: PutOptions = {}) =>
      post<MemoryStored>('/memory/put', named('content', content, more)),
    /** Newest first; with `q`, only entries that hold all of its words. */
    list: (query: ListQuery = {}) => get<MemoryEntries>('/memory', query),
    /** One memory, and of a record all its versions. */
    get: (id: string, query: { audience?: string } = {}) => get<MemoryItem>(at(id), query),
    /** Corrects a record: a new version holds. */
    correct: (id: string, correction: MemoryCorrect) =>
      json<MemoryCorrected>(at(id), { method: 'PATCH', body: correction }),
    /** Deletes one memory with all that was made of it, permanently. */
    delete: (id: string, query: { audience?: string; reason?: string } = {}, more: RequestOptions = {}) =>
      json<{ ok: true; id: string; traces: number }>(at(id), { method: 'DELETE', query, ...more }),
    /** The look into memory before answers, at all or in a chat. */
    active: (query: ActiveMemoryQuery = {}) => get<ActiveMemoryState>('/memory/active', query),
    /** Counts the records of a kind, with a key or a tag; with `apply` forgets them permanently. */
    forget: (of: Loose<MemoryForget>, more: RequestOptions = {}) =>
      post<MemoryForgotten>('/memory/forget', of, more),
    /** How much of each budget is used, and what would go next. */
    budgets: (query: { audience?: string } = {}) => get<MemoryBudgets>('/memory/budgets', query),
    /** What agents wrote into the work journal, newest first; `next` of a page is the `before` of the following one. */
    journal: (
      query: { audience?: string; kind?: string; agent?: string; before?: string; limit?: number } = {},
    ) => get<MemoryJournal>('/memory/journal', query),
    /** What the next sweep of dreaming would promote, and why the rest waits. */
    dreams: (query: { audience?: string } = {}) => get<MemoryDreams>('/memory/dreams', query),
    /** Reports how a procedure went. */
    signal: (report: Omit<MemorySignal, 'audience'> & { audience?: string }) =>
      post<MemorySignalled>('/memory/signal', report),
    /** Pins a record to every prompt of its audience, or takes the pin away. */
    pin: (pin: Omit<MemoryPin, 'audience'> & { audience?: string }) => post<MemoryPinned>('/memory/pin', pin),
    /** Brings a record to a wider tier, or a demoted one back. */
    promote: (promote: Omit<MemoryPromote, 'audience'> & { audience?: string }) =>
      post<MemoryPromoted>('/memory/promote', promote),
    /** Takes a record out of what is found. */
    demote: (id: string | (WithdrawOptions & { id: string }), more: WithdrawOptions = {}) =>
      post<MemoryWithdrawn>('/memory/demote', named('id', id, more)),
    /** Withdraws a record as no longer true. */
    retract: (id: string, more: Loose<Omit<MemoryWithdraw, 'id'>> = {}) =>
      post<MemoryWithdrawn>('/memory/retract', { id, ...more }),
    /** Who did what to the memories, newest first, without their words. */
    audit: (query: { audience?: string; run_id?: string; limit?: number; offset?: number } = {}) =>
      get<MemoryAuditPage>('/memory/audit', query),
    /** What is known already of work that is about to be done, and whether it can be reused. */
    preflight: (subject: string, more: Loose<Omit<MemoryPreflight, 'subject'>> = {}) =>
      post<MemoryPreflighted>('/memory/preflight', { subject, ...more }),
    /** The knowledge of `audience`, promoted last first. */
    knowledge: (query: { audience?: string; project_id?: string; limit?: number; offset?: number } = {}) =>
      get<KnowledgePage>('/memory/knowledge', query),
    /** Makes a record knowledge of what it covers. */
    promoteKnowledge: (
      promote: Loose<KnowledgePromote> & Pick<KnowledgePromote, 'source_memory_id' | 'subject' | 'reason'>,
    ) => post<KnowledgePromoted>('/memory/knowledge/promote', promote),
    /** Takes knowledge back, by its id or by its record's; the record stays. */
    withdrawKnowledge: (id: string, more: { audience?: string; run_id?: string } = {}) =>
      post<KnowledgeWithdrawn>('/memory/knowledge/withdraw', { id, ...more }),
    /** Makes files on the engine's machine into memory; waits until they are. */
    importPath: (
      request: Loose<MemoryImport> & Pick<MemoryImport, 'source' | 'format'>,
      more: RequestOptions = {},
    ) => post<MemoryImported>('/memory/import', request, { timedOut: true, ...more }),
    ...contextCalls({ get, post }),
    /** Forgets imported messages that were changed or deleted on their platform. */
    forgetTurns: (turns: ForgottenTurns, more: RequestOptions = {}) =>
      post<{ ok: true }>('/memory/turns/forget', turns, more),
    /** Says which rooms are open to everyone of their space now, and which are not. */
    setRooms: (rooms: RoomStates['rooms'], more: RequestOptions = {}) =>
      json<{ ok: true }>('/memory/rooms', { method: 'PUT', body: { rooms }, ...more }),
    /** The memory files of `audience`. */
    files: (query: { audience?: string } = {}) => get<MemoryFileList>('/memory/files', query),
    /** What other programs may follow: long-term memory, notes, reports of dreams, the journal of events of `audience`. */
    artifacts: (query: { audience?: string } = {}) => get<MemoryArtifactList>('/memory/artifacts', query),
    /** Lines of one memory file, as it is now. */
    fileLines: (query: { audience?: string; path: string; from?: number; lines?: number; corpus?: string }) =>
      get<MemoryFileLines>('/memory/files/lines', query),
    /** One file whole, with the tag that a replacement names. */
    wholeFile: (path: string, of: { audience?: string } = {}) =>
      get<MemoryFileWhole>('/memory/files/whole', { path, ...of }),
    /** Replaces a file that still has the tag; a ParleyClientError `FILE_CHANGED` when it has not. */
    replaceFile: (replace: MemoryFileReplace) =>
      json<MemoryFileReplaced>('/memory/files/whole', { method: 'PUT', body: replace }),
    /** Appends a line to the note of today. */
    noteFile: (text: string, more: Loose<Omit<MemoryFileNote, 'text'>> = {}) =>
      post<MemoryFileNoted>('/memory/files/note', { text, ...more }),
    /** One operation of the journal or of memory for a reader. */
    forReader: <Name extends ReaderOperation>(
      operation: Name,
      { reader, projectID: project_id, input }: ReaderCall,
    ) => post<ReaderResult<Name>>('/memory/reader', { operation, reader, project_id, input }),
    /** Every audience that owns memories. */
    audiences: (query: { limit?: number } = {}) => get<MemoryAudiences>('/memory/audiences', query),
  };
}

/** What was said in sessions and lies in folders, as a tree with layers. */
function contextCalls({ get, post }: Pick<Verbs, 'get' | 'post'>) {
  return {
    contextResolveUri: (uri: string | { uri: string; audience?: string }, more: { audience?: string } = {}) =>
      post<{ node: MemoryNode }>('/memory/context/resolve', named('uri', uri, more)),
    contextTree: (query: { uri?: string; max_depth?: number; audience?: string } = {}) =>
      get<{ tree: MemoryTree[] }>('/memory/context/tree', query),
    contextGenerateLayers: (
      node_id: string | { node_id: string; audience?: string },
      more: { audience?: string } = {},
    ) => post<MemoryLayers>('/memory/context/layers/generate', named('node_id', node_id, more)),
    /** Stores what a session's conversation holds of lasting worth; waits for the model. */
    contextDistill: (
      session_id: string | (DistillOptions & { session_id: string }),
      more: DistillOptions = {},
    ) =>
      post<MemoryDistilled>('/memory/context/distill', named('session_id', session_id, more), {
        timedOut: true,
      }),
  };
}
