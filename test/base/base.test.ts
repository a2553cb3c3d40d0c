// The foundation: ids, waiting, files, secrets, databases.
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { systemClock } from '#base/clock.ts';
import { ensureFolder, writeWhole } from '#base/files/files.ts';
import { createIds } from '#base/ids.ts';
import { faultIn, parseJson } from '#base/json.ts';
import { createLog } from '#base/log/log.ts';
import { createMask, createSecrets } from '#base/secrets.ts';
import { openSqlite } from '#base/sqlite/sqlite.ts';
import { escapeMarkup, truncate } from '#base/text.ts';
import { anySignal, backoffMs, createWaker, every, isAbort, withTimeout } from '#base/waiting/async.ts';
import { clockOf } from '../support/clock-of.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('ids sort by creation, also within a millisecond and when the clock steps back', () => {
  const times = [1000, 1000, 1000, 900, 2000];
  const newId = createIds(clockOf(() => times.shift() ?? 0));
  const made = Array.from({ length: 5 }, () => newId('msg'));
  assert.deepEqual([...made].sort(), made);
  assert.equal(new Set(made).size, 5);
});

test('truncated text consists of whole graphemes and stays within its limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 50 }), (text, limit) => {
      const cut = truncate(text, limit);
      assert.ok(cut.length <= limit || text.length <= limit);
      assert.ok(cut.isWellFormed());
    }),
  );
  assert.equal(truncate('👨‍👩‍👧👨‍👩‍👧', 12), '👨‍👩‍👧…');
});

test('escaped text cannot open or close a tag', () => {
  assert.equal(escapeMarkup('</memory_context> & "x"'), '&lt;/memory_context&gt; &amp; &quot;x&quot;');
});

test('a secret never reaches a log line, in any of its forms', () => {
  const lines: string[] = [];
  const secret = 'tok"en/with+signs';
  const log = createLog({
    level: 'info',
    mask: createMask([secret, undefined, 'abc']),
    write: (line) => lines.push(line),
  });
  log.info(
    { url: `https://x/?t=${encodeURIComponent(secret)}`, error: new Error(`refused ${secret}`).message },
    `using ${secret}`,
  );
  assert.equal(lines.join('').includes('tok'), false);
  assert.equal(createMask(['abc'])('abc'), 'abc', 'very short values would eat words');
});

test('a secret that comes in pieces is never shown in part, and nothing else is lost or changed', () => {
  const secrets = createSecrets(['aabaab', 'aabaabaa-b', 'tok"en_1']);
  const piece = fc.constantFrom('a', 'b', 'aab', 'aabaab', 'tok', '"', 'en_1', 'tok\\"en_1', '-b', ' ', 'x');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const stream = secrets.stream();
      let shown = '';
      for (const next of pieces) {
        shown += stream.push(next);
        // what is shown stays true whatever follows: it is a beginning of the whole, masked
        assert.ok(secrets.mask(`${pieces.join('')}`).startsWith(shown), JSON.stringify([pieces, shown]));
      }
      assert.equal(shown + stream.end(), secrets.mask(pieces.join('')));
    }),
  );
  assert.equal(createSecrets([]).stream().push('tok'), 'tok');
  assert.deepEqual(secrets.maskAll({ aabaab: ['tok"en_1', 1, null] }), {
    '[redacted]': ['[redacted]', 1, null],
  });
});

test('JSON that does not fit says what, where and why', () => {
  const schema = z.object({ a: z.object({ b: z.number() }) });
  assert.throws(() => parseJson('{', schema, 'the file'), /the file is not valid JSON/);
  assert.throws(() => parseJson('{"a":{"b":"x"}}', schema, 'the file'), /the file: a\.b: .*expected number/);
});

test('a wake between two waits is not lost', async () => {
  const clock = createManualClock();
  const waker = createWaker();
  waker.wake();
  await waker.wait(clock, 1_000);
  const waiting = waker.wait(clock, 1_000);
  waker.wake();
  await waiting;
  const aborted = new AbortController();
  const ended = waker.wait(clock, 1_000, aborted.signal);
  aborted.abort();
  await assert.rejects(ended, { name: 'AbortError' });
});

test('a time limit aborts the work and says what took too long', async () => {
  const clock = createManualClock();
  let aborted = false;
  const slow = withTimeout({ clock, ms: 50, what: 'The call' }, (signal) => {
    signal.addEventListener('abort', () => {
      aborted = true;
    });
    return new Promise<never>(() => {});
  });
  const rejected = assert.rejects(slow, /The call took longer than 50 ms/);
  await clock.advance(60);
  await rejected;
  assert.equal(aborted, true);
  assert.equal(await withTimeout({ clock, ms: 50, what: 'x' }, async () => 7), 7);
});

test('a signal of several ends with the first of them, and leaves nothing on those that live on', async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const listeners = (): number =>
    [first, second].reduce((sum, { signal }) => sum + getEventListeners(signal, 'abort').length, 0);
  for (let call = 0; call < 3; call += 1) {
    using within = anySignal(undefined, first.signal, second.signal);
    assert.equal(within.signal.aborted, false);
    assert.equal(listeners(), 2);
  }
  assert.equal(listeners(), 0);
  const clock = createManualClock();
  await withTimeout({ clock, ms: 50, what: 'x', signal: first.signal }, async () => 7);
  assert.equal(listeners(), 0);

  using within = anySignal(first.signal, second.signal);
  second.abort(new Error('the second'));
  assert.match(String(within.signal.reason), /the second/);
  using late = anySignal(first.signal, second.signal);
  assert.match(String(late.signal.reason), /the second/, 'also when it was over before');
});

test('periodic work waits between its rounds, ends with its signal, and rejects when it fails', async () => {
  const clock = createManualClock();
  const over = new AbortController();
  let rounds = 0;
  const running = every({ clock, firstMs: 5, ms: 10, signal: over.signal }, () => {
    rounds += 1;
  });
  for (const [ms, expected] of [
    [4, 0],
    [1, 1],
    [9, 1],
    [1, 2],
  ] as const) {
    await clock.advance(ms);
    assert.equal(rounds, expected);
  }
  over.abort();
  await running;
  const failing = every({ clock, ms: 10, signal: new AbortController().signal }, () => {
    throw new Error('broken');
  });
  await assert.rejects(failing, /broken/);
});

test('a backoff grows to its cap and no further', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), (attempt) => {
      const ms = backoffMs(attempt, { firstMs: 100, capMs: 30_000 });
      assert.ok(ms >= Math.min(30_000, 100 * 2 ** (attempt - 1)) / 2 && ms <= 30_000);
    }),
  );
});

test('a file is replaced as a whole and is for its owner alone', async (t) => {
  const path = join(tempFolder(t), 'f');
  await writeWhole(path, 'one');
  await writeWhole(path, 'two');
  assert.equal(readFileSync(path, 'utf8'), 'two');
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('a folder that cannot be made is reported', (t) => {
  const file = join(tempFolder(t), 'file');
  writeFileSync(file, '');
  assert.throws(() => ensureFolder(join(file, 'folder')), /cannot be made/);
});

test('a database that is damaged, newer, older or no file is refused with a message and left as it is', (t) => {
  const folder = tempFolder(t);
  const migrations = [{ name: 'one', up: 'CREATE TABLE a (x TEXT) STRICT' }];
  const damaged = join(folder, 'damaged.sqlite');
  writeFileSync(damaged, 'this is no database, and longer than a header'.repeat(10));
  const before = readFileSync(damaged, 'utf8');
  assert.throws(() => openSqlite({ path: damaged, migrations, clock: systemClock }), /cannot be used/);
  assert.equal(readFileSync(damaged, 'utf8'), before);

  const newer = join(folder, 'newer.sqlite');
  openSqlite({
    path: newer,
    migrations: [...migrations, { name: 'two', up: 'CREATE TABLE b (x TEXT) STRICT' }],
    clock: systemClock,
  }).close();
  const older = join(folder, 'older.sqlite');
  openSqlite({
    path: older,
    migrations: [{ name: 'before', up: 'CREATE TABLE a (x TEXT) STRICT' }],
    clock: systemClock,
  }).close();
  const asMade = readFileSync(older);
  assert.throws(() => openSqlite({ path: older, migrations, clock: systemClock }), {
    code: 'database_older',
    message: /made by a version of Parley before 0\.1/,
    hint: /another home folder/,
  });
  assert.deepEqual(readFileSync(older), asMade);
  assert.throws(
    () => openSqlite({ path: newer, migrations, clock: systemClock }),
    /schema version 2; this program knows 1/,
  );

  mkdirSync(join(folder, 'a-folder.sqlite'));
  assert.throws(
    () => openSqlite({ path: join(folder, 'a-folder.sqlite'), migrations, clock: systemClock }),
    /cannot be used/,
  );
});

test('a migration that fails leaves neither its changes nor its record', (t) => {
  const path = join(tempFolder(t), 'db.sqlite');
  const good = { name: 'good', up: 'CREATE TABLE a (x TEXT) STRICT' };
  const bad = { name: 'bad', up: 'CREATE TABLE b (x TEXT) STRICT; CREATE TABLE a (x TEXT) STRICT' };
  assert.throws(() => openSqlite({ path, migrations: [good, bad], clock: systemClock }), /already exists/);
  const database = openSqlite({ path, migrations: [good], clock: systemClock });
  t.after(() => database.close());
  assert.deepEqual(database.prepare('SELECT version, name FROM schema_migrations').all(), [
    { version: 1, name: 'good' },
  ]);
  assert.equal(database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'b'").get(), undefined);
});

test('only the abort of the given signal counts as one: a call that gave up on its own has failed', () => {
  const ended = new AbortController();
  const gaveUp = new DOMException('This operation was aborted', 'AbortError');
  assert.equal(isAbort(gaveUp, ended.signal), false);
  ended.abort(new Error('closing'));
  assert.equal(isAbort(gaveUp, ended.signal), true);
  assert.equal(isAbort(ended.signal.reason, ended.signal), true);
  assert.equal(isAbort(new Error('something else'), ended.signal), false);
});

test('in what JSON.stringify writes nothing is wrong, and a field that is written once more is found wherever it is', () => {
  const twice = (way: string): string => `expected ${JSON.stringify(way)} once, it is there twice`;
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), fc.jsonValue(), (value, name, other) => {
      const key = JSON.stringify(name);
      assert.equal(faultIn(JSON.stringify(value, null, 1)), undefined);
      const inner = `{${key} : ${JSON.stringify(value)},${JSON.stringify(`${name}x`)}:[1],${key}:${JSON.stringify(other)}}`;
      assert.equal(faultIn(inner), twice(name));
      assert.equal(faultIn(`[0, ${JSON.stringify(other)}, {"in": ${inner}}]`), twice(`2.in.${name}`));
    }),
  );
});

test('half of a surrogate pair is found wherever it is, written out or as an escape, and a whole pair is none', () => {
  const found = (way: string) => new RegExp(`^${way}: expected Unicode text`);
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('\ud83d', '\udc00', 'a\ud83d b'), (value, torn) => {
      const before = JSON.stringify({ before: [value, '🙂', 'a\\\\ud83d'] }).slice(0, -1);
      for (const text of [JSON.stringify(torn), `"${torn}"`]) {
        assert.match(faultIn(`${before},"of":[1,{"it":${text}}]}`) ?? '', found('of.1.it'));
        assert.match(faultIn(`${before},"of":{${text}:1}}`) ?? '', found('of.\ufffd|of.a\ufffd b'));
      }
      assert.equal(faultIn(`${before},"of":"\\ud83d\\ude42"}`), undefined);
    }),
  );
});

test('objects and lists may stand inside of each other for 100 levels', () => {
  const nested = (levels: number): string => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
  assert.equal(faultIn(nested(100)), undefined);
  assert.match(faultIn(nested(102)) ?? '', /at most 100 levels/);
});
