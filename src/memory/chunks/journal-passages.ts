// Entries of the journal as passages that memory searches, ranked with everything else: written in the transaction of their entry.
import type { NewId } from '#base/ids.ts';
import type { Sql } from '#base/sql/sql.ts';
import type { Synchronous, Work } from '#base/sql/work.ts';
import { journalPlatform } from '#memory/types/journal.ts';
import type { Audience } from '#memory/types/scope.ts';
import { digestOf } from '#memory/words/content-hash.ts';
import { type Chunk, chunkToRow } from './chunk-row.ts';
import type { ChunkWork } from './chunks.ts';
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

export interface JournalPassageWork {
  /** Writes the passages of an entry, in the place of those that it had. */
  set(owner: PassageOwner, document: JournalDocument): Work<void>;
  /** Adds to the passages that the entry has. */
  add(owner: PassageOwner, document: JournalDocument): Work<void>;
  remove(entryID: string): Work<void>;
  /** Of these rows of chunks those that are passages of the journal, with the id of their entry. */
  ownersOf(rows: readonly number[]): Work<Map<number, string>>;
}

/** The same where nothing is waited for. */
export type JournalPassages = Synchronous<JournalPassageWork>;

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

/** The passages of one database, in the caller's transaction. */
export function createJournalPassages(parts: {
  sql: Sql;
  chunks: Pick<ChunkWork, 'insert' | 'forget'>;
  newId: NewId;
  now: () => number;
}): JournalPassageWork {
  const { sql, chunks, newId } = parts;
  const rowsOf = sql.pluck<[string], number>(
    `SELECT row FROM global_memory_chunks WHERE source_key = ? AND platform = '${journalPlatform}'`,
  );
  const lastOf = sql.pluck<[string], number | null>(
    'SELECT max(ordinal) FROM global_memory_chunks WHERE source_key = ?',
  );
  const owners = sql.prepare<[string], { row: number; owner: string }>(
    `SELECT row, source_key AS owner FROM global_memory_chunks
     WHERE platform = '${journalPlatform}' AND row IN ${sql.dialect.numbers('?')}`,
  );
  function* remove(entryID: string): Work<void> {
    for (const row of yield* rowsOf.all(entryID)) yield* chunks.forget(row);
  }
  function* add(owner: PassageOwner, { title, texts }: JournalDocument): Work<void> {
    const text = texts.map((each) => `${each.title}\n${each.body}`.trim()).join('\n\n');
    const from = ((yield* lastOf.get(owner.id)) ?? -1) + 1;
    const createdAt = Math.round(parts.now());
    for (const [index, { userText, tokens }] of splitExchange({
      userText: text,
      assistantText: '',
    }).entries()) {
      const ordinal = from + index;
      const passage = { ordinal, title, text: userText, tokens, createdAt };
      const id = ordinal === 0 ? owner.id : newId('mem');
      yield* chunks.insert(chunkToRow(chunkOf(owner, { ...passage, id })));
    }
  }
  return {
    *set(owner, document) {
      yield* remove(owner.id);
      yield* add(owner, document);
    },
    add,
    remove,
    *ownersOf(rows) {
      const found = yield* owners.all(JSON.stringify(rows));
      return new Map(found.map(({ row, owner }) => [row, owner]));
    },
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
