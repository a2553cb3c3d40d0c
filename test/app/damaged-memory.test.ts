// A memory file that is damaged, under the whole program: the bot answers without it, says so, and remembers afterwards what was written in the meantime.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { main } from '#app/main.ts';
import { found } from '../support/found.ts';
import { type House, openHouse, type Talk } from './house.ts';

const telegram: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const guest: Talk = { platform: 'telegram', chat: 'dm', user: 'guest' };

async function parley(house: House, ...words: string[]): Promise<{ code: number; out: string }> {
  let out = '';
  const print = (line: string): void => {
    out += `${line}\n`;
  };
  const file = join(house.folder, 'parley.config.json');
  const code = await main(
    [...words, '--config', file],
    { PARLEY_HOME: house.home },
    { out: print, err: print },
  );
  return { code, out: out.replace(/\s+/g, ' ') };
}

/** Overwrites pages in the middle of the closed file; the way back. */
function damage(path: string): () => void {
  const whole = readFileSync(path);
  const damaged = Buffer.from(whole);
  damaged.fill(0x5a, 8192, damaged.length - 4096);
  writeFileSync(path, damaged);
  return () => {
    for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    writeFileSync(path, whole);
  };
}

const notices = (house: House, talk: Talk): number =>
  house.answers(talk).filter(({ text }) => /I cannot open my memory and continue without it/.test(text))
    .length;

/** Without the line breaks that a path of any length can have at 80 columns. */
const squeezed = (text: string): string => text.replace(/\s+/g, '');

for (const [what, spoil] of [
  ['damaged in the middle', damage],
  [
    'no database any more',
    (path: string) => {
      const whole = readFileSync(path);
      writeFileSync(path, 'these are not the tables you look for, '.repeat(300));
      return () => writeFileSync(path, whole);
    },
  ],
] as const)
  test(`a memory that is ${what} does not stop the start: the bot answers, says it to its owners once, and loses nothing`, async (t) => {
    const house = await openHouse(t);
    await house.ready('telegram');
    await house.ask(telegram, 'My bicycle is green.');
    await house.ask(guest, 'My boat is red.');
    await house.parley.close();
    const path = join(house.home, 'memory.sqlite');
    const repair = spoil(path);
    const spoilt = readFileSync(path);
    await house.restart();
    await house.ready('telegram').catch(() => undefined);
    await found('the notice', () => (notices(house, telegram) > 0 ? true : undefined));
    const before = house.answers(telegram).length;
    await house.sandbox.telegram.say({ ...telegram, text: 'My xylophone is blue.' });
    await found('an answer without memory', () => house.answers(telegram)[before]);
    await house.sandbox.telegram.say({ ...telegram, text: '/status' });
    const told = await found('the words of /status', () => house.answers(telegram)[before + 1]?.text);
    assert.match(told.replace(/\s+/g, ' '), /telegram: .*memory\.sqlite.*restore a backup/);
    const status = await parley(house, 'status');
    assert.match(squeezed(status.out), /NOTREADY.*memory\.sqlite.*restoreabackup.*memorycannotbeused/);
    const doctor = await parley(house, 'doctor');
    assert.equal(doctor.code, 1);
    assert.match(squeezed(doctor.out), /memory\.sqlite.*(damaged|notadatabase).*restoreabackup/);
    await house.restart();
    await found('a start', () => (house.parley.gateway.status().length > 0 ? true : undefined));
    assert.deepEqual([notices(house, telegram), notices(house, guest)], [1, 0]);
    await house.parley.close();
    assert.ok(readFileSync(path).equals(spoilt), 'the damaged file was changed');
    repair();
    await house.restart();
    await house.ready('telegram');
    const count = (): number => {
      const file = new Database(path, { readonly: true });
      try {
        return file
          .prepare<[], number>("SELECT count(*) FROM global_memory_chunks WHERE content LIKE '%xylophone%'")
          .pluck()
          .get() as number; // a count is always there
      } finally {
        file.close();
      }
    };
    await found('what was written in the meantime in memory', () => (count() === 1 ? true : undefined));
    assert.doesNotMatch((await parley(house, 'status')).out, /cannot be used/);
    assert.equal(notices(house, telegram), 1);
  });

test('a memory that is damaged while running is reported to the owners once, and for as long as it lasts in the status', async (t) => {
  const house = await openHouse(t);
  await house.ready('telegram');
  for (let at = 0; at < 6; at += 1) await house.ask(telegram, `Entry ${at} is ${'word '.repeat(40)}.`);
  const path = join(house.home, 'memory.sqlite');
  const other = new Database(path);
  other.pragma('user_version = 7'); // so that the program reads its pages again
  other.pragma('wal_checkpoint(TRUNCATE)');
  const whole = readFileSync(path);
  other.close();
  const damaged = Buffer.from(whole);
  damaged.fill(0x5a, 4096);
  writeFileSync(path, damaged);
  for (const text of ['Which entry is the third?', 'And which is the fourth?']) {
    const before = house.answers(telegram).length;
    await house.sandbox.telegram.say({ ...telegram, text });
    await found('an answer', () => house.answers(telegram)[before]);
  }
  await found('the notice', () => (notices(house, telegram) > 0 ? true : undefined));
  const status = await parley(house, 'status');
  assert.match(squeezed(status.out), /NOTREADY.*memory\.sqlite/);
  assert.equal(notices(house, telegram), 1);
});
