// Which summary holds: the one that reaches furthest, found without looking at the others.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openEngineDatabase } from '#engine/database.ts';
import { createMessageRows } from '#engine/sessions/message-rows.ts';
import { createSummaryRows } from '#engine/sessions/summary-rows.ts';
import { clockOf } from '../support/clock-of.ts';
import { tempFolder } from '../support/temp-folder.ts';

const clock = clockOf(() => 1);

test('of several summaries the one that reaches furthest holds, and none whose last message is set aside', (t) => {
  const database = openEngineDatabase(join(tempFolder(t), 'engine.sqlite'), clock);
  t.after(() => database.close());
  database.prepare("INSERT INTO sessions (id, created_at_ms, updated_at_ms) VALUES ('ses', 1, 1)").run();
  const messages = createMessageRows(database);
  for (const id of ['first', 'second', 'third'])
    messages.insert({ id, sessionID: 'ses', role: 'user', createdAtMs: 1, completedAtMs: 1 });
  const summaries = createSummaryRows(database);
  const made = {
    sessionID: 'ses',
    messages: 2,
    unseen: 0,
    runIDs: [],
    model: { providerID: 'p', modelID: 'm' },
    createdAtMs: 2,
  };
  summaries.insert({ ...made, lastMessageID: 'third', text: 'reaches furthest' });
  summaries.insert({ ...made, lastMessageID: 'first', text: 'was made last' });
  assert.equal(summaries.newest('ses')?.text, 'reaches furthest');
  createMessageRows(database).keepOnly('ses', ['first', 'second'], 2);
  assert.equal(summaries.newest('ses')?.text, 'was made last');
  summaries.insert({ ...made, lastMessageID: 'second', text: 'made now' });
  assert.equal(summaries.newest('ses')?.text, 'made now');
  assert.equal(summaries.newest('another'), undefined);
});
