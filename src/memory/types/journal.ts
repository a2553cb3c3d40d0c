// The work journal of agents that work in sessions: what was decided, what is open, what was learned. Shapes only.
import type { AuditActor } from './record.ts';
import type { Audience, Provenance, Scope } from './scope.ts';

/** Who calls the journal, what it may read, and where what it writes belongs. Made by the program, never by a model. */
export interface JournalCaller {
  scope: Scope;
  /** The audience of what is written. */
  where: Provenance;
  /** Other audiences of the same person, whose entries are changed here as those of `where` are: the linked accounts. None when absent. */
  own?: readonly Audience[] | undefined;
  /** Only this project is read and written; without it, what has no project. */
  projectID?: string | undefined;
  /** Where the call came from: `mcp`, or a chat platform. */
  platform: string;
  /** Canonical address of the chat, or a word for where else it came from. */
  chat?: string | undefined;
  by: AuditActor;
  /** How others know who calls, for what they read of it. The name of `by` when absent. */
  shownAs?: string | undefined;
}

/** The platform of an entry of the journal that a search finds. */
export const journalPlatform = 'journal';

export const elementKinds = ['decision', 'thread', 'step', 'context'] as const;
/** The elements of a session: decisions, open threads, next steps and key context. */
export type ElementKind = (typeof elementKinds)[number];

export const settlements = ['resolved', 'parked', 'dropped', 'carried_on'] as const;
/** How an open thread or a pending step is settled. */
export type Settlement = (typeof settlements)[number];

export const bundleDepths = ['cold_start', 'work', 'brief'] as const;
/** `cold_start` has every section, `work` what is needed to continue, `brief` the latest session and what is open. */
export type BundleDepth = (typeof bundleDepths)[number];

/** One row of the journal, as it is shown; which other fields it has depends on its kind. */
export interface JournalEntry {
  id: string;
  agentID: string;
  /** In milliseconds since the epoch. */
  createdAt: number;
  [field: string]: unknown;
}

/** One of the memories that a question is about, with its date (ISO 8601) and where it comes from. */
export interface QuestionSide {
  id: string;
  text: string;
  confidence: number;
  at: string;
  source: string;
}

/** A thread or a step as it is once someone has settled or answered it. */
export interface SettledEntry extends JournalEntry {
  /** Of a question about memories: the one that was chosen, and those that it supersedes. */
  holds?: QuestionSide | undefined;
  superseded?: readonly QuestionSide[] | undefined;
  /** Of a question about memories whose answer chose none: both stand. */
  choices?: readonly QuestionSide[] | undefined;
}

export const journalKinds = [
  'session',
  ...elementKinds,
  'lesson',
  'touchstone',
  'conversation',
  'build',
  'project_entry',
] as const;
export type JournalKind = (typeof journalKinds)[number];

/** The states of threads, steps, lessons and builds. */
export const journalStates = [
  ...['open', 'pending', 'resolved', 'parked', 'dropped'],
  ...['active', 'deprecated', 'planned', 'done'],
] as const;

/** What a lesson is: how something is done well, or what to beware of. */
export const lessonKinds = ['pattern', 'gotcha'] as const;

/** One entry of any kind, in short. */
export interface JournalLine {
  id: string;
  kind: JournalKind;
  agentID: string;
  projectID: string | null;
  audience: Audience;
  title: string;
  text: string;
  /** Of decisions and lessons, in the form in which keys and tags are compared. */
  key: string | null;
  tags: readonly string[];
  pinned: boolean;
  /** Of threads, steps, lessons and builds. */
  status: string | null;
  /** Why it is in that state, or what was answered: of threads, steps and lessons. */
  note: string | null;
  /** Who settled a thread or a step, or answered it: a name, as it was then. */
  settledBy: string | null;
  /** In milliseconds since the epoch. */
  createdAt: number;
}

/** One row of the journal in an export, with everything by which an import makes it again: its other fields are named as in `JournalEntry`. */
export interface JournalExportLine {
  type: 'journal';
  /** Of `journalKinds`, or of what belongs to one: `conversation_entry`, `build_phase`, `build_slice`. */
  kind: string;
  id: string;
}

/** Which entries are wanted: all that the scope holds unless it is narrowed. */
export interface JournalQuery {
  scope: Scope;
  kinds?: readonly JournalKind[] | undefined;
  /** Of these states only; an entry of a kind without a state has none of them. */
  statuses?: readonly string[] | undefined;
  /** Lessons and decisions with exactly this key, with this tag, or that are pinned. */
  key?: string | undefined;
  tag?: string | undefined;
  pinned?: true | undefined;
  /** True passes over lessons that were deprecated. */
  isHeld?: true | undefined;
  /** Only these. */
  ids?: readonly string[] | undefined;
  /** True: next to the lessons of the agent or the project also those that are for every project. */
  forEveryProject?: true | undefined;
  /** In any case, as the project. */
  agentID?: string | undefined;
  projectID?: string | undefined;
  /** Only those that were written before the entry with this id. */
  before?: string | undefined;
  limit: number;
}

/** A page of entries, newest first; `next` is the cursor of the following page. */
export interface JournalPage {
  items: JournalEntry[];
  next: string | undefined;
  /** What to do where nothing was found. */
  hint?: string | undefined;
}

export interface ClosedSession {
  lineageID: string;
  /** True when this key had closed the session before, and nothing was written now. */
  repeated: boolean;
  /** Inherited threads and steps that this close settled, or carried on. */
  swept: number;
  /** Titles of what was forgotten before and is stored again: the session, and its elements. */
  wasForgotten?: readonly string[] | undefined;
}

/** What a section of a bundle does not show, and the call that shows it. */
export interface LeftOut {
  section: string;
  /** How many, counted to a thousand: with `more` there are more. */
  items: number;
  more?: true | undefined;
  call: { tool: string; arguments: Record<string, unknown> };
}

/** What an agent reads when it wakes up. */
export interface MemoryBundle {
  /** None where a project is read. */
  agentID?: string | undefined;
  depth: BundleDepth;
  sections: Record<string, JournalEntry[]>;
  /** Empty when everything is there. An item whose text was cut has `cut: true`. */
  leftOut: LeftOut[];
  /** Of an intent that has only words such as "that" and "with", in any language: nothing is sought by it. */
  intentSaysNothing?: true | undefined;
  /** Only of an agent that has nothing here: who it may have meant, and where it has something. */
  hint?: string | undefined;
}

/** A project, or none, and an agent that has entries in it. */
export interface JournalPlace {
  projectID: string | null;
  agentID: string;
  /** How many sessions the agent closed there. */
  sessions: number;
  /** When its latest entry was written, in milliseconds since the epoch. */
  latestAt: number;
}

/**
 * The journal. Each input is checked: `invalid_journal` names the field, what was expected and what came; `journal_not_found` is an id that
 * does not exist or that the scope does not hold; nothing is written then. Secrets are masked before they are stored.
 */
export interface Journal {
  /**
   * Stores a session with all its elements in one transaction, once for each key. Rejects with `sweep_incomplete` when an inherited thread or
   * step (in a project also one of another agent that a bundle showed this one) is missing from the call, and with `close_key_used` when the key closed another session.
   */
  closeSession(caller: JournalCaller, input: unknown): Promise<ClosedSession>;
  /** Stores one decision, thread, step or context without a session, at the moment that it happens. */
  noteElement(caller: JournalCaller, input: unknown): Promise<JournalEntry>;
  /**
   * Asks the person which of these records holds, as an open thread without a session, in the place of what asked about one of them. Its words
   * leave it when one of them is forgotten or holds no longer.
   */
  askWhichHolds(caller: JournalCaller, input: unknown): Promise<JournalEntry>;
  /** Settles one thread or step before the close, or marks it as carried on; with `holds` a question about two memories, by what holds. */
  updateElement(caller: JournalCaller, input: unknown): Promise<SettledEntry>;
  /** Everything that an agent needs to start, in one read transaction. */
  bundle(caller: JournalCaller, input: unknown): Promise<MemoryBundle>;
  listElements(caller: JournalCaller, input: unknown): Promise<JournalPage>;
  /** Sessions, conversations or builds, newest first: of an agent, else of every agent. */
  listSessions(caller: JournalCaller, input: unknown): Promise<JournalPage>;
  /** Entries of these kinds of every agent and project, newest first, and how many there are. */
  listEntries(caller: JournalCaller, input: unknown): Promise<{ items: JournalLine[]; total: number }>;
  /**
   * What a person does with an open or parked thread or step of any agent and project of theirs: settles it, opens it again, or answers it,
   * which leaves it open for its agent. An answer to a question about two memories that means one of them chooses it, and resolves the question.
   */
  settleEntry(caller: JournalCaller, input: unknown): Promise<SettledEntry>;
  /** Every project with its agents, and every agent with its projects, whatever the project of the call; the latest entry first. */
  listProjects(caller: JournalCaller, input: unknown): Promise<{ items: JournalPlace[] }>;
  listAgents(caller: JournalCaller, input: unknown): Promise<{ items: JournalPlace[] }>;
  /** A session with its elements, as many as one answer holds; `next` reads on. */
  getSession(caller: JournalCaller, input: unknown): Promise<JournalEntry>;
  /** Sessions that hold all the words, newest first; other forms of the words with `mode: "forms"`. */
  searchSessions(caller: JournalCaller, input: unknown): Promise<JournalPage>;
  recordLesson(caller: JournalCaller, input: unknown): Promise<JournalEntry>;
  deprecateLesson(caller: JournalCaller, input: unknown): Promise<JournalEntry>;
  getLessons(caller: JournalCaller, input: unknown): Promise<JournalPage>;
  recordTouchstone(caller: JournalCaller, input: unknown): Promise<JournalEntry>;
  linkTouchstone(caller: JournalCaller, input: unknown): Promise<JournalEntry>;
  getTouchstones(caller: JournalCaller, input: unknown): Promise<JournalPage>;
  createConversation(caller: JournalCaller, input: unknown): Promise<JournalEntry>;
  addConversationEntry(caller: JournalCaller, input: unknown): Promise<JournalEntry>;
  getConversation(caller: JournalCaller, input: unknown): Promise<JournalEntry>;
  searchConversations(caller: JournalCaller, input: unknown): Promise<JournalPage>;
  /** Stores a build with its phases and slices; one of the same key is replaced as a whole. */
  putBuild(caller: JournalCaller, input: unknown): Promise<JournalEntry>;
  getBuild(caller: JournalCaller, input: unknown): Promise<JournalEntry>;
  putT4Entry(caller: JournalCaller, input: unknown): Promise<JournalEntry>;
  getT4Entry(caller: JournalCaller, input: unknown): Promise<JournalEntry>;
  searchT4(caller: JournalCaller, input: unknown): Promise<JournalPage>;
  /**
   * Forgets entries permanently, with what belongs to them, and empties the file of their bytes; how many there were.
   */
  forget(caller: JournalCaller, input: unknown): Promise<{ forgotten: number }>;
}
