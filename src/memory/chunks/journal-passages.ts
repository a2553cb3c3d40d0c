// Entries of the journal as passages that memory searches, ranked with everything else: written in the transaction of their entry.
import type { NewId } from '#base/ids.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { journalPlatform } from '#memory/types/journal.ts';
import type { Audience } from '#memory/types/scope.ts';
import { digestOf } from '#memory/words/content-hash.ts';
import { type Chunk, chunkToRow } from './chunk-row.ts';
import type { Chunks } from './chunks.ts';
import { splitExchange } from './split-exchange.ts';

/** The columns of an entry that its passages have too. */
export interface PassageOwner {
  id: string;
  agent_id: string;
  audience: string;
  space: string | null;
  restricted: number;
  partition: string | null;
  project_id: string | null;
  created_at_ms: number;
}

/** What an entry says: a title, and texts with a title each. */
export interface JournalDocument {
  title: string;
  texts: readonly { title: string; body: string }[];
}

export interface JournalPassages {
  /** Writes the passages of an entry, in the place of those that it had. */
  set(owner: PassageOwner, document: JournalDocument): void;
  /** Adds to the passages that the entry has. */
  add(owner: PassageOwner, document: JournalDocument): void;
  remove(entryID: string): void;
  /** Of these rows of chunks those that are passages of the journal, with the id of their entry. */
  ownersOf(rows: readonly number[]): Map<number, string>;
}

/** A row of a lesson. */
export type Lesson = PassageOwner & Record<string, string | number | null>;

/** A deprecated lesson says so where it is found, with the lesson that holds now. */
export function lessonDocument(row: Lesson, successor?: Lesson | undefined): JournalDocument {
  const title = `Lesson (${row.lesson_kind}, ${row.task_type})`;
  const texts = [{ title: '', body: String(row.lesson) }];
  if (row.status !== 'deprecated') return { title, texts };
  const why = row.status_note === null ? '' : `: ${row.status_note}`;
  // the words of a lesson of another audience are not for the readers of this one
  const words = successor?.audience === row.audience ? `: ${successor.lesson}` : '.';
  const now = successor === undefined ? '' : ` Lesson ${successor.id} holds now${words}`;
  return { title: `${title}, deprecated`, texts: [...texts, { title: '', body: `Deprecated${why}.${now}` }] };
}

/** The passages of one open database. */
export function createJournalPassages(parts: {
  database: Sqlite;
  chunks: Pick<Chunks, 'insert' | 'forget'>;
  newId: NewId;
  now: () => number;
}): JournalPassages {
  const { database, chunks, newId } = parts;
  const rowsOf = database
    .prepare<[string], number>(
      `SELECT row FROM global_memory_chunks WHERE source_key = ? AND platform = '${journalPlatform}'`,
    )
    .pluck();
  const lastOf = database
    .prepare<[string], number | null>('SELECT max(ordinal) FROM global_memory_chunks WHERE source_key = ?')
    .pluck();
  const owners = database.prepare<[string], { row: number; owner: string }>(
    `SELECT row, source_key AS owner FROM global_memory_chunks
     WHERE platform = '${journalPlatform}' AND row IN (SELECT value FROM json_each(?))`,
  );
  const remove = (entryID: string): void => rowsOf.all(entryID).forEach(chunks.forget);
  const add = (owner: PassageOwner, { title, texts }: JournalDocument): void => {
    const text = texts.map((each) => `${each.title}\n${each.body}`.trim()).join('\n\n');
    const from = (lastOf.get(owner.id) ?? -1) + 1;
    const createdAt = Math.round(parts.now());
    for (const [index, { userText, tokens }] of splitExchange({
      userText: text,
      assistantText: '',
    }).entries()) {
      const ordinal = from + index;
      const passage = { ordinal, title, text: userText, tokens, createdAt };
      chunks.insert(chunkToRow(chunkOf(owner, { ...passage, id: ordinal === 0 ? owner.id : newId('mem') })));
    }
  };
  return {
    set(owner, document) {
      remove(owner.id);
      add(owner, document);
    },
    add,
    remove,
    ownersOf: (rows) => new Map(owners.all(JSON.stringify(rows)).map(({ row, owner }) => [row, owner])),
  };
}

function chunkOf(
  owner: PassageOwner,
  of: { id: string; ordinal: number; title: string; text: string; tokens: number; createdAt: number },
): Chunk {
  const hash = digestOf(journalPlatform, owner.id, String(of.ordinal));
  return {
    id: of.id,
    source: 'document',
    // the table's own CHECK allows only these values
    audience: owner.audience as Audience,
    space: owner.space ?? undefined,
    restricted: owner.restricted === 1,
    partition: owner.partition ?? undefined,
    sourceKey: owner.id,
    ordinal: of.ordinal,
    sourceHash: hash,
    contentHash: hash,
    at: owner.created_at_ms,
    lastWrittenAt: of.createdAt,
    createdAt: of.createdAt,
    speaker: owner.agent_id,
    person: journalPlatform,
    platform: journalPlatform,
    chat: `${journalPlatform}:${owner.agent_id}`,
    sessionID: owner.id,
    projectID: owner.project_id ?? undefined,
    workspaceRoot: undefined,
    runID: '',
    messageIDs: [],
    tokenCount: of.tokens,
    content: `${of.title}\n${of.text}`,
    userText: of.text,
    assistantText: '',
    about: `${owner.agent_id}\n${of.title}`,
    metadata: { pieces: 1 },
  };
}
