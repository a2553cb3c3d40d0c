// What is stored for one conversation alone, on the command line: found with its session, and gone with it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadConfig } from '#app/config/load.ts';
import { openEngineAccess } from '#app/running/engine-access.ts';
import { openTerminal } from './terminal.ts';

/** A home folder with a session, and a note of that session alone. */
async function open(t: TestContext, config: object = {}) {
  const terminal = openTerminal(t, config);
  const access = await openEngineAccess(loadConfig({ folder: terminal.folder, variables: {} }));
  const { id } = await access.client.sessions.create({ title: 'Boats' });
  await access.close();
  const own = ['--tier', 'session', '--session', id];
  const saved = await terminal.call('memory', 'put', 'The mast is red', ...own);
  assert.deepEqual([saved.code, saved.err], [0, '']);
  const search = async (...words: string[]) =>
    (await terminal.call('memory', 'search', 'mast', ...words)).out;
  return { ...terminal, id, search };
}

test('what belongs to one session is found with --session, and with another one it is not', async (t) => {
  const { id, search } = await open(t);
  assert.match(await search('--session', id), /The mast is red/);
  assert.match(await search('--session-id', id, '--records'), /The mast is red/);
  assert.match(await search(), /The mast is red/, 'the operator reads everything');
  assert.equal(await search('--session', 'ses_other'), 'Nothing was found.\n');
});

test('what is wrong with an option is said under the name that was typed', async (t) => {
  const { call } = openTerminal(t);
  for (const option of ['--session', '--session-id', '--project', '--project-id']) {
    const { code, err } = await call('memory', 'search', 'mast', option, '');
    assert.deepEqual([code, err.includes(`${option}: expected`)], [2, true], err);
  }
});

test('put and import refuse the session tier of a session that is not there', async (t) => {
  const { folder, call } = openTerminal(t);
  writeFileSync(join(folder, 'a.md'), 'The mast is red.');
  for (const option of ['--session', '--session-id'])
    for (const words of [
      ['put', 'The mast is red'],
      ['import', folder, '--format', 'directory'],
    ]) {
      const { code, err } = await call('memory', ...words, '--tier', 'session', option, 'ses_none');
      assert.equal(code, 2, err);
      assert.match(err, new RegExp(`${option}: expected the id of a session .* received "ses_none"`));
    }
  assert.match((await call('memory', 'list')).out, /nothing in memory/);
});

test('what an import would pass over is refused under the option that was typed', async (t) => {
  const { folder, call } = openTerminal(t);
  writeFileSync(join(folder, 'a.md'), 'The mast is red.');
  for (const [words, option] of [
    [['--allow-empty'], '--allow-empty: it goes with --sync-deletes'],
    [['--session', 'ses_1'], '--session: only the session tier'],
    [['--session-id', 'ses_1'], '--session-id: only the session tier'],
  ] as const) {
    const { code, err } = await call('memory', 'import', folder, '--format', 'directory', ...words);
    assert.deepEqual([code, err.replace(/\s+/g, ' ').includes(option)], [2, true], err);
  }
});

for (const [endsWhen, found] of [
  ['deleted', /The mast is red/],
  ['archived', /Nothing was found/],
] as const)
  test(`a session's own memory, with memory.sessionTier.endsWhen "${endsWhen}", after it is archived and after it is deleted`, async (t) => {
    const { id, call, search } = await open(t, { memory: { sessionTier: { endsWhen } } });
    assert.equal((await call('sessions', 'archive', id)).code, 0);
    assert.match(await search('--session', id), found);
    const own = ['--tier', 'session', '--session', id];
    const later = await call('memory', 'put', 'The keel is blue', ...own);
    assert.equal(later.code, endsWhen === 'archived' ? 2 : 0);
    if (endsWhen === 'archived') assert.match(later.err, /--session: the session \w+ is archived/);
    assert.equal((await call('sessions', 'delete', id, '--apply')).code, 0);
    assert.equal(await search('--session', id), 'Nothing was found.\n');
  });

test('what ended with its session was forgotten by nobody: the same words may be stored again, for another session and for all', async (t) => {
  const { id, folder, call, search } = await open(t);
  const access = await openEngineAccess(loadConfig({ folder, variables: {} }));
  const other = await access.client.sessions.create({ title: 'Sails' });
  await access.close();
  assert.equal((await call('sessions', 'delete', id, '--apply')).code, 0);
  for (const own of [['--tier', 'session', '--session', other.id], []]) {
    const again = await call('memory', 'put', 'The mast is red', ...own);
    assert.deepEqual([again.code, again.err], [0, '']);
    assert.doesNotMatch(again.out, /forgotten/);
  }
  assert.match(await search('--session', other.id), /The mast is red/);
});
