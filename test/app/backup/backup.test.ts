// `parley backup` and `parley restore` as their owner calls them: out next to a running program, back only where none runs.
import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { restoreBackup } from '#app/backup/restore.ts';
import { writeBackup } from '#app/backup/write.ts';
import { unfinishedRestore } from '#app/home/home-lock.ts';
import { systemClock } from '#base/clock.ts';
import { found } from '../../support/found.ts';
import { openHouse } from '../house.ts';
import { openTerminal } from '../terminal.ts';

const discord = { platform: 'discord', chat: 'dm', user: 'you' } as const;
const telegram = { platform: 'telegram', chat: 'dm', user: 'you' } as const;

/** A home folder in which something was written, and the way to call commands on it. */
async function spokenTo(t: TestContext) {
  const terminal = openTerminal(t);
  assert.match((await terminal.call('sessions', 'list')).out, /no session/i); // makes engine and memory
  const { home } = terminal;
  mkdirSync(join(home, 'channel_uploads', '.content'), { recursive: true });
  mkdirSync(join(home, 'channel_uploads', 'slack', 'C1'), { recursive: true });
  const content = join(home, 'channel_uploads', '.content', 'ab');
  writeFileSync(content, 'what was sent');
  linkSync(content, join(home, 'channel_uploads', 'slack', 'C1', '20260102T030405Z_note.txt'));
  return { ...terminal, backups: join(terminal.folder, 'backups') };
}

test('what was written before a backup of a running house is there after its restore, in the chat and in memory', async (t) => {
  const house = await openHouse(t);
  await house.ready('discord', 'telegram');
  await house.ask(discord, 'My bicycle is green.');
  const runs = join(house.home, 'context_runs');
  mkdirSync(runs, { recursive: true });
  await found('the files of the run, which follow it', () =>
    readdirSync(runs, { recursive: true, encoding: 'utf8' }).some(
      (name) =>
        name.endsWith('run_state.json') &&
        /"finished_at_ms":\s*\d/.test(readFileSync(join(runs, name), 'utf8')),
    )
      ? true
      : undefined,
  );
  const folder = join(house.folder, 'backup');
  const made = await writeBackup({ home: house.home, folder, clock: systemClock });
  assert.deepEqual(
    made.ledgers.map(({ name }) => name),
    ['gateway.sqlite', 'engine.sqlite', 'memory.sqlite'],
  );
  assert.ok(made.files.some(({ path }) => /^context_runs\/run_\w+\/events\.jsonl$/.test(path)));
  await house.ask(telegram, 'My boat is red.'); // Telegram keeps no history from which a bot could take it in again
  const restored = { home: house.home, folder, over: 'replace', clock: systemClock } as const;
  await assert.rejects(restoreBackup(restored), { code: 'home_in_use' });
  await house.parley.close();
  const { replaced } = await restoreBackup(restored);
  assert.deepEqual(
    readdirSync(replaced ?? '')
      .filter((name) => name.endsWith('.sqlite'))
      .sort(),
    ['engine.sqlite', 'gateway.sqlite', 'memory.sqlite'],
  );
  await house.restart();
  await house.ready('discord', 'telegram');
  assert.match(await house.ask(telegram, 'What colour is my bicycle?'), /green/);
  assert.doesNotMatch(await house.ask(telegram, 'What colour is my boat?'), /red/);
  assert.equal(house.answers(discord).length, 1, 'what was answered before the backup is not answered again');
});

test('a backup holds one moment of all three ledgers, whatever is written while it is made', async (t) => {
  const { home, backups } = await spokenTo(t);
  // a gateway that hands over to an engine, which hands over to a memory: each has its row before the next
  const chain = ['gateway', 'engine', 'memory'].map((name) => {
    const database = new Database(join(home, `${name}.sqlite`));
    t.after(() => database.close());
    database.pragma('journal_mode = WAL');
    database.exec(
      'CREATE TABLE IF NOT EXISTS schema_migrations (version INTEGER); CREATE TABLE handed (n INTEGER, filler BLOB)',
    );
    return database;
  });
  const inserts = chain.map((each) => each.prepare('INSERT INTO handed VALUES (?, randomblob(2000))'));
  let n = 0;
  const handOver = (): void => {
    n += 1;
    for (const insert of inserts.toReversed()) insert.run(n); // the receiver has it when the giver notes so
  };
  while (n < 2000) handOver();
  let during = 0;
  await writeBackup({
    home,
    folder: backups,
    clock: systemClock,
    onProgress() {
      during += 1;
      handOver();
    },
  });
  assert.ok(during > 10, `${during} hand-overs while it was made`);
  const counts = ['gateway', 'engine', 'memory'].map((name) => {
    const database = new Database(join(backups, `${name}.sqlite`), { readonly: true });
    const [row] = database.prepare<[], { n: number }>('SELECT max(n) AS n FROM handed').all();
    database.close();
    return row?.n ?? 0;
  });
  assert.ok(
    counts.every((each) => each >= 2000 && each === counts[0]),
    counts.join(' '),
  );
});

test('a backup goes next to the home folder into an empty one, is for its owner alone, and leaves nothing when it fails', async (t) => {
  const { call, home, backups, folder } = await spokenTo(t);
  const inside = await call('backup', join(home, 'backup'));
  assert.equal(inside.code, 2);
  assert.match(
    inside.err,
    /^parley: The backup would be inside the home folder .*\nName a folder somewhere else/,
  );
  const done = await call('backup', backups);
  assert.equal(done.code, 0, done.err);
  assert.match(done.out, /^2 databases and 2 files \(.*\) of .*home\nare in .*backups, and verified\.$/m);
  for (const name of readdirSync(backups, { recursive: true, encoding: 'utf8' }))
    assert.equal(statSync(join(backups, name)).mode & 0o077, 0, `${name} is for its owner alone`);
  assert.ok(!existsSync(join(backups, 'token')) && !existsSync(join(backups, 'lock.sqlite')));
  const again = await call('backup', backups);
  assert.match(again.err, /holds a backup already; nothing is written over\.\nName a folder/);
  writeFileSync(join(home, 'memory.sqlite'), 'this is no database, and never was');
  const broken = await call('backup', join(folder, 'second'));
  assert.equal(broken.code, 1);
  assert.match(broken.err, /^parley: The database .*memory\.sqlite cannot be used: .*\nThe file is damaged/);
  assert.deepEqual(readdirSync(join(folder, 'second')), []);
  const empty = openTerminal(t);
  assert.match((await empty.call('backup', backups)).err, /^parley: There is no database in /);
  for (const words of [['backup'], ['restore'], ['backup', 'a', 'b']])
    assert.equal((await call(...words)).code, 2, words.join(' '));
});

test('a backup has no token, no secret and no config, wherever they lie in the home folder', async (t) => {
  const { call, home, backups } = await spokenTo(t);
  const word = 'xoxb-zebra-7431';
  for (const name of ['token', '.env', 'parley.config.json', 'lock.sqlite.key'])
    writeFileSync(join(home, name), `SLACK_BOT_TOKEN=${word}\n`, { mode: 0o600 });
  const done = await call('backup', backups);
  assert.equal(done.code, 0, done.err);
  const files = readdirSync(backups, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(backups, name)).isFile(),
  );
  assert.ok(files.includes('memory.sqlite'), files.join());
  assert.deepEqual(
    files.filter((name) => readFileSync(join(backups, name)).includes(word)),
    [],
  );
});

test('a restore verifies the backup before it touches anything, and keeps what it replaces', async (t) => {
  const { call, home, backups } = await spokenTo(t);
  await call('backup', backups);
  const before = readFileSync(join(home, 'engine.sqlite'));
  const refused = await call('restore', backups);
  assert.equal(refused.code, 1);
  const read: unknown[] = [];
  const onProgress = (progress: unknown): void => void read.push(progress);
  const options = { home, folder: backups, clock: systemClock, onProgress };
  await assert.rejects(restoreBackup({ ...options, over: 'refuse' }), { code: 'home_not_empty' });
  assert.deepEqual(read, [], 'nothing of the backup was read before it was refused');
  assert.match(
    refused.err,
    /^parley: The home folder .* is not empty \(.*engine\.sqlite.*\)\.\nWith --replace/,
  );
  const note = join(backups, 'channel_uploads', 'slack', 'C1', '20260102T030405Z_note.txt');
  const damages: [() => unknown, RegExp][] = [
    [() => appendFileSync(note, '!'), /\.content\/ab is damaged: it has 14 bytes, not 13\./],
    [() => writeFileSync(note, 'what was SENT'), /is damaged: it is not what was written\./],
    [
      () => rmSync(join(backups, 'channel_uploads'), { recursive: true }),
      /\.content\/ab is damaged: it is missing\./,
    ],
    [() => rmSync(join(backups, 'manifest.json')), /is no whole backup: it has no manifest\.json\./],
    [
      () =>
        writeFileSync(
          join(backups, 'manifest.json'),
          JSON.stringify({ format: 1, program: '1', atMs: 0, ledgers: [], files: [{ path: '../x/y' }] }),
        ),
      /manifest\.json cannot be read/,
    ],
  ];
  for (const [spoil, words] of damages) {
    spoil();
    const { code, err } = await call('restore', backups, '--replace');
    assert.equal(code, 1);
    assert.match(err, words);
    assert.deepEqual(readFileSync(join(home, 'engine.sqlite')), before);
  }
  assert.deepEqual(
    readdirSync(home).filter((name) => /^replaced|^\.restore/.test(name)),
    [],
  );
});

test('what a restore brings is whole: each content once, a plain database, what was there next to it', async (t) => {
  const { call, home, backups } = await spokenTo(t);
  await call('backup', backups);
  writeFileSync(join(home, 'channel_uploads', 'slack', 'C1', 'later.txt'), 'later');
  writeFileSync(join(home, 'engine.sqlite-wal'), '');
  const done = await call('restore', backups, '--replace');
  assert.equal(done.code, 0, done.err);
  assert.match(done.out, /is as it was at \d{4}-.* UTC: 2 databases and 2 files/);
  const [replaced = ''] = readdirSync(home).filter((name) => /^replaced-\d{8}T\d{6}Z$/.test(name));
  assert.ok(existsSync(join(home, replaced, 'engine.sqlite-wal')));
  assert.equal(readFileSync(join(home, replaced, 'channel_uploads/slack/C1/later.txt'), 'utf8'), 'later');
  const uploads = join(home, 'channel_uploads');
  assert.deepEqual(readdirSync(join(uploads, 'slack', 'C1')), ['20260102T030405Z_note.txt']);
  assert.equal(statSync(join(uploads, '.content', 'ab')).nlink, 2);
  assert.match((await call('sessions', 'list')).out, /no session/i);
  const somewhereElse = openTerminal(t);
  const moved = await somewhereElse.call('restore', backups, '--json');
  assert.deepEqual(
    { ...JSON.parse(moved.out), atMs: 0, bytes: 0, program: '' },
    {
      home: somewhereElse.home,
      replaced: null,
      forgottenAgain: 0,
      atMs: 0,
      program: '',
      ledgers: ['engine.sqlite', 'memory.sqlite'],
      files: 2,
      bytes: 0,
    },
  );
});

test('a home folder in which a restore was cut off is not started, and a second restore repairs it', async (t) => {
  const { call, home, backups } = await spokenTo(t);
  await call('backup', backups);
  writeFileSync(join(home, unfinishedRestore), `${backups}\n`);
  rmSync(join(home, 'engine.sqlite'));
  const refused = await call('sessions', 'list');
  assert.equal(refused.code, 1);
  assert.match(
    refused.err,
    /^parley: A restore into .* was cut off\.\nRun "parley restore .*backups --replace" again/,
  );
  assert.ok(!existsSync(join(home, 'engine.sqlite')), 'nothing is begun there');
  assert.equal((await call('restore', backups, '--replace')).code, 0);
  assert.match((await call('sessions', 'list')).out, /no session/i);
});

test('prune shows with --dry-run what goes by the retention of uploads and of runs, and deletes it without', async (t) => {
  const { call, home } = openTerminal(t, { uploads: { retentionDays: 1 }, runs: { maxCount: 1 } });
  for (const run of ['run_1', 'run_2']) mkdirSync(join(home, 'context_runs', run), { recursive: true });
  const place = join(home, 'channel_uploads', 'slack', 'C1');
  mkdirSync(place, { recursive: true });
  const old = join(place, '20200102T030405Z_note.txt');
  writeFileSync(old, 'old');
  utimesSync(old, 1, 1);
  const shown = await call('prune', '--dry-run');
  assert.match(shown.out, /^Would delete 1 file .* older than 1 day from .*channel_uploads\.$/m);
  assert.match(shown.out, /^Would delete the files of 1 run/m);
  assert.ok(existsSync(old) && existsSync(join(home, 'context_runs', 'run_1')));
  assert.equal((await call('prune')).code, 0);
  assert.ok(!existsSync(old) && !existsSync(join(home, 'context_runs', 'run_1')));
  assert.ok(existsSync(join(home, 'context_runs', 'run_2')));
});
