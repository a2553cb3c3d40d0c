// One memory in PostgreSQL for several instances: opened at once, written at once, and refused where it is newer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { openPostgres } from '#base/postgres/postgres.ts';
import { openPostgresMemory } from '#memory/postgres-memory.ts';
import type { Memory } from '#memory/types/contract.ts';
import { clockOf } from '../support/clock-of.ts';
import { found } from '../support/found.ts';
import { noPostgres, postgresServer } from '../support/postgres.ts';
import { openInstances } from './each-store.ts';
import { testEmbedder } from './embedder.ts';
import { exchange, mine, openMemory, start } from './open-memory.ts';

const settings = { poolSize: 4, statementTimeoutMs: 10_000 };

test('instances that open an empty database at once make its tables once', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  const [first, ...others] = await openInstances(t, 4, url);
  await first?.archive(exchange('My bike is green'));
  for (const other of others)
    assert.equal((await other.search({ text: 'bike', scope: mine })).hits.length, 1);
  assert.deepEqual(await server.run('SELECT part, version FROM parley_schema', url), [
    { part: 'memory', version: 2 },
  ]);
});

test('the tables of a newer program are refused in words, and left as they are', {
  skip: noPostgres,
}, async (t) => {
  const server = await postgresServer();
  const url = await server.database();
  await openInstances(t, 1, url);
  await server.run("UPDATE parley_schema SET version = 9 WHERE part = 'memory'", url);
  await assert.rejects(openInstances(t, 1, url), { code: 'database_newer', message: /have version 9/ });
});

test('what two instances archive at once is stored once, by its key and by its words', {
  skip: noPostgres,
}, async (t) => {
  const both = await openInstances(t, 2);
  const texts = Array.from({ length: 12 }, (_, index) => `The harbour number ${index} is closed`);
  const sameKey = await Promise.all(
    texts.flatMap((text) => both.map((memory) => memory.archive(exchange(text)))),
  );
  assert.equal(sameKey.filter(({ status }) => status === 'stored').length, texts.length);
  const sameWords = await Promise.all(
    texts.flatMap((text, index) =>
      both.map((memory, of) => memory.archive(exchange(`${text} today`, { key: `run_${index}_${of}` }))),
    ),
  );
  assert.equal(sameWords.filter(({ status }) => status === 'stored').length, texts.length);
  assert.equal((await both[0]?.list({ scope: mine, limit: 100 }))?.length, 2 * texts.length);
  assert.deepEqual(await both[1]?.verify(), { problems: [], traces: [] });
});

test('the same memory gives the same hits with the same scores in SQLite and in PostgreSQL', {
  skip: noPostgres,
}, async (t) => {
  const things = ['bike', 'locker', 'garden', 'harbour', 'piano', 'kayak', 'invoice', 'heron'];
  const said = things.flatMap((one, index) =>
    things.map((other, place) =>
      exchange(`The ${one} number ${index * place} stands behind the ${other}`, {
        at: start + 60_000 * (8 * index + place),
        sessionID: `ses_${(index + place) % 5}`,
        assistantText: place % 3 === 0 ? `I note that the ${one} is near the ${other}.` : '',
      }),
    ),
  );
  const ask = async (memory: Pick<Memory, 'archive' | 'search' | 'status'>) => {
    for (const one of said) await memory.archive(one);
    await found('every vector', async () => ((await memory.status()).waiting === 0 ? true : undefined));
    const answers: unknown[] = [];
    for (const text of ['Where is the bike?', 'heron kayak', 'the harbor number 12', 'pianos', 'quietly'])
      answers.push(
        (await memory.search({ text, scope: mine, limit: 20 })).hits.map((hit) => [
          hit.text,
          hit.score.toFixed(4),
        ]),
      );
    return answers;
  };
  const options = { clock: clockOf(() => start + 9_000_000) };
  const inFile = openMemory(t, { ...options, newId: createIds(options.clock), embedder: testEmbedder() });
  const url = await (await postgresServer()).database();
  const postgres = await openPostgres({ ...settings, url }, { clock: systemClock });
  const shared = await openPostgresMemory({
    ...options,
    newId: createIds(options.clock),
    embedder: testEmbedder(),
    ...{ postgres, instance: 'one' },
  });
  t.after(async () => {
    await shared.close();
    await postgres.close();
  });
  assert.deepEqual(await ask(shared), await ask(inFile));
  assert.ok((await shared.status()).vectors > 60);
});
