// Dreaming, from a platform's message to a row, a line of MEMORY.md and the report that people read.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteReader } from '#base/sqlite/sqlite.ts';
import { found } from '../support/found.ts';
import { type House, openHouse, type Talk } from './house.ts';
import { openModelHouse } from './model-house.ts';

const talk: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const easy = { enabled: true, schedule: '* * * * * *', gates: { score: 0.1, recalls: 1, queries: 1 } };

function rows(house: House, sql: string): Record<string, unknown>[] {
  const database = openSqliteReader({ path: join(house.home, 'memory.sqlite') });
  try {
    return database.prepare<[], Record<string, unknown>>(sql).all();
  } finally {
    database.close();
  }
}

function file(house: House, name: string): string {
  const root = join(house.home, 'memory');
  const folder = readdirSync(root).find((each) => each.startsWith('person')) ?? 'none';
  try {
    return readFileSync(join(root, folder, name), 'utf8');
  } catch {
    return '';
  }
}

test('an answer that uses a message of an earlier session is a recall with its day, question and audience', async (t) => {
  const house = await openHouse(t, { config: { memory: { dreaming: { enabled: true } } } });
  await house.ready('telegram');
  await house.ask(talk, 'The boat Nelly is laid up in Harlingen until June.');
  await house.ask(talk, '/new');
  assert.match(await house.ask(talk, 'Where is Nelly?'), /Harlingen/);
  const [recall] = await found('a recall', () => {
    const all = rows(
      house,
      'SELECT r.*, c.audience FROM memory_recalls r JOIN memory_candidates c ON c.id = r.candidate',
    );
    return all.length === 0 ? undefined : all;
  });
  assert.match(String(recall?.audience), /^person:per_/);
  assert.match(String(recall?.day), /^\d{4}-\d{2}-\d{2}$/);
  assert.match(String(recall?.query_hash), /^[0-9a-f]{64}$/);
  assert.equal(recall?.how, 'overlap');
  assert.doesNotMatch(JSON.stringify(recall), /Harlingen|Nelly/);
});

test('nothing is counted while dreaming is off', async (t) => {
  const house = await openHouse(t);
  await house.ready('telegram');
  await house.ask(talk, 'The boat Nelly is laid up in Harlingen until June.');
  await house.ask(talk, '/new');
  assert.match(await house.ask(talk, 'Where is Nelly?'), /Harlingen/);
  await found(
    'an archived exchange',
    () => rows(house, "SELECT id FROM global_memory_chunks WHERE content LIKE '%Nelly%'")[0],
  );
  await house.ask(talk, 'Thanks.'); // a turn later the use of the one before is noted, if it is noted at all
  assert.deepEqual(rows(house, 'SELECT * FROM memory_recalls'), []);
});

test('a sweep that is due is run at the next start, asks the model once, and its report can be read', async (t) => {
  const { house, model } = await openModelHouse(t, ['telegram'], { memory: { dreaming: easy } });
  model.clearFixtures();
  const reflection = { themes: [{ title: 'Where the boats are', statements: [1] }], lasting: [1] };
  model.addFixture({
    match: { systemMessage: /look back over statements/ },
    response: { content: `Here it is: ${JSON.stringify(reflection)}` },
  });
  model.addFixture({
    match: { userMessage: /Where is Nelly/ },
    response: { content: 'Nelly is laid up in Harlingen until June.' },
  });
  model.addFixture({ match: { userMessage: /.*/ }, response: { content: 'Seen.' } });
  await house.ask(talk, 'The boat Nelly is laid up in Harlingen until June.');
  await house.ask(talk, '/new');
  await house.ask(talk, 'Where is Nelly?');
  await found('a recall', () => rows(house, 'SELECT * FROM memory_recalls')[0]);
  await new Promise((resolve) => setTimeout(resolve, 1_100)); // the schedule has whole seconds, and the clock is the machine's
  await house.restart();
  await found('a promotion', () => (/Harlingen/.test(file(house, 'DREAMS.md')) ? true : undefined));
  assert.match(
    file(house, 'MEMORY.md'),
    /## Promoted From Short-Term Memory \(.*\)\n\n- The boat Nelly is laid up in Harlingen until June\.\n$/,
  );
  assert.match(
    file(house, 'DREAMS.md'),
    /REM: 1 theme, 1 statement that may last\.\n.*- Theme: Where the boats are/s,
  );
  const asked = model
    .getRequests()
    .filter(({ body }) => JSON.stringify(body).includes('look back over statements'));
  assert.equal(asked.length, 1);
  const [sweep] = rows(house, 'SELECT * FROM memory_sweeps');
  assert.equal(sweep?.calls, 1);
  assert.ok(Number(sweep?.tokens) > 0);
});
