// `parley memory` on short-term memory: what would be promoted and why, promoting, taking back, backfills, status, doctor.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { folderNameOf } from '#memory/types/folder-name.ts';
import { audience, writeRecalls } from './recalled-home.ts';
import { openTerminal } from './terminal.ts';

/** A home in which a fact was recalled on three of the last days, and another one once. */
async function open(t: TestContext, config: object = {}) {
  const terminal = openTerminal(t);
  writeFileSync(
    join(terminal.folder, 'parley.config.json'),
    JSON.stringify({ home: terminal.home, ...config }),
  );
  await writeRecalls(terminal.home);
  const read = (name: string): string => {
    const path = join(terminal.home, 'memory', folderNameOf(audience), name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  return { ...terminal, read };
}

/** A path stands whole on a line of its own, whatever the length of the folder. */
function fits(out: string): void {
  for (const line of out.split('\n').filter((each) => !/^ *\/\S+$/.test(each)))
    assert.ok(line.length <= 80, `${line.length} columns: ${line}`);
}

test('`memory promote` shows what passes and why the others do not, and changes nothing without --apply', async (t) => {
  const { call, read } = await open(t);
  const { code, out, err } = await call('memory', 'promote');
  assert.equal(err, '');
  assert.equal(code, 0);
  fits(out);
  assert.match(
    out,
    /0\.\d\d {2}cnd_\w+\n {4}The boat Nelly is laid up in Harlingen until June\.\n {4}passes: a sweep promotes it/,
  );
  assert.match(out, /The cellar key hangs.*\n {4}waits: it has 1 of 3 recalls, 1 of 2 different questions/);
  assert.match(out, /Nothing was changed\. --apply promotes what passes\./);
  assert.equal(read('MEMORY.md'), '');
  const { reports } = JSON.parse((await call('memory', 'promote', '--json')).out);
  assert.equal(reports[0].candidates.length, 2);
  assert.match((await call('memory', 'rem-harness')).out, /Nothing was changed\.\n/);
  assert.equal(JSON.parse((await call('memory', 'rem-harness', '--json')).out).reports.length, 1);
});

test('a home in which nothing was recalled says so within 80 columns', async (t) => {
  const { call } = openTerminal(t);
  const { out } = await call('memory', 'promote');
  fits(out);
  assert.match(out, /^Nothing was recalled yet\. /);
});

test('`memory promote --apply` promotes; what is promoted is explained, by its id and by its words, and is taken back by its id', async (t) => {
  const { call, read } = await open(t);
  const done = await call('memory', 'promote', '--apply');
  fits(done.out);
  const [, id = '', file = ''] = /promoted (prm_\w+): line 3 of\n {2}(\/.*MEMORY\.md)\n/.exec(done.out) ?? [];
  assert.match(readFileSync(file, 'utf8').split('\n')[2] ?? '', /The boat Nelly is laid up/);
  assert.match(read('MEMORY.md'), /- The boat Nelly is laid up/);
  const explained = await call('memory', 'promote-explain', id);
  fits(explained.out);
  assert.match(
    explained.out,
    /promoted: it is in MEMORY\.md\n {4}\/.*\/MEMORY\.md\n {2}source {5}Ann, .*\n.*\n {2}recalls {4}3 by 2 different questions/,
  );
  assert.ok(explained.out.includes(`    ${file}\n`), 'the file is named by its path');
  assert.match(explained.out, /frequency +0\.\d\d\n {2}relevance +0\.\d\d\n/);
  assert.equal(JSON.parse((await call('memory', 'promote-explain', id, '--json')).out).recalls, 3);
  assert.equal((await call('memory', 'promote-explain', 'laid', 'up in HARLINGEN')).out, explained.out);
  assert.match((await call('memory', 'promote', id, '--revert')).out, /1 line taken back/);
  assert.doesNotMatch(read('MEMORY.md'), /Nelly/);
  assert.match(
    (await call('memory', 'promote-explain', id)).out,
    /\n {4}promoted: its promotion was taken back\n/,
  );
  await call('memory', 'promote', '--apply');
  assert.doesNotMatch(read('MEMORY.md'), /Nelly/);
  assert.equal((await call('memory', 'promote-explain', 'cnd_none')).code, 1);
  assert.equal((await call('memory', 'promote', 'mem_x')).code, 2);
  for (const more of [['mem_x'], ['--to', 'global'], ['prm_x', '--revert']])
    assert.equal((await call('memory', 'promote', ...more, '--apply')).code, 2, more.join(' '));
  assert.equal((await call('memory', 'promote', 'prm_none', '--revert')).code, 1);
});

test('earlier days are backfilled into DREAMS.md once, and all of it is taken back', async (t) => {
  const { call, read } = await open(t);
  assert.equal((await call('memory', 'rem-backfill')).code, 2);
  assert.equal((await call('memory', 'rem-backfill', '--from', 'yesterday')).code, 2);
  const { out } = await call('memory', 'rem-backfill', '--from', '5');
  fits(out);
  assert.equal(out.match(/^\d{4}-\d{2}-\d{2} {2}person:per_ann$/gm)?.length, 2);
  assert.equal(read('DREAMS.md').match(/^## .* \(backfilled\)$/gm)?.length, 2);
  const [, file = ''] = / {2}1 statement in\n {2}(\/.*DREAMS\.md)\n/.exec(out) ?? [];
  assert.equal(readFileSync(file, 'utf8'), read('DREAMS.md'));
  assert.match(
    (await call('memory', 'rem-backfill', '--from', '5')).out,
    / {2}1 statement, there before, in\n {2}\/.*DREAMS\.md\n/,
  );
  const again = JSON.parse((await call('memory', 'rem-backfill', '--from', '5', '--json')).out);
  assert.ok(Array.isArray(again.days));
  assert.match((await call('memory', 'rem-backfill', '--revert')).out, /backfilled lines? taken back/);
  assert.equal((await call('memory', 'rem-backfill', '--revert')).out, 'Nothing was left to take back.\n');
  assert.doesNotMatch(read('DREAMS.md'), /backfilled|Nelly/);
});

test('status shows short-term memory, and status and doctor name a schedule that never fired', async (t) => {
  const { call } = await open(t, { memory: { dreaming: { enabled: true } } });
  const { out } = await call('memory', 'status', '--index', '--fix');
  fits(out);
  assert.match(
    out,
    /dreaming {3}2 candidates, 4 recalls, 0 promoted\n {11}no sweep yet, next \d{4}-\d{2}-\d{2} 03:00 UTC\n/,
  );
  assert.match(out, /the sweep of \d{4}-\d{2}-\d{2} 03:00 UTC was not run for 1 of the audiences/);
  assert.match((await call('doctor')).out.replace(/\s+/g, ' '), /Dreaming: the sweep of .* was not run/);
  const json = JSON.parse((await call('memory', 'status', '--json', '--fix')).out);
  assert.equal(json.dreaming.candidates, 2);
  assert.deepEqual(json.repaired, []);
});
