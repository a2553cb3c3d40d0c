// Embedding models that change, refuse or answer wrongly, as the owner meets them: through commands, next to a Parley that runs.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { startParley } from '#app/compose/compose.ts';
import { loadConfig } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import { found, until } from '../support/found.ts';
import { withoutSqliteVec } from '../support/machine-without-sqlite-vec.ts';
import { startEmbeddingServer } from './embedding-server.ts';
import { openTerminal, type Terminal } from './terminal.ts';

interface Ward extends Terminal {
  configure(embedding: object | undefined): void;
  /** Starts Parley, runs the work next to it, and stops it. */
  during<T>(work: () => Promise<T>): Promise<T>;
  vectors(): Promise<{ vectors: number; waiting: number; embedding: string }>;
  /** Waits until nothing waits for its vector. */
  embedded(): Promise<void>;
  /** How near each of the hits of a search is, by its text. */
  nearness(text: string): Promise<Record<string, number>>;
  put(...texts: string[]): Promise<void>;
}

function openWard(t: TestContext): Ward {
  const terminal = openTerminal(t);
  const ward: Ward = {
    ...terminal,
    configure: (embedding) =>
      writeFileSync(
        join(terminal.folder, 'parley.config.json'),
        JSON.stringify({
          home: 'home',
          engine: { port: 0 },
          log: { level: 'silent' },
          ...(embedding === undefined ? {} : { memory: { embedding } }),
        }),
      ),
    async during(work) {
      const parley = await startParley(loadConfig({ folder: terminal.folder, variables: {} }), {
        clock: systemClock,
      });
      try {
        return await work();
      } finally {
        await parley.close();
      }
    },
    vectors: async () => JSON.parse((await terminal.call('memory', 'status', '--json')).out),
    embedded: () => until('every vector', async () => (await ward.vectors()).waiting === 0),
    async nearness(text) {
      const { out } = await terminal.call('memory', 'search', text, '--json');
      const { hits } = JSON.parse(out) as { hits: { text: string; scoreParts: Record<string, number> }[] }; // as the command writes it
      return Object.fromEntries(hits.map((hit) => [hit.text, hit.scoreParts.nearness ?? 0]));
    },
    async put(...texts) {
      for (const text of texts) assert.equal((await terminal.call('memory', 'put', text)).code, 0);
    },
  };
  return ward;
}

const at = (url: string, model = 'themes'): object => ({
  provider: 'openai-compatible',
  model,
  dimensions: 8,
  baseUrl: url,
});

test('a change to another embedding model and back finds what the first model embedded', async (t) => {
  const server = await startEmbeddingServer(t);
  const ward = openWard(t);
  ward.configure(at(server.url, 'first'));
  await ward.put('My bicycle is green', 'The harbour was closed');
  await ward.during(ward.embedded);
  assert.equal((await ward.vectors()).vectors, 2);
  ward.configure(at(server.url, 'second'));
  await ward.during(ward.embedded);
  await ward.put('We drank tea');
  ward.configure(at(server.url, 'first'));
  await ward.during(ward.embedded);
  assert.equal((await ward.vectors()).vectors, 3);
  assert.ok(((await ward.nearness('ship'))['The harbour was closed'] ?? 0) > 0.9);
});

test('a server that refuses one text embeds all others, and status and doctor say how many were refused and why', async (t) => {
  for (const status of [400, 500]) {
    const server = await startEmbeddingServer(t, { poison: { words: 'poison', status } });
    const ward = openWard(t);
    ward.configure(at(server.url));
    await ward.put('My bicycle is green', 'The poison is in the shed', 'The harbour was closed', 'A cat');
    await ward.during(async () => {
      await ward.embedded();
      const reason = status === 400 ? 'did not accept the request' : 'has a problem right now';
      const words = new RegExp(`embedding model refused 1 text: .*${reason}`);
      assert.match((await ward.call('memory', 'status')).out, words);
      assert.match((await ward.call('status')).out.replace(/\s+/g, ' '), words);
      const { out } = await ward.call('doctor');
      assert.match(out.replace(/\s+/g, ' '), words);
      assert.match(out.replace(/\s+/g, ' '), /parley memory reindex/);
    });
    assert.equal((await ward.vectors()).vectors, 3);
    server.behaviour = {};
    await ward.call('memory', 'reindex');
    await ward.during(ward.embedded);
    assert.equal((await ward.vectors()).vectors, 4, 'a reindex has the model asked again');
    assert.doesNotMatch((await ward.call('memory', 'status')).out, /refused/);
  }
});

for (const [words, calls] of [
  ['breaks the connection over one text', 0],
  ['dies over one text and is started again', 1],
] as const)
  test(`a server that ${words} embeds all others, and status and doctor say how many were refused and why`, async (t) => {
    const server = await startEmbeddingServer(t, { deadly: { words: 'poison', calls } });
    const ward = openWard(t);
    ward.configure(at(server.url));
    await ward.put('My bicycle is green', 'The poison is in the shed', 'The harbour was closed', 'A cat');
    await ward.during(async () => {
      await ward.embedded();
      const reason = /embedding model refused 1 text: .*broke off/;
      assert.match((await ward.call('memory', 'status')).out, reason);
      assert.match((await ward.call('status')).out.replace(/\s+/g, ' '), reason);
      assert.match((await ward.call('doctor')).out.replace(/\s+/g, ' '), reason);
      const asked = server.calls.filter((texts) => texts.some((text) => text.includes('poison'))).length;
      assert.ok(asked <= 8, `it was asked ${asked} times for the text that it dies of`);
    });
    assert.equal((await ward.vectors()).vectors, 3);
  });

test('a server whose answer has no end is given up, and its memory is not filled', async (t) => {
  const server = await startEmbeddingServer(t, { endless: true });
  const ward = openWard(t);
  ward.configure(at(server.url));
  await ward.put('My bicycle is green');
  await ward.during(async () => {
    const told = async (): Promise<string> => (await ward.call('memory', 'status')).out;
    const deadline = Date.now() + 30_000;
    while (!/more than 32 MiB/.test(await told())) assert.ok(Date.now() < deadline, await told());
    assert.ok(server.sentBytes() < 200 * 2 ** 20, `${server.sentBytes()} bytes were taken`);
  });
});

test('what a command puts next to a Parley that runs gets its vector, though nothing else is written', async (t) => {
  const server = await startEmbeddingServer(t);
  const ward = openWard(t);
  ward.configure(at(server.url));
  await ward.put('My bicycle is green');
  await ward.during(async () => {
    await ward.embedded();
    await ward.put('The harbour was closed');
    await ward.embedded();
    assert.equal((await ward.vectors()).vectors, 2);
    server.behaviour = { poison: { words: 'poison', status: 400 } };
    await ward.put('The poison is in the shed');
    await ward.embedded();
    server.behaviour = {};
    assert.equal((await ward.call('memory', 'reindex')).code, 0);
    await ward.embedded();
    assert.equal((await ward.vectors()).vectors, 3, 'a reindex next to it has the model asked again');
  });
});

test('a server that takes one text a call embeds all of them', async (t) => {
  const server = await startEmbeddingServer(t, { most: 1 });
  const ward = openWard(t);
  ward.configure(at(server.url));
  const texts = Array.from({ length: 12 }, (_, index) => `The boat number ${index} is old`);
  await ward.put(...texts);
  await ward.during(ward.embedded);
  assert.equal((await ward.vectors()).vectors, 12);
  assert.doesNotMatch((await ward.call('memory', 'status')).out, /refused/);
});

test('a vector of a wrong size is refused and counted, and the others are made', async (t) => {
  const server = await startEmbeddingServer(t, { short: 'tea' });
  const ward = openWard(t);
  ward.configure(at(server.url));
  await ward.put('My bicycle is green', 'We drank tea');
  await ward.during(ward.embedded);
  const { out } = await ward.call('memory', 'status');
  assert.match(out, /^vectors {4}1 \(openai-compatible\/themes at 127/m);
  assert.match(out, /refused 1 text: expected a vector of 8 numbers, got 3/);
});

test('a text whose vector was wrong is asked for once more after the model has answered rightly, and at the next start', async (t) => {
  const server = await startEmbeddingServer(t, { short: 'tea' });
  const ward = openWard(t);
  ward.configure(at(server.url));
  const asked = (): number => server.calls.filter((texts) => texts.includes('We drank tea')).length;
  await ward.put('We drank tea');
  await ward.during(async () => {
    await ward.embedded();
    for (const text of ['My bicycle is green', 'The harbour was closed', 'A cat']) {
      await ward.put(text);
      await until(text, () => server.calls.flat().includes(text));
      await ward.embedded();
    }
    assert.equal(asked(), 2, 'once, and once more');
    assert.match((await ward.call('memory', 'status')).out, /refused 1 text: expected a vector of 8 numbers/);
  });
  server.behaviour = {};
  await ward.during(async () => {
    await until('the fourth vector', async () => (await ward.vectors()).vectors === 4);
    assert.doesNotMatch((await ward.call('memory', 'status')).out, /refused/);
  });
  assert.equal(asked(), 3);
});

test('a server that is right again while the program runs is asked for what it gave a wrong vector of', async (t) => {
  const server = await startEmbeddingServer(t, { short: '' });
  const ward = openWard(t);
  ward.configure(at(server.url));
  await ward.put('My bicycle is green', 'We drank tea');
  await ward.during(async () => {
    await ward.embedded();
    assert.match((await ward.call('memory', 'status')).out, /refused 2 texts/);
    server.behaviour = {};
    await ward.put('The harbour was closed');
    await until('all three vectors', async () => (await ward.vectors()).vectors === 3);
    assert.doesNotMatch((await ward.call('memory', 'status')).out, /refused/);
  });
});

test('numbers of a vector that are none are named as they came, of what is stored and of what is asked', async (t) => {
  for (const written of ['null', 'NaN', '"nan"']) {
    const server = await startEmbeddingServer(t, { noNumber: { words: 'tea', written } });
    const ward = openWard(t);
    ward.configure(at(server.url));
    await ward.put('My bicycle is green', 'We drank tea');
    await ward.during(ward.embedded);
    const told = `expected vectors of finite numbers, got ${written} in one`;
    const status = (await ward.call('memory', 'status')).out;
    assert.ok(status.includes(`refused 1 text: ${told}.`), status);
    const search = await ward.call('memory', 'search', 'tea');
    assert.ok(`${search.out}${search.err}`.includes(`no embeddings (${told})`), search.err);
    server.behaviour = {};
    await ward.during(() => until('both vectors', async () => (await ward.vectors()).vectors === 2));
  }
});

test('a server that never answers is said to be late, and what is found by words is shown', async (t) => {
  const server = await startEmbeddingServer(t);
  const ward = openWard(t);
  ward.configure(at(server.url));
  await ward.put('My bicycle is green');
  await ward.during(ward.embedded);
  server.behaviour = { hangs: true };
  const { out, err } = await ward.call('memory', 'search', 'bicycle');
  assert.match(out, /My bicycle is green/);
  assert.match(`${out}${err}`, /no embeddings \(its server did not answer in time\)/);
});

test('a stored vector whose numbers were damaged hinders no search, is named by a verification and made again by a reindex', async (t) => {
  const server = await startEmbeddingServer(t);
  const ward = openWard(t);
  ward.configure(at(server.url));
  await ward.put('My bicycle is green', 'The harbour was closed');
  await ward.during(ward.embedded);
  const file = new Database(join(ward.folder, 'home', 'memory.sqlite'));
  const damaged = Buffer.alloc(8 * 4);
  damaged.writeFloatLE(Number.NaN, 4);
  file.prepare('UPDATE memory_embeddings SET embedding = ? WHERE row = 1').run(damaged);
  file.close();
  assert.deepEqual(Object.keys(await ward.nearness('ship')), ['The harbour was closed']);
  assert.deepEqual(Object.keys(await ward.nearness('bicycle')), ['My bicycle is green']);
  const verified = await ward.call('memory', 'verify');
  assert.match(
    `${verified.out}${verified.err}`,
    /numbers of 1 vector are not finite: "parley memory reindex"/,
  );
  assert.equal((await ward.call('memory', 'reindex')).code, 0);
  await ward.during(ward.embedded);
  assert.ok(((await ward.nearness('saddle'))['My bicycle is green'] ?? 0) > 0.9);
  assert.equal((await ward.call('memory', 'verify')).code, 0);
});

test('a server that is down marks no text as refused, and status says that they wait and why', async (t) => {
  const server = await startEmbeddingServer(t, { down: 500 });
  const ward = openWard(t);
  ward.configure(at(server.url));
  await ward.put('My bicycle is green', 'The harbour was closed');
  await ward.during(async () => {
    await found('two failed calls', () => (server.calls.length >= 2 ? true : undefined));
    await found('the reason', async () =>
      /has a problem right now/.test((await ward.call('memory', 'status')).out) ? true : undefined,
    );
    assert.match((await ward.call('memory', 'status')).out, /^vectors {4}0 .*, 2 waiting$/m);
    assert.match(
      (await ward.call('doctor')).out.replace(/\s+/g, ' '),
      /Texts wait for their vector: index behind by 2/,
    );
  });
  assert.doesNotMatch((await ward.call('memory', 'status')).out, /refused/);
});

test('another server with a model of the same name is another model, and its vectors are not mixed', async (t) => {
  const first = await startEmbeddingServer(t);
  const second = await startEmbeddingServer(t, { shift: 3 });
  const ward = openWard(t);
  ward.configure(at(first.url));
  await ward.put('My bicycle is green', 'The harbour was closed');
  await ward.during(ward.embedded);
  ward.configure(at(second.url));
  assert.equal((await ward.vectors()).vectors, 0);
  await ward.during(ward.embedded);
  assert.ok(second.calls.flat().includes('The harbour was closed'));
  const near = await ward.nearness('ship');
  assert.ok(
    (near['The harbour was closed'] ?? 0) > 0.9 && (near['My bicycle is green'] ?? 0) < 0.5,
    JSON.stringify(near),
  );
});

test('a search for words that occur nowhere finds nothing, and one in other words finds what it means', async (t) => {
  const server = await startEmbeddingServer(t);
  const ward = openWard(t);
  ward.configure(at(server.url));
  await ward.put('My bicycle is green', 'The harbour was closed');
  await ward.during(ward.embedded);
  assert.equal((await ward.call('memory', 'search', 'xyzzy plugh')).out, 'Nothing was found.\n');
  assert.deepEqual(Object.keys(await ward.nearness('ship')), ['The harbour was closed']);
  assert.ok('My bicycle is green' in (await ward.nearness('bycicle')), 'a misspelt word is a reason');
});

test('on a machine for which sqlite-vec has no build the same is found, and status and doctor give the reason (M15, M16, M17)', async (t) => {
  const server = await startEmbeddingServer(t);
  const ward = openWard(t);
  ward.configure(at(server.url));
  await ward.put('My bicycle is green', 'The harbour was closed');
  await ward.during(ward.embedded);
  const near = await ward.nearness('ship');
  assert.match((await ward.call('memory', 'status')).out, /^degraded {3}nothing$/m);
  const { backAgain } = withoutSqliteVec(t);
  await ward.put('A sail was torn');
  await ward.during(ward.embedded);
  const without = await ward.nearness('ship');
  assert.deepEqual(Object.keys(without).sort(), ['A sail was torn', ...Object.keys(near)].sort());
  const harbour = 'The harbour was closed';
  assert.ok(
    Math.abs((without[harbour] ?? 0) - (near[harbour] ?? 1)) < 1e-5,
    JSON.stringify({ near, without }),
  );
  assert.match(
    (await ward.call('memory', 'status')).out,
    /^degraded {3}sqlite-vec cannot be loaded \(Unsupported platform .*\): vectors are compared in JavaScript$/m,
  );
  assert.match(
    (await ward.call('doctor')).out.replace(/\s+/g, ' '),
    /finds the same, but slower: sqlite-vec cannot be loaded \(.*Run "npm ci" for this machine/,
  );
  backAgain();
  const again = await ward.nearness('ship');
  assert.deepEqual(Object.keys(again).sort(), Object.keys(without).sort());
  assert.match((await ward.call('memory', 'status')).out, /^degraded {3}nothing$/m);
});

test('without an embedding model status and doctor say that there is none, and the doctor counts the vectors of the model', async (t) => {
  const ward = openWard(t);
  await ward.put('My bicycle is green', 'The harbour was closed');
  const none = await ward.call('memory', 'status');
  assert.match(none.out, /^vectors {4}none: no embedding model$/m);
  assert.match(
    (await ward.call('doctor')).out.replace(/\s+/g, ' '),
    /2 passages are remembered, found by their words: there is no embedding model\./,
  );
  await ward.during(async () => {
    assert.match((await ward.call('status')).out, /^vectors +none: no embedding model$/m);
  });
  const server = await startEmbeddingServer(t);
  ward.configure(at(server.url));
  assert.match(
    (await ward.call('doctor')).out.replace(/\s+/g, ' '),
    /Texts wait for their vector: index behind by 2/,
  );
  await ward.during(ward.embedded);
  assert.match(
    (await ward.call('doctor')).out.replace(/\s+/g, ' '),
    /2 passages are remembered, 2 of them with a vector\./,
  );
});
