// What can be wrong with a MEMORY.md, its disk and the clock, under the whole program: status and doctor say it, the chat continues, nothing is lost.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { type Disk, smallDisk } from '../support/disk.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type House, openHouse, type Talk } from './house.ts';
import { callWith } from './terminal.ts';

const talk: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const lasting = '# House\n\nThe cellar key hangs behind the clock.\n';
const nobody = 65_534;

interface Case {
  house: House;
  /** The MEMORY.md of the person who writes. */
  path: string;
  disk: Disk | undefined;
  setClock(aheadMs: number): void;
}

interface Row {
  /** Makes it wrong, and returns the way to make it right again. */
  spoil(at: Case): (() => void) | Promise<() => void>;
  status: RegExp;
  /** Undefined where nothing is wrong any more. */
  doctor: RegExp | undefined;
  disk?: 'small';
}

/** Another file in the place of a MEMORY.md. */
const holding =
  (bytes: string | Buffer) =>
  ({ path }: Case): (() => void) => {
    writeFileSync(path, bytes);
    return () => writeFileSync(path, lasting, { mode: 0o600 });
  };
const fixIt = 'Fix it: until then it is neither shown nor found\\.';

test('a MEMORY.md that has 50 MB stops no chat, and status and doctor say so', (t) =>
  play(t, {
    spoil: holding(Buffer.alloc(50 * 1024 * 1024, 'a')),
    status: /MEMORY\.md has 52428800 bytes, and at most 4194304 are read: split it/,
    doctor: new RegExp(`MEMORY\\.md has 52428800 bytes, .*${fixIt}`),
  }));

test('a MEMORY.md that has NUL bytes stops no chat, and status and doctor say so', (t) =>
  play(t, {
    spoil: holding('One\u0000two\n'),
    status: /MEMORY\.md has NUL bytes, so it is no text/,
    doctor: new RegExp(`MEMORY\\.md has NUL bytes, .*${fixIt}`),
  }));

test('a MEMORY.md that may not be read stops no chat, and status and doctor say so', (t) =>
  process.getuid?.() === 0
    ? asNobody(t)
    : play(t, {
        spoil({ path }) {
          chmodSync(path, 0);
          return () => chmodSync(path, 0o600);
        },
        status: /MEMORY\.md cannot be read: this user has no permission/,
        doctor: new RegExp(`MEMORY\\.md cannot be read: this user has no permission.*${fixIt}`),
      }));

test('a MEMORY.md that is a folder stops no chat, and status and doctor say so', (t) =>
  play(t, {
    spoil({ path }) {
      rmSync(path);
      mkdirSync(path);
      return () => {
        rmSync(path, { recursive: true });
        writeFileSync(path, lasting, { mode: 0o600 });
      };
    },
    status: /MEMORY\.md is a folder, and a file was expected/,
    doctor: new RegExp(`MEMORY\\.md is a folder, .*${fixIt}`),
  }));

test('a MEMORY.md that is deleted while it is read stops no chat, and status and doctor say so', (t) =>
  play(t, {
    async spoil({ house, path }) {
      writeFileSync(path, lasting.repeat(50_000));
      const reading = house.ask(talk, 'What is the cellar like?');
      rmSync(path);
      await reading;
      return () => writeFileSync(path, lasting, { mode: 0o600 });
    },
    status: /files +1 with 1 passage/,
    doctor: undefined,
  }));

test('a MEMORY.md that is on a full disk stops no chat, and status and doctor say so', (t) =>
  play(t, {
    disk: 'small',
    async spoil({ house, path, disk }) {
      disk?.fill();
      const before = readFileSync(path, 'utf8');
      const long = `/memory note ${'The pier is long. '.repeat(200)}`;
      assert.match(
        await house.ask(talk, long),
        /could not write that down, since my files cannot be written/,
      );
      assert.equal(readFileSync(path, 'utf8'), before);
      return () => disk?.free();
    },
    status: /the disk is full, with 0 bytes free: nothing more may be noted or promoted/,
    doctor: /Memory files: the disk is full, .*Free some space\. .* no line of them is lost\./,
  }));

test('a MEMORY.md that was written before the clock was set back stops no chat, and status and doctor say so', (t) =>
  play(t, {
    async spoil({ house, path, setClock }) {
      const ahead = 48 * 3600 * 1000;
      setClock(ahead);
      await house.ask(talk, '/memory note The pier is closed.');
      utimesSync(path, new Date(), new Date(Date.now() + ahead));
      setClock(0);
      return () => utimesSync(path, new Date(), new Date());
    },
    status: /MEMORY\.md has a time up to 48 hours after now: the clock was set/,
    doctor:
      /Memory files: .*MEMORY\.md has a time up to 48 hours after now.*Set the clock, best automatically/,
  }));

/** Root reads every file, so that this test runs again as a user who does not. */
function asNobody(t: TestContext): void {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--test', '--test-name-pattern=may not be read', import.meta.filename],
    { uid: nobody, gid: nobody, encoding: 'utf8', env: { HOME: tempFolder(t), PATH: process.env.PATH } },
  );
  if (status !== 0 && /EACCES/.test(stdout)) {
    t.skip('another user may not read this folder');
    return;
  }
  assert.equal(status, 0, stdout);
  assert.match(stdout, /pass 1\b/);
}

/** A line may end anywhere in a long path. */
const unspaced = ({ source }: RegExp): RegExp => new RegExp(source.replaceAll(' ', ''));

async function play(t: TestContext, row: Row): Promise<void> {
  const home = tempFolder(t);
  const disk = row.disk === undefined ? undefined : smallDisk(t, 2);
  if (row.disk !== undefined && disk === undefined) return;
  if (disk !== undefined) symlinkSync(disk.path, join(home, 'memory'));
  let ahead = 0;
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  const house = await openHouse(t, { config: { home }, clock });
  await house.ready('telegram');
  await house.ask(talk, '/memory note The boat is laid up until May.');
  const root = join(home, 'memory');
  const folder = readdirSync(root).find((name) => name.startsWith('person-')) ?? '';
  const path = join(root, folder, 'MEMORY.md');
  writeFileSync(path, lasting, { mode: 0o600 });
  assert.match(await house.ask(talk, 'Where does the cellar key hang?'), /behind the clock/);

  const restore = await row.spoil({
    ...{ house, path, disk },
    setClock(ms) {
      ahead = ms;
    },
  });
  assert.match(await house.ask(talk, 'Until when is the boat laid up?'), /until May/);
  const say = async (...words: string[]): Promise<string> => {
    const { out, err } = await callWith(join(house.folder, 'parley.config.json'), words);
    for (const line of out.split('\n')) assert.ok(line.length <= 80, line);
    return (out + err).replace(/\s+/g, '');
  };
  await say('memory', 'index');
  assert.match(await say('memory', 'status'), unspaced(row.status));
  assert.match(await say('status'), unspaced(row.status));
  const doctor = await say('doctor');
  if (row.doctor !== undefined) assert.match(doctor, unspaced(row.doctor));
  else assert.doesNotMatch(doctor, /MEMORY\.md|Memoryfiles/);

  restore();
  await say('memory', 'index');
  assert.match(await house.ask(talk, 'Where does the cellar key hang now?'), /behind the clock/);
  assert.match(await house.ask(talk, 'Until when is the boat laid up again?'), /until May/);
  assert.doesNotMatch(await say('doctor'), /MEMORY\.md|Memoryfiles/);
}
