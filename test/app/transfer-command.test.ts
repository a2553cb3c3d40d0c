// `parley export` and `parley import` as their owner calls them.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { loadConfig } from '#app/config/load.ts';
import { openEngineAccess } from '#app/running/engine-access.ts';
import { showProgress } from '#app/screen/progress.ts';
import { openTerminal } from './terminal.ts';

test('conversations leave next to a running program and come into another home, where none may run', async (t) => {
  const from = openTerminal(t);
  const access = await openEngineAccess(loadConfig({ folder: from.folder, variables: {} }));
  const { id } = await access.client.sessions.create({ title: 'Travels' });
  const folder = join(from.folder, 'out');
  const exported = await from.call('export', folder, '--json');
  assert.deepEqual(JSON.parse(exported.out), { folder, sessions: 1, questions: 0, missions: 0 });
  const busy = await from.call('import', folder);
  assert.equal(busy.code, 1);
  assert.match(busy.err, /Another Parley is running/);
  await access.close();

  const to = openTerminal(t);
  const imported = await to.call('import', folder);
  assert.match(
    imported.out,
    /^1 session, 0 questions and 0 missions were imported; 0 sessions were there already\.$/m,
  );
  assert.match((await to.call('import', folder)).out, /^0 sessions, .* 1 session was there already\.$/m);
  assert.match((await to.call('sessions', 'list')).out, new RegExp(`^${id} .* Travels\\n {2}API$`, 'm'));
  const again = join(to.folder, 'out');
  await to.call('export', again, '--json');
  for (const name of ['sessions.json', 'session_meta.json', 'questions.json', 'missions.json'])
    assert.equal(readFileSync(join(again, name), 'utf8'), readFileSync(join(folder, name), 'utf8'));

  writeFileSync(join(folder, 'sessions.json'), '[{"id": 3}]');
  const broken = await to.call('import', folder);
  assert.equal(broken.code, 1);
  assert.match(broken.err, /^parley: sessions\.json: 0\.id: .*Nothing was imported\.\n.+/);
});

test('a wrong call is reported with a message and exit code 2, an empty home with exit code 1', async (t) => {
  const { call, folder } = openTerminal(t);
  for (const words of [['export'], ['import'], ['export', 'a', 'b'], ['import', 'a', '--force']]) {
    const { code, err } = await call(...words);
    assert.equal(code, 2, words.join(' '));
    assert.match(err, /^parley: .+/);
  }
  assert.match((await call('export', join(folder, 'out'))).err, /^parley: There is no engine\.sqlite in /);
  assert.match(
    (await call('import', join(folder, 'none'))).err,
    /sessions\.json: as a whole: it cannot be read/,
  );
});

test('progress is a bar on a terminal and a line for each tenth elsewhere', () => {
  const shownOn = (isTTY: boolean): string => {
    const stream = Object.assign(new PassThrough(), {
      isTTY,
      columns: 80,
      cursorTo() {},
      clearLine() {},
      moveCursor() {},
    });
    // What the bar needs of a terminal is there.
    const progress = showProgress('sessions', 'shown', stream as unknown as NodeJS.WriteStream);
    for (let done = 1; done <= 25; done += 1) progress.update({ done, total: 25 });
    progress.end();
    return String(stream.read() ?? '');
  };
  const lines = shownOn(false).trimEnd().split('\n');
  assert.equal(lines.length, 10);
  assert.equal(lines[0], '3 of 25 sessions');
  assert.equal(lines.at(-1), '25 of 25 sessions');
  assert.match(shownOn(true), /\[=+\] 25 of 25 sessions/);
});
