// The statements that a journal cannot do without, without checks, audiences and secrets: what the bench compares with.
import type { Sqlite } from '#base/sqlite/sqlite.ts';

interface Item {
  title: string;
  body: string;
}

/** What a close writes. */
export interface BareSession {
  agentID: string;
  key: string;
  title: string;
  summary: string;
  decisions: Item[];
  threads: Item[];
  steps: Item[];
  context: Item[];
}

const common = `'person:per_1', 1, 'bare', 'mcp', 0`;
const columns = 'id, agent_id, audience, restricted, written_by, platform, created_at_ms';

/** Bare reads and writes over the journal's file. */
export function createBareJournal(file: Sqlite) {
  const newest = (table: string, condition: string, limit: number) =>
    file.prepare<[string]>(
      `SELECT * FROM ${table} WHERE agent_id = ? AND ${condition} ORDER BY row DESC LIMIT ${limit}`,
    );
  const reads = [
    newest('build_records', 'true', 5),
    newest('session_headers', 'true', 1),
    newest('open_threads', `status = 'open'`, 200),
    newest('next_steps', `status = 'pending'`, 200),
    newest('session_decisions', 'true', 20),
    newest('key_context', 'true', 20),
    newest('conversations', 'true', 10),
    newest('touchstones', 'true', 10),
    file.prepare<[string]>(
      `SELECT * FROM lessons WHERE agent_id IN (?, 'general') AND status = 'active' ORDER BY row DESC LIMIT 30`,
    ),
    file.prepare<[string]>(
      `SELECT * FROM lessons WHERE agent_id IN (?, 'general') AND status = 'active' AND lesson_kind = 'gotcha'`,
    ),
  ];
  const search = file.prepare<[string]>(
    `SELECT * FROM session_headers WHERE id IN (SELECT entry_id FROM journal_words
       JOIN journal_documents ON journal_documents.row = journal_words.rowid WHERE journal_words MATCH ?)
     ORDER BY row DESC LIMIT 20`,
  );
  const header = file.prepare<[string, string, string, string, string]>(
    `INSERT INTO session_headers (${columns}, close_key, content_hash, title, summary) VALUES (?, ?, ${common}, ?, '', ?, ?)`,
  );
  const plain = (table: string) =>
    file.prepare<[string, string, string, string, string]>(
      `INSERT INTO ${table} (${columns}, lineage_id, title, body) VALUES (?, ?, ${common}, ?, ?, ?)`,
    );
  const open = (table: string, status: string) =>
    file.prepare<[string, string, string, string, string]>(
      `INSERT INTO ${table} (${columns}, status, updated_at_ms, lineage_id, title, body)
       VALUES (?, ?, ${common}, '${status}', 0, ?, ?, ?)`,
    );
  const inserts = {
    decisions: plain('session_decisions'),
    context: plain('key_context'),
    threads: open('open_threads', 'open'),
    steps: open('next_steps', 'pending'),
  };
  const settle = [
    { table: 'open_threads', status: 'open' },
    { table: 'next_steps', status: 'pending' },
  ].map(({ table, status }) =>
    file.prepare<[string]>(
      `UPDATE ${table} SET status = 'resolved' WHERE agent_id = ? AND status = '${status}'`,
    ),
  );
  const document = file.prepare<[string, string, string]>(
    `INSERT INTO journal_documents (entry_id, kind, words, stems) VALUES (?, 'session', ?, ?)`,
  );
  // what memory finds of a session, and the line of the audit: each close writes them in its transaction
  const columnsOf = file.prepare<[], { name: string }>('PRAGMA table_info(global_memory_chunks)').all();
  const passageColumns = columnsOf.map(({ name }) => name).filter((name) => name !== 'row');
  const own = new Set(['id', 'content_hash', 'source_hash', 'source_key', 'session_id']);
  const passage = file.prepare<[object]>(
    `INSERT INTO global_memory_chunks (${passageColumns.join(', ')})
     SELECT ${passageColumns.map((name) => (own.has(name) ? '@id' : name === 'content' ? '@content' : name)).join(', ')}
     FROM global_memory_chunks WHERE platform = 'journal' LIMIT 1`,
  );
  const passageWords = file.prepare<[number | bigint, string, string]>(
    `INSERT INTO global_memory_fts (rowid, said_terms, answered_terms, about_terms, scope_terms) VALUES (?, ?, '', ?, 'aall')`,
  );
  const audit = file.prepare<[string, string]>(
    `INSERT INTO memory_audit (id, at_ms, action, actor, audience, ids, detail) VALUES (?, 1, 'put', 'bare', 'person:per_1', ?, '{}')`,
  );
  let made = 0;
  const newID = (): string => {
    made += 1;
    return `bare_${String(made).padStart(26, '0')}`;
  };
  return {
    bundle: (agentID: string) => reads.map((read) => read.all(agentID)),
    search: (query: string) =>
      search.all(
        query
          .split(' ')
          .map((word) => `words : "${word}"`)
          .join(' AND '),
      ),
    close: (session: BareSession) =>
      file
        .transaction(() => {
          const lineage = newID();
          for (const each of settle) each.run(session.agentID);
          header.run(lineage, session.agentID, session.key, session.title, session.summary);
          const words = [session.title, session.summary];
          for (const kind of ['decisions', 'context', 'threads', 'steps'] as const)
            for (const { title, body } of session[kind]) {
              inserts[kind].run(newID(), session.agentID, lineage, title, body);
              words.push(title, body);
            }
          const text = words.join(' ').toLowerCase();
          document.run(lineage, text, text);
          const { lastInsertRowid } = passage.run({ id: lineage, content: words.join('\n') });
          passageWords.run(lastInsertRowid, text, session.title);
          audit.run(newID(), JSON.stringify([lineage]));
        })
        .immediate(),
  };
}
