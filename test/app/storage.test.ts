// Disks and databases that refuse, for real, under the whole program: said, nothing lost, no file wiped.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import type { ParleyError } from '#base/errors.ts';
import { failingDisk, smallDisk } from '../support/disk.ts';
import { found } from '../support/found.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type House, openHouse, type Talk } from './house.ts';

const files = ['gateway.sqlite', 'engine.sqlite', 'memory.sqlite'] as const;
const telegram: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const slack: Talk = { platform: 'slack', chat: 'dm', user: 'you' };
const discord: Talk = { platform: 'discord', chat: 'dm', user: 'you' };
const all = [telegram, slack, discord];

const houseIn = (t: TestContext, home: string): Promise<House> => openHouse(t, { config: { home } });

async function say({ sandbox }: House, { platform, chat, user }: Talk, text: string): Promise<void> {
  await sandbox[platform].say({ chat, user, text });
}

/** Waits until every channel's status reports this problem. */
async function untilProblem({ parley }: House, pattern: RegExp): Promise<void> {
  await found(`problem like ${pattern}`, () => {
    const status = parley.gateway.status();
    return status.every(({ problem }) => pattern.test(problem ?? '')) ? true : undefined;
  });
}

/** What the bot said, except that its memory is damaged, which it tells its owners unasked. */
const answered = (house: House, talk: Talk) =>
  house
    .answers(talk)
    .filter(({ text }) => !text.startsWith('⚠️ I cannot open my memory and continue without it'));

/** Waits until nothing is left to do and everyone has an answer to what they said last, then counts. */
async function answeredOnce(house: House, talks: readonly Talk[], before: readonly number[]): Promise<void> {
  await found('the answers', () => {
    const settled = house.parley.gateway
      .status()
      .every((status) => status.inboxBacklog + status.outboxBacklog === 0);
    return settled && talks.every((talk, at) => answered(house, talk).length > (before[at] ?? 0))
      ? true
      : undefined;
  });
  assert.deepEqual(
    talks.map((talk) => answered(house, talk).length),
    before.map((count) => count + 1),
    JSON.stringify(talks.map((talk, at) => answered(house, talk).slice(before[at]))),
  );
}

async function health({ parley }: House): Promise<unknown> {
  const { healthy, ready } = (await (await fetch(`${parley.url}/global/health`)).json()) as {
    healthy: boolean;
    ready: boolean;
  };
  return { healthy, ready };
}

/** Another process that writes to the database and does not come to an end; resolves with the way to end it. */
async function lockedElsewhere(
  t: TestContext,
  path: string,
  how = 'BEGIN IMMEDIATE',
): Promise<() => Promise<void>> {
  const script = `const { DatabaseSync } = require('node:sqlite');
    const file = new DatabaseSync(process.argv[1], { timeout: 10_000 }); // the program may be writing just then
    file.exec(process.argv[2]);
    console.log('locked');
    process.stdin.on('end', () => process.exit()).resume();`;
  const other = spawn(process.execPath, ['-e', script, path, how], { stdio: ['pipe', 'pipe', 'ignore'] });
  t.after(() => other.kill('SIGKILL'));
  const ended = once(other, 'exit');
  await once(other.stdout, 'data');
  return async () => {
    other.stdin.end();
    await ended;
  };
}

/** Puts all of the database into its one file, and returns that. */
function emptiedLog(path: string): Buffer {
  const other = new Database(path);
  other.pragma('user_version = 7'); // so that the program reads again what it has in its cache
  other.pragma('wal_checkpoint(TRUNCATE)');
  const bytes = readFileSync(path);
  other.close();
  return bytes;
}

/** Overwrites every page but the first; what the file holds then. */
function damage(path: string, bytes: Buffer): Buffer {
  const damaged = Buffer.from(bytes);
  damaged.fill(0x5a, 4096);
  writeFileSync(path, damaged);
  return damaged;
}

const databasesIn = (home: string): string[] => readdirSync(home).filter((name) => name.endsWith('.sqlite'));

type Spoil = (t: TestContext, path: string) => Promise<() => Promise<void>>;

const overwriting =
  (change: (bytes: Buffer) => void): Spoil =>
  async (_, path) => {
    const whole = readFileSync(path);
    const spoilt = Buffer.from(whole);
    change(spoilt);
    writeFileSync(path, spoilt);
    return async () => writeFileSync(path, whole);
  };

const spoils: readonly [what: string, spoil: Spoil, words: RegExp][] = [
  [
    'held by another process',
    (t, path) => lockedElsewhere(t, path, 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE'),
    /locked.*Another process holds it/,
  ],
  [
    'with a damaged header',
    overwriting((bytes) => bytes.fill(0x5a, 0, 100)),
    /not a database.*restore a backup/,
  ],
  [
    'damaged in the middle',
    overwriting((bytes) => {
      const page = Math.floor(bytes.length / 8192) * 4096;
      bytes.fill(0x5a, page, page + 3 * 4096);
    }),
    /(damaged|malformed).*restore a backup/,
  ],
];

// They wait much, each for its own house and disk, and so side by side.
describe('disks and databases that refuse', { concurrency: 4 }, () => {
  for (const file of files) {
    test(`a full disk under ${file}, while running: said with its hint, and everyone is answered once when there is space`, async (t) => {
      const disk = smallDisk(t, 8);
      if (disk === undefined) return;
      const home = tempFolder(t);
      symlinkSync(join(disk.path, file), join(home, file));
      const house = await houseIn(t, home);
      await house.ready('discord', 'telegram', 'slack');
      await house.ask(telegram, 'My bicycle is green.');
      const before = all.map((talk) => house.answers(talk).length);
      disk.fill();
      for (const talk of all) await say(house, talk, 'What colour is my bicycle?');
      await untilProblem(house, new RegExp(`${file} cannot be used: .*full.* free some space`, 'i'));
      assert.deepEqual(await health(house), { healthy: true, ready: false });
      if (file === 'gateway.sqlite')
        assert.deepEqual(
          all.map((talk) => house.answers(talk).length),
          before,
        );
      disk.free();
      await answeredOnce(house, all, before);
      for (const talk of all) assert.match(house.answers(talk).at(-1)?.text ?? '', /green/);
      await found('ready again', () =>
        house.parley.gateway
          .status()
          .every(({ problem, state }) => problem === undefined && state === 'ready')
          ? true
          : undefined,
      );
      for (const { lastError } of house.parley.gateway.status()) assert.match(lastError?.words ?? '', /full/);
    });

    test(`${file} locked by another process, while running: said with its hint, and answered once when it is free`, async (t) => {
      const house = await houseIn(t, tempFolder(t));
      await house.ready('telegram', 'slack');
      await house.ask(telegram, 'My bicycle is green.');
      const release = await lockedElsewhere(t, join(house.home, file));
      const before = [telegram, slack].map((talk) => house.answers(talk).length);
      for (const talk of [telegram, slack]) await say(house, talk, 'What colour is my bicycle?');
      await untilProblem(house, new RegExp(`${file} cannot be used: .*locked.*Another process holds it`));
      await release();
      await answeredOnce(house, [telegram, slack], before);
    });

    test(`${file} damaged while running: said with its hint, left unchanged, and what was accepted is answered from a backup`, async (t) => {
      const house = await houseIn(t, tempFolder(t));
      await house.ready('telegram');
      for (let at = 0; at < 6; at += 1) await house.ask(telegram, `Entry ${at} is ${'word '.repeat(40)}.`);
      const before = [answered(house, telegram).length];
      const path = join(house.home, file);
      const backup = emptiedLog(path);
      const damaged = damage(path, backup);
      await say(house, telegram, 'Which entry is the third?');
      await untilProblem(
        house,
        new RegExp(`${file}.* cannot be used: .*(malformed|corrupt).*restore a backup`, 's'),
      );
      assert.ok(readFileSync(path).equals(damaged), 'the file was changed');
      // Memory is only missed, so this answer is on its way: one that the end cuts off would rightly come again, with its label.
      if (file === 'memory.sqlite')
        await found('the answer', () =>
          answered(house, telegram).length > (before[0] ?? 0) ? true : undefined,
        );
      await house.parley.close();
      for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
      writeFileSync(path, backup);
      await house.restart();
      await answeredOnce(house, [telegram], before);
    });

    test(`${file} that cannot be used at start`, async (t) => {
      const house = await houseIn(t, tempFolder(t));
      await house.ready('telegram');
      for (let at = 0; at < 4; at += 1) await house.ask(telegram, `Entry ${at} is ${'word '.repeat(40)}.`);
      // a bot starts without a memory that is damaged: see damaged-memory.test.ts
      const stopping = file === 'memory.sqlite' ? spoils.slice(0, 1) : spoils;
      for (const [what, spoil, words] of stopping)
        await t.test(
          `${file} ${what} at start: refused in words with a hint, and left as it is`,
          async (t) => {
            await house.parley.close();
            const undo = await spoil(t, join(house.home, file));
            const [names, bytes] = [databasesIn(house.home), readFileSync(join(house.home, file))];
            await assert.rejects(house.restart(), (error: ParleyError) => {
              assert.match(`${error.message} ${error.hint}`, new RegExp(`${file}.*(${words.source})`, 's'));
              return true;
            });
            assert.deepEqual(databasesIn(house.home), names);
            assert.ok(readFileSync(join(house.home, file)).equals(bytes), 'the file was changed');
            await undo();
            await house.restart();
            await house.ready('telegram');
            assert.match(await house.ask(telegram, 'Which entry is the third?'), /./);
          },
        );
    });
  }

  for (const file of files) {
    test(`${file} on a read-only disk, at start: refused in words with a hint, and used again when it may be written`, async (t) => {
      const disk = smallDisk(t, 8);
      if (disk === undefined) return;
      const home = tempFolder(t);
      symlinkSync(join(disk.path, file), join(home, file));
      const house = await houseIn(t, home);
      await house.ready('telegram');
      await house.ask(telegram, 'My bicycle is green.');
      await house.parley.close();
      disk.access('ro');
      await assert.rejects(house.restart(), (error: ParleyError) => {
        assert.match(
          `${error.message} ${error.hint}`,
          new RegExp(`${file}.*write access to the home folder`, 's'),
        );
        return true;
      });
      disk.access('rw');
      await house.restart();
      await house.ready('telegram');
      assert.match(await house.ask(telegram, 'What colour is my bicycle?'), /green/);
    });
  }

  test('a read-only home folder is refused at start with a hint', async (t) => {
    const disk = smallDisk(t, 8);
    if (disk === undefined) return;
    disk.access('ro');
    await assert.rejects(houseIn(t, disk.path), (error: ParleyError) => {
      assert.match(`${error.message} ${error.hint}`, /home folder.*readonly|read-only|unable to open/s);
      assert.match(error.hint ?? '', /write access to the home folder/);
      return true;
    });
  });

  test('a disk that becomes read-only while running: said with its hint, and everyone is answered once after it is fixed', async (t) => {
    const disk = failingDisk(t);
    if (disk === undefined) return;
    const house = await houseIn(t, disk.path);
    await house.ready('discord', 'telegram', 'slack');
    // Discord reports after a restart what was missed in chats that are known, and has no list of direct messages
    for (const talk of all) await house.ask(talk, 'My bicycle is green.');
    const before = all.map((talk) => house.answers(talk).length);
    disk.fail();
    for (const talk of all) await say(house, talk, 'What colour is my bicycle?');
    await untilProblem(house, /gateway\.sqlite cannot be used: .*(write access|refused to read or write)/);
    assert.deepEqual(await health(house), { healthy: true, ready: false });
    assert.deepEqual(
      all.map((talk) => house.answers(talk).length),
      before,
    );
    await house.parley.close();
    disk.repair();
    await house.restart();
    await answeredOnce(house, all, before);
  });
});
