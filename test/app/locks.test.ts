// The locks of a running program on its databases: nothing that the program or a command in the same process does takes one away.
import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { errorMessage } from '#base/errors.ts';
import { createClient } from '#engine/client/client.ts';
import { importFormats } from '#memory/types/import.ts';
import { canSeeLocks, keepsLocks, locksIn } from '../support/locks.ts';
import { openHouse, type Talk } from './house.ts';
import { openTerminal } from './terminal.ts';

const guest: Talk = { platform: 'telegram', chat: 'dm', user: 'you' };
const { pid } = process;

test('a file that is opened and closed next to SQLite takes its locks away, which the check finds', async (t) => {
  if (!canSeeLocks(t)) return;
  const { home, start } = openTerminal(t);
  await start();
  closeSync(openSync(join(home, 'memory.sqlite'), 'r'));
  assert.ok(!locksIn(home, pid).includes('memory.sqlite'));
  await assert.rejects(keepsLocks({ home, pid, what: 'anything' }, async () => {}));
});

/** A program with something in it, and commands that are called in a separate process. */
async function running(t: TestContext) {
  const terminal = openTerminal(t);
  await terminal.start();
  const { home, folder } = terminal;
  const saved = <T>(what: string, work: () => Promise<T>): Promise<T> =>
    keepsLocks({ home, pid, what }, work);
  return {
    home,
    folder,
    saved,
    call: (...words: string[]) => saved(words.join(' '), () => terminal.call(...words)),
  };
}

test('every command, called in the process of the program, leaves all of its locks in place', async (t) => {
  if (!canSeeLocks(t)) return;
  const { folder, call } = await running(t);
  const document = join(folder, 'note.md');
  writeFileSync(document, 'The greenhouse key hangs behind the xylophone.');
  const [backup, transfer] = [join(folder, 'backup'), join(folder, 'transfer')];
  const audience = ['--audience', 'person:operator'];
  const calls: [number, ...string[]][] = [
    [0, 'memory', 'put', 'The piano belongs to Grandmother.'],
    [0, 'memory', 'import', document, '--format', 'directory', ...audience],
    [0, 'memory', 'verify', 'harpsichord'],
    [1, 'memory', 'verify', 'xylophone'],
    [0, 'memory', 'forget', '--contains', 'xylophone', '--apply'],
    [0, 'memory', 'verify', 'xylophone'],
    [0, 'memory', 'status', '--deep'],
    [0, 'memory', 'search', 'piano'],
    [0, 'memory', 'list'],
    [0, 'memory', 'audit'],
    [0, 'memory', 'knowledge'],
    [0, 'memory', 'export', join(folder, 'memory.jsonl')],
    [0, 'memory', 'reindex'],
    [0, 'memory', 'drop-caches'],
    [0, 'memory', 'scan', '--fix'],
    [0, 'backup', backup],
    [1, 'restore', backup, '--replace'],
    [0, 'export', transfer],
    [1, 'import', transfer],
    [0, 'doctor'],
    [0, 'doctor', '--fix'],
    [0, 'status'],
    [0, 'check'],
    [0, 'prune'],
    [0, 'uploads', 'prune'],
    [0, 'people'],
    [0, 'sessions', 'list'],
    [0, 'runs', 'list'],
  ];
  for (const [code, ...words] of calls) {
    const ended = await call(...words);
    assert.equal(ended.code, code, `${words.join(' ')}\n${ended.out}${ended.err}`);
  }
});

test('a program that forgets, searches, exports and reports in chats has all of its locks afterwards', async (t) => {
  if (!canSeeLocks(t)) return;
  const { home, ready, ask } = await openHouse(t);
  await ready('telegram');
  const said = (text: string): Promise<string> =>
    keepsLocks({ home, pid, what: text }, () => ask(guest, text));
  await said('My neighbour is a xylophonist.');
  const saved = await said('/memory save The harpsichord is for sale.');
  assert.match(await said('/memory search harpsichord'), /for sale/);
  assert.match(await said(`/memory forget ${/\((\w+)\)/.exec(saved)?.[1]}`), /^Permanently deleted/);
  for (const text of ['/memory recent', '/status', '/sessions', '/whoami', '/usage', '/export'])
    await said(text);
});

test('a program that forgets, searches and reports over HTTP has all of its locks afterwards, and does not import a database', async (t) => {
  if (!canSeeLocks(t)) return;
  const { home, parley, folder } = await openHouse(t);
  const client = createClient({
    baseUrl: parley.url,
    token: readFileSync(join(home, 'token'), 'utf8').trim(),
  });
  const saved = <T>(what: string, work: () => Promise<T>): Promise<T> =>
    keepsLocks({ home, pid, what }, work);
  const { id } = await saved('put', () => client.memory.put('My neighbour is a xylophonist.'));
  assert.deepEqual(await saved('delete', () => client.memory.delete(id ?? '')), { ok: true, id, traces: 0 });
  await saved('search', () => client.memory.search('xylophonist'));
  await saved('list', () => client.memory.list());
  await saved('audit', () => client.memory.audit());
  await saved('status', () => client.status());
  await saved('health', () => client.health());
  await saved('metrics', async () => (await fetch(`${parley.url}/metrics`)).text());
  const link = join(folder, 'result.json');
  symlinkSync(join(home, 'engine.sqlite'), link);
  const files = ['memory.sqlite', 'memory.sqlite-shm', 'gateway.sqlite'].map((name) => join(home, name));
  for (const path of [...files, link])
    for (const format of importFormats)
      await saved(`import ${path} as ${format}`, async () => {
        const request = { source: { kind: 'path', path }, format, project_id: 'prj_1' } as const;
        const refused = await client.memory
          .importPath(request)
          .catch((error: unknown) => errorMessage(error));
        assert.match(JSON.stringify(refused), /is a database, which is not imported/);
      });
});
