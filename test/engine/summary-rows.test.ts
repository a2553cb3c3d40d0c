// Which summary holds: the one that reaches furthest, found without looking at the others, also among those of an older version.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqlite } from '#base/sqlite/sqlite.ts';
import { createMessageRows } from '#engine/sessions/message-rows.ts';
import { branchSchema, conversationSchema } from '#engine/sessions/sessions.ts';
import {
  createSummaryRows,
  summaryKeySchema,
  summaryNameSchema,
  summaryReachSchema,
  summarySchema,
} from '#engine/sessions/summary-rows.ts';
import { clockOf } from '../support/clock-of.ts';
import { tempFolder } from '../support/temp-folder.ts';

const clock = clockOf(() => 1);
const before = [
  { name: 'conversations', up: conversationSchema },
  { name: 'branches', up: branchSchema },
  { name: 'summaries', up: summarySchema },
  { name: 'keys', up: summaryKeySchema },
];

test('of summaries that an older version made, the one that reaches furthest holds, and none whose last message is set aside', (t) => {
  const path = join(tempFolder(t), 'engine.sqlite');
  const older = openSqlite({ path, migrations: before, clock });
  older.prepare("INSERT INTO sessions (id, created_at_ms, updated_at_ms) VALUES ('ses', 1, 1)").run();
  const messages = createMessageRows(older);
  for (const id of ['first', 'second', 'third'])
    messages.insert({ id, sessionID: 'ses', role: 'user', createdAtMs: 1, completedAtMs: 1 });
  const insert = older.prepare(
    `INSERT INTO session_summaries (session_id, last_message_id, text, messages, unseen, run_ids, provider_id, model_id, created_at_ms)
     VALUES ('ses', ?, ?, 1, 0, '[]', 'p', 'm', 1)`,
  );
  insert.run('third', 'reaches furthest');
  insert.run('first', 'was made last');
  older.close();

  const database = openSqlite({
    path,
    migrations: [
      ...before,
      { name: 'reach', up: summaryReachSchema },
      { name: 'names', up: summaryNameSchema },
    ],
    clock,
  });
  t.after(() => database.close());
  const summaries = createSummaryRows(database);
  assert.equal(summaries.newest('ses')?.text, 'reaches furthest');
  createMessageRows(database).keepOnly('ses', ['first', 'second'], 2);
  assert.equal(summaries.newest('ses')?.text, 'was made last');
  const made = {
    sessionID: 'ses',
    messages: 2,
    unseen: 0,
    runIDs: [],
    model: { providerID: 'p', modelID: 'm' },
    createdAtMs: 2,
  };
  summaries.insert({ ...made, lastMessageID: 'second', text: 'made now' });
  assert.equal(summaries.newest('ses')?.text, 'made now');
  assert.equal(summaries.newest('another'), undefined);
});
