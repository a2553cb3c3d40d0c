// Retention of uploads: what is old goes, with its content when nobody else has it, and nothing else does.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deleteFiles, oldFiles } from '#adapters/uploads/prune.ts';
import { runUploadRetention } from '#adapters/uploads/retention.ts';
import { createUploadStore } from '#adapters/uploads/store.ts';
import { createManualClock, settle } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { pdf, png } from './samples.ts';

const dayMs = 24 * 3600_000;
const now = Date.UTC(2026, 5, 15);

/** A folder with a content that is shared by two ages, one of its own, and something that is not ours. */
async function filled(t: TestContext, home = tempFolder(t)) {
  const folder = join(home, 'channel_uploads');
  const store = createUploadStore({ folder, limitBytes: 1_000_000 });
  const save = async (bytes: Uint8Array, place: string, days: number): Promise<string> => {
    const at = now - days * dayMs;
    const incoming = { channel: 'slack', place, at, name: 'a.bin' };
    const stream = new Blob([new Uint8Array(bytes)]).stream();
    const { path } = await store.save(stream, incoming, new AbortController().signal);
    utimesSync(join(folder, path), at / 1000, at / 1000);
    return path;
  };
  const old = await save(pdf, 'C1', 40);
  const single = await save(png(), 'C2', 31);
  const young = await save(Buffer.from('young'), 'C1', 29);
  const shared = await save(pdf, 'C3', 1);
  utimesSync(join(folder, old), (now - 40 * dayMs) / 1000, (now - 40 * dayMs) / 1000);
  writeFileSync(join(folder, 'slack', 'C1', 'notes.txt'), 'mine');
  return { home, folder, old, single, young, shared };
}

test('files beyond the retention are found, deleted with their content, and everything else stays (T39)', async (t) => {
  const { folder, old, single, young, shared } = await filled(t);
  const found = await oldFiles(folder, { days: 30, now });
  assert.deepEqual(
    found.map(({ path }) => path),
    [old, single],
  );
  assert.deepEqual(
    found.map(({ bytes }) => bytes),
    [pdf.length, png().length],
  );
  assert.ok(existsSync(join(folder, old)), 'looking changes nothing');
  await deleteFiles(folder, found);
  assert.deepEqual(
    [old, single, young, shared].map((path) => existsSync(join(folder, path))),
    [false, false, true, true],
  );
  assert.ok(existsSync(join(folder, 'slack', 'C1', 'notes.txt')), 'what the store did not name stays');
  assert.ok(!existsSync(join(folder, 'slack', 'C2')), 'an empty folder goes');
  assert.equal(readdirSync(join(folder, '.content')).length, 2, 'the shared content and the young one');
  assert.equal(statSync(join(folder, shared)).nlink, 2);
});

test('old files come oldest first, those of one moment by their path; one of exactly that age is old', async (t) => {
  const folder = tempFolder(t);
  const put = (path: string, at: number): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), 'x');
    utimesSync(join(folder, path), at / 1000, at / 1000);
  };
  const name = (at: number): string => `${new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')}_a`;
  const [first, second] = [now - 31 * dayMs, now - 30 * dayMs];
  for (const place of ['b', 'a', 'c']) put(`slack/${place}/${name(second)}`, second);
  put(`slack/z/${name(first)}`, first);
  put(`slack/y/${name(second + 1_000)}`, second + 1_000);
  put(`.content/x/${name(first)}`, first);
  put('slack/x/notes', first);
  const found = await oldFiles(folder, { days: 30, now });
  assert.deepEqual(
    found.map(({ path, at }) => [path.split('/')[1], at]),
    [
      ['z', first],
      ['a', second],
      ['b', second],
      ['c', second],
    ],
  );
  assert.deepEqual(await oldFiles(join(folder, 'nowhere'), { days: 30, now }), []);
  await assert.rejects(oldFiles(join(folder, 'slack', 'x', 'notes'), { days: 30, now }), { code: 'ENOTDIR' });
});

test('what cannot be deleted is an error, and what is gone already is none', async (t) => {
  const { folder, old } = await filled(t);
  await deleteFiles(folder, [{ path: 'slack/C9/gone' }]);
  mkdirSync(join(folder, 'slack', 'C9', 'folder'), { recursive: true });
  await assert.rejects(deleteFiles(folder, [{ path: 'slack/C9/folder' }]), { code: /EISDIR|ERR_FS_EISDIR/ });
  await deleteFiles(folder, [{ path: old }]);
  assert.ok(!existsSync(join(folder, old)));
  assert.ok(existsSync(join(folder, 'slack', 'C9', 'folder')), 'a folder with something in it stays');
});

test('a file that reached this machine late is as young as its arrival', async (t) => {
  const { folder, single } = await filled(t);
  utimesSync(join(folder, single), now / 1000, now / 1000);
  const found = await oldFiles(folder, { days: 30, now });
  assert.ok(!found.some(({ path }) => path === single));
  assert.deepEqual(await oldFiles(join(folder, 'none'), { days: 30, now }), []);
});

test('a running program applies the retention on its own, at its start and every day (T39)', async (t) => {
  const { folder, old, young } = await filled(t);
  const clock = createManualClock(now);
  const over = new AbortController();
  const { log, lines } = quietLog();
  const running = runUploadRetention(folder, { days: 30, clock, log }, over.signal);
  const gone = async (path: string): Promise<void> => {
    for (let turn = 0; existsSync(join(folder, path)) && turn < 2_000; turn += 1) await settle();
    assert.ok(!existsSync(join(folder, path)), path);
  };
  await gone(old);
  while (clock.sleeping() === 0) await settle();
  assert.ok(existsSync(join(folder, young)));
  await clock.advance(dayMs);
  await gone(young);
  while (clock.sleeping() === 0) await settle();
  assert.equal(lines.length, 2);
  await clock.advance(dayMs);
  while (clock.sleeping() === 0) await settle();
  assert.equal(lines.length, 2, 'a day on which nothing is old is no news');
  over.abort();
  await running;
});

test('a round that could not delete all is logged as that, and the next day has another', async (t) => {
  const { folder, young } = await filled(t);
  const contents = join(folder, '.content');
  renameSync(contents, `${contents}-away`);
  writeFileSync(contents, 'no folder');
  const clock = createManualClock(now);
  const over = new AbortController();
  const { log, lines } = quietLog();
  const running = runUploadRetention(folder, { days: 30, clock, log }, over.signal);
  while (clock.sleeping() === 0) await settle();
  assert.equal(lines.length, 1);
  assert.match(lines.join(), /uploads could not be pruned/);
  rmSync(contents);
  renameSync(`${contents}-away`, contents);
  await clock.advance(dayMs);
  for (let turn = 0; existsSync(join(folder, young)) && turn < 2_000; turn += 1) await settle();
  while (clock.sleeping() === 0) await settle();
  assert.ok(!existsSync(join(folder, young)));
  over.abort();
  await running;
});

test('parley uploads prune shows what it would delete, then deletes it, and without a retention nothing', async (t) => {
  const { home, folder, old, single } = await filled(t);
  const config = join(home, 'parley.config.json');
  const program = join(import.meta.dirname, '..', '..', '..', 'bin', 'parley.js');
  const call = (...args: string[]): string => {
    const env = { ...process.env, PARLEY_HOME: home };
    const given = [program, 'uploads', ...args, '--config', config];
    const { status, stdout, stderr } = spawnSync(process.execPath, given, { encoding: 'utf8', env });
    return `${status} ${stdout}${stderr}`;
  };
  writeFileSync(config, '{}');
  assert.match(call('prune'), /^0 Uploads are never deleted/);
  writeFileSync(config, '{"uploads": {"retentionDays": 1}}');
  const shown = call('prune', '--dry-run');
  assert.match(shown, new RegExp(`^0 ${old} {2}48 bytes\\n${single} {2}`));
  assert.match(shown, /Would delete \d files \(\d+ bytes\) that are older than 1 day from /);
  assert.ok(existsSync(join(folder, old)));
  assert.match(call('prune'), /Deleted \d files/);
  assert.ok(!existsSync(join(folder, old)));
  assert.match(call('prune', '--dry-run'), /^0 Would delete 0 files \(0 bytes\)/);
  assert.match(
    call('clean'),
    /^2 .*"clean" is not an action of "node bin\/parley.js uploads"\.\nChoose one of prune\./s,
  );
});
