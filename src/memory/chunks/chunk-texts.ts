// The texts of stored chunks for their owner's upkeep: read in order, written again in their place with their words and vector.
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { scopeTermsIn } from '#memory/tables/audience.ts';
import type { FullText } from '#memory/tables/full-text.ts';
import type { Audience } from '#memory/types/scope.ts';
import { type DerivedData, hasNoDistance } from '#memory/vectors/derived-data.ts';
import { hashOf as hashOfText } from '#memory/vectors/text-hash.ts';
import { passageHash } from '#memory/words/content-hash.ts';
import { embeddedText, heldText, userTextOf } from '#memory/words/embedded-text.ts';
import { analyzerVersion } from '#memory/words/tokens.ts';
import { indexedTexts, type Source } from './chunk-row.ts';
import type { Chunks } from './chunks.ts';

export interface StoredText {
  row: number;
  id: string;
  audience: Audience;
  source: string;
  content: string;
  userText: string;
  assistantText: string;
}

export interface ChunkTexts {
  /** The chunks after this row, oldest first: of every audience. */
  after(row: number, limit: number): StoredText[];
  /**
   * Writes the chunk with these texts, inside the caller's transaction; one that says the same as another of its audience then goes.
   * What it was found by and is no longer said is left out of its words.
   */
  rewrite(row: number, texts: Pick<StoredText, 'content' | 'userText' | 'assistantText'>): void;
  /** Makes the words of these rows again. */
  reindex(rows: readonly number[]): void;
  /** Rebuilds full text from the words of the chunks and records, drops sign bits that no chunk has, and queues missing vectors. */
  rebuild(): void;
}

interface TextRow {
  row: number;
  id: string;
  audience: string;
  source: string;
  content: string;
  user_text: string;
  assistant_text: string;
}

interface WholeRow extends TextRow {
  person: string;
  speaker: string;
  session_id: string;
  project_id: string | null;
  tier: string;
  partition: string | null;
  message_ids: string;
  about_terms: string;
  scope_terms: string;
  content_hash: string;
}

const messageIDs = z.array(z.string());

/** The texts of one open database. */
export function createChunkTexts({
  database,
  chunks,
  derived,
  fullText,
}: {
  database: Sqlite;
  chunks: Chunks;
  derived: DerivedData;
  fullText: FullText;
}): ChunkTexts {
  const after = database.prepare<[number, number], TextRow>(
    `SELECT row, id, audience, source, content, user_text, assistant_text FROM global_memory_chunks
     WHERE row > ? ORDER BY row LIMIT ?`,
  );
  const whole = database.prepare<[number], WholeRow>('SELECT * FROM global_memory_chunks WHERE row = ?');
  const taken = database
    .prepare<[object], number>(
      'SELECT 1 FROM global_memory_chunks WHERE audience = @audience AND content_hash = @hash AND row <> @row',
    )
    .pluck();
  const write = database.prepare<[object]>(
    `UPDATE global_memory_chunks SET content = @content, user_text = @userText, assistant_text = @assistantText,
       said_terms = @said, answered_terms = @answered, about_terms = @about, content_hash = @hash,
       scope_terms = @scope, language = @language, analyzer = @analyzer
     WHERE row = @row`,
  );

  const unembed = database.prepare<[number]>('DELETE FROM memory_embeddings WHERE row = ?');
  /** A vector of a text that is given to a model in another form now. */
  const outdated = database.prepare<[number, string]>(
    `DELETE FROM memory_embeddings WHERE row = ? AND text_hash <> ?`,
  );
  /** Every model comes by here again; texts that it knows cost it nothing. */
  const begin = database.prepare<[object]>(
    'UPDATE memory_embedding_work SET done_to = @row - 1 WHERE done_to >= @row',
  );

  const [dropRefusals, lookAgain] = [
    `DELETE FROM memory_embeddings WHERE embedding IS NULL OR (${hasNoDistance})`,
    'UPDATE memory_embedding_work SET done_to = 0, failures = 0, next_try_at_ms = 0, last_error = NULL',
  ].map((sql) => database.prepare<[]>(sql));
  /** Every model looks for rows without a vector, and is asked again for what it refused and for vectors that were damaged. */
  const embedAgain = database.transaction((): void => {
    dropRefusals?.run();
    lookAgain?.run();
  });

  const put = (found: WholeRow, texts: Parameters<ChunkTexts['rewrite']>[1], hash: string): void => {
    const { language, said, answered, parts } = indexedTexts(texts);
    const gone = new Set(wordsIn(found.content));
    for (const word of wordsIn(texts.content)) gone.delete(word);
    const about = found.about_terms
      .split('\n')
      .map((line) =>
        line
          .split(' ')
          .filter((word) => !gone.has(word))
          .join(' '),
      )
      .join('\n');
    // a model's vector stays true while the text is the same
    if (texts.content !== found.content) {
      derived.forget(found.row);
      unembed.run(found.row);
      begin.run({ row: found.row });
    }
    const scope = scopeTermsIn(language, found.scope_terms);
    const whole = parts === '' || about.endsWith(`\n${parts}`) ? about : `${about}\n${parts}`;
    chunks.changes(found.row);
    write.run({
      ...texts,
      userText: heldText({ ...texts, source: found.source as Source }), // the table's own CHECK allows only these values
      row: found.row,
      said,
      answered,
      about: whole,
      scope,
      language,
      hash,
      analyzer: analyzerVersion,
    });
  };
  const reindex = database.transaction((rows: readonly number[]) => {
    for (const row of rows) {
      const found = whole.get(row);
      if (found === undefined) continue;
      put(found, textsOf(found), found.content_hash);
      const { changes } = outdated.run(
        row,
        hashOfText(embeddedText({ ...textsOf(found), source: found.source as Source })),
      );
      if (changes > 0) begin.run({ row });
    }
  });

  return {
    after: (row, limit) =>
      after.all(row, limit).map((found) => ({
        row: found.row,
        id: found.id,
        audience: found.audience as Audience, // the table's own CHECK allows only this form
        source: found.source,
        ...textsOf(found),
      })),
    rewrite(row, texts) {
      const found = whole.get(row);
      if (found === undefined) return;
      const hash = hashOf(found, texts);
      if (taken.get({ audience: found.audience, hash, row }) === undefined) {
        chunks.shared.rename(row, hash);
        put(found, texts, hash);
      } else {
        chunks.shared.merge(row, hash);
        chunks.forget(row);
      }
    },
    reindex: (rows) => (database.inTransaction ? reindex(rows) : reindex.immediate(rows)),
    rebuild() {
      database.transaction(derived.rebuild).immediate();
      embedAgain();
      fullText.build();
      chunks.changed();
    },
  };
}

function textsOf(row: TextRow): Pick<StoredText, 'content' | 'userText' | 'assistantText'> {
  const texts = { content: row.content, userText: row.user_text, assistantText: row.assistant_text };
  return { ...texts, userText: userTextOf({ ...texts, source: row.source as Source }) }; // the table's own CHECK allows only these values
}

function wordsIn(text: string): string[] {
  return indexedTexts({ userText: text, assistantText: '' }).said.split(/\s+/);
}

/** By what its writer would know it again; one that is known by something else than its words (a piece of a record, of a memory file, of the journal) stays known by that. */
function hashOf(found: WholeRow, texts: Parameters<ChunkTexts['rewrite']>[1]): string {
  const passage = {
    source: found.source,
    person: found.person,
    speaker: found.speaker,
    sessionID: found.session_id,
    projectID: found.project_id ?? undefined,
    tier: found.tier,
    partition: found.partition ?? undefined,
    messageIDs: parseJson(found.message_ids, messageIDs, 'message_ids'),
  };
  const isKnownByWords = passageHash({ ...passage, ...textsOf(found) }) === found.content_hash;
  return isKnownByWords ? passageHash({ ...passage, ...texts }) : found.content_hash;
}
