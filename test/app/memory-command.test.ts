// `parley memory` as its owner calls it, on its own home folder.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { loadConfig } from '#app/config/load.ts';
import { openEngineAccess } from '#app/running/engine-access.ts';
import { parseJson } from '#base/json.ts';
import { openTerminal } from './terminal.ts';

/** Calls `parley memory` on its own home folder. */
function open(t: TestContext) {
  const { folder, home, call } = openTerminal(t);
  const put = (name: string, text: string): string => {
    mkdirSync(join(folder, 'files'), { recursive: true });
    const path = join(folder, 'files', name);
    writeFileSync(path, text);
    return path;
  };
  return { put, folder, home, run: (...words: string[]) => call('memory', ...words) };
}

test('lists of nothing say so', async (t) => {
  const { run } = open(t);
  assert.equal((await run('list')).out, 'There is nothing in memory that fits.\n');
  assert.equal((await run('audit')).out, 'Nothing was done to memories yet.\n');
  assert.equal((await run('search', 'door')).out, 'Nothing was found.\n');
});

test('a wrong call is reported with a message and exit code 2', async (t) => {
  const { run, put } = open(t);
  const path = put('a.md', 'text');
  // a selection of nothing is no call to forget everything
  const calls = [
    ['dance'],
    ['search'],
    ['forget'],
    ['import', path, '--format', 'nothing'],
    ['list', '--limit', 'many'],
  ];
  for (const call of calls) {
    const { code, err } = await run(...call);
    assert.equal(code, 2, call.join(' '));
    assert.match(err, /^parley: .+\n.+/, call.join(' '));
  }
});

test('what is imported is counted, found with its reasons, shown, forgotten and verified', async (t) => {
  const { run, put } = open(t);
  const path = put('garden.md', '# Garden\n\nThe greenhouse key hangs behind the xylophone.\n');
  const call = ['import', path, '--format', 'directory', '--audience', 'person:operator', '--json'];
  const imported = await run(...call);
  assert.deepEqual([imported.code, imported.err], [0, '']);
  const found = await run('search', 'where', 'is', 'the', 'greenhouse', 'key', '--explain');
  assert.match(
    found.out,
    /^\d\.\d\d {2}mem_\S+ .*\n {6}Garden The greenhouse key hangs.*\n {6}words: greenhouse, key; meets \d+ % of the question\n {6}global; person:operator/,
  );
  const listed = parseJson(
    (await run('list', '--json')).out,
    z.object({ entries: z.array(z.object({ id: z.string() })) }),
    'list',
  );
  const id = listed.entries[0]?.id ?? '';
  assert.match((await run('show', id)).out, /"text": "Garden\\nThe greenhouse key/);
  assert.match((await run('status')).out, /^entries {4}1\n[\s\S]*1 {2}person:operator$/m);
  assert.match((await run('forget', '--id', id)).out, /^1 entry would be forgotten; nothing was changed\.\n/);
  assert.match((await run('forget', '--id', id, '--apply')).out, /^1 entry is forgotten\.$/m);
  const verified = await run('verify', 'xylophone');
  assert.deepEqual([verified.code, verified.out], [0, 'All fits together, and no trace was found.\n']);
  assert.equal((await run('search', 'greenhouse')).out, 'Nothing was found.\n');
});

test('what was put is found by the next call, as its first one, in lines of 80 columns (M7, M8)', async (t) => {
  const { run } = open(t);
  const put = await run('put', `The xylophone of ${'Grandmother '.repeat(20)} is in the attic`);
  assert.match(put.out, /^mem_\w+ is stored\.$/m);
  for (const call of [
    ['search', 'xylophone'],
    ['search', `xylophone ${'grandmothers attic where '.repeat(9)}`, '--explain'],
    ['search', 'xylophone', '--records'],
    ['list'],
    ['forget', '--contains', 'xylophone'],
  ]) {
    const { out, code } = await run(...call);
    assert.equal(code, 0);
    assert.match(out, /The xylophone of/, call.join(' '));
    assert.deepEqual(
      out.split('\n').filter((line) => line.length > 80),
      [],
      call.join(' '),
    );
  }
});

test('what was remembered does not steer the terminal, whichever action shows it', async (t) => {
  const { run } = open(t);
  const text = 'The xylophone is \u001b[31mred\u001b[0m\u0007, \u009b2Jold and \u202efar away';
  await run('put', text, '--tag', 'attic');
  await run('note', text);
  const notes = await run('files', '--json');
  const path = /"path":"([^"]+)"/.exec(notes.out)?.[1] ?? '';
  for (const call of [
    ['search', 'xylophone', '--explain'],
    ['search', 'xylophone', '--records'],
    ['list'],
    ['list', '--tag', 'attic'],
    ['forget', '--contains', 'xylophone'],
    ['get', path],
  ]) {
    const { out } = await run(...call);
    assert.match(out, /The xylophone is \[31mred\[0m, 2Jold and far away/, call.join(' '));
    assert.doesNotMatch(out, /[^\P{C}\n]/u, call.join(' '));
  }
});

test('lines of wide letters are within 80 columns too, of which such a letter takes two', async (t) => {
  const { run } = open(t);
  const text = '我的猫叫小白住在上海的公寓里'.repeat(9);
  await run('put', `${text} 👍🏽`, '--tag', '猫'.repeat(60));
  for (const call of [['list'], ['list', '--tag', '猫'.repeat(60)], ['search', text, '--explain']]) {
    const lines = (await run(...call)).out.split('\n');
    assert.ok(lines.some((line) => /^ +我的猫叫小白.*…$/.test(line)));
    for (const line of lines) {
      const columns = line.length + (line.match(/\p{Script=Han}/gu)?.length ?? 0);
      assert.ok(columns <= 80, `${columns}: ${line}`);
    }
  }
});

test('a record is changed, demoted, promoted and retracted, and all of it can be looked up (M31, M32)', async (t) => {
  const { run } = open(t);
  const idOf = (out: string): string => /mem_\w+/.exec(out)?.[0] ?? '';
  const first = idOf((await run('put', 'The door code is 1111', '--kind', 'fact')).out);
  const second = idOf((await run('put', 'The door code is 2222', '--supersedes', first)).out);
  assert.match((await run('put', 'the door code is 2222')).out, /says that already/);
  assert.match((await run('show', first)).out, /"state": "superseded"[\s\S]*"text": "The door code is 2222"/);
  assert.equal((await run('promote', second, '--to', 'global', '--reason', 'x')).code, 1);
  assert.match((await run('demote', second, '--reason', 'doubt')).out, /no longer found/);
  assert.equal((await run('search', 'door')).out, 'Nothing was found.\n');
  assert.match(
    (await run('promote', second, '--to', 'global', '--reason', 'sure')).out,
    /global tier now; passed/,
  );
  assert.match((await run('retract', second)).out, /stays as history/);
  assert.match((await run('put', 'The door code is 2222')).out, /retracted there before/);
  const { out: audit } = await run('audit');
  assert.deepEqual(
    audit.split('\n').flatMap((line) => /^\S+ \S+ {2}(\w+)/.exec(line)?.[1] ?? []),
    ['retract', 'promote', 'demote', 'put', 'put', 'put'],
  );
  assert.doesNotMatch(audit, /door|1111/);
  for (const tier of ['session', 'project']) {
    const { code, err } = await run('put', 'x', '--tier', tier);
    assert.deepEqual([code, err.includes(`Expected --${tier} ID with --tier ${tier}.`)], [2, true], err);
  }
  assert.equal((await run('promote', second)).code, 2);
});

test('a password is masked when it is put; an old one is found by a scan and a deep status, and masked permanently (M44)', async (t) => {
  const { run, home } = open(t);
  assert.match((await run('put', 'My password is hunter2')).out, /masked: password/);
  assert.equal((await run('status', '--deep')).code, 0);
  const file = new Database(join(home, 'memory.sqlite'));
  file.exec("UPDATE memory_records SET content = 'My password is hunter2'");
  file.close();
  assert.match((await run('status', '--deep')).out, /^secrets {4}in 1; see/m);
  const look = await run('scan');
  assert.deepEqual([look.code, look.out.includes('Add --fix')], [1, true]);
  assert.match((await run('scan', '--fix')).out, /secrets in 1, masked now/);
  assert.equal((await run('scan')).code, 0);
  assert.equal((await run('verify', 'hunter2')).code, 0);
});

test('an export is a line for each memory in a file of its owner, and a file that is there is left alone', async (t) => {
  const { run, folder } = open(t);
  await run('put', 'The bike is green');
  const path = join(folder, 'all.jsonl');
  assert.match((await run('export', path)).out, /^1 memory was written/);
  assert.match(readFileSync(path, 'utf8'), /^\{"type":"record",.*"text":"The bike is green".*\}\n$/);
  assert.equal((await run('export', path)).code, 2);
  assert.match((await run('export')).out, /^\{"type":"record"/);
  assert.match((await run('reindex')).out, /^1 entry is indexed again\.$/m);
  const { out: help } = await run('help');
  assert.deepEqual(
    help.split('\n').filter((line) => line.length > 80),
    [],
  );
});

test('a history is imported with its rooms, and what is no longer there goes when that is asked for', async (t) => {
  const { run, put } = open(t);
  const message = (id: number) => ({
    id,
    type: 'message',
    date: '2026-03-04T10:00:00',
    from: 'Ann',
    text: `Entry ${id}`,
  });
  const chat = (id: number) => ({ id, type: 'private_group', name: 'Rowers', messages: [message(id)] });
  const path = put('result.json', JSON.stringify({ chats: { list: [chat(1), chat(2)] } }));
  const call = ['import', path, '--format', 'telegram', '--audience', 'person:operator', '--account', '7'];
  assert.match((await run(...call)).out, /^files {4}2 stored, 0 unchanged, 0 empty, 0 failed, 0 deleted$/m);
  assert.match((await run('status')).out, /1 {2}room:telegram:group:7:-1:-1:-/);
  put('result.json', JSON.stringify({ chats: { list: [chat(1)] } }));
  assert.match((await run(...call, '--sync-deletes')).out, /1 unchanged, .* 1 deleted$/m);
  assert.equal((await run('search', 'Entry', '2')).out.includes('Entry 2'), false);
});

test('the engine, its clients and the command line have one memory (T29)', async (t) => {
  const { run, folder } = open(t);
  const access = await openEngineAccess(loadConfig({ folder, variables: {} }));
  const { id } = await access.client.memory.put('The xylophone is in the attic.');
  await access.close();
  assert.ok((await run('search', 'xylophone')).out.includes(id ?? '-'));
});

test('a selector that nothing fits says so and ends with 1; a forgotten entry says when and why', async (t) => {
  const { run } = open(t);
  const id = /mem_\w+/.exec((await run('put', 'The attic is locked')).out)?.[0] ?? '';
  for (const call of [
    ['--person', 'per_none'],
    ['--chat', 'discord:dm:1:-:2:-'],
    ['--session', 'ses_none', '--apply'],
    ['--person', 'Nobody', '--contains', 'attic'],
  ]) {
    const { code, out } = await run('forget', ...call);
    assert.equal(code, 1, call.join(' '));
    assert.ok(out.startsWith(`Nothing that is remembered fits ${call[0]} ${call[1]}`), out);
  }
  for (const form of ['operator', 'person:operator', 'tandem://user/operator'])
    assert.match((await run('forget', '--person', form)).out, /^1 entry would be forgotten/, form);
  assert.equal((await run('forget', '--id', id, '--apply', '--reason', 'a mistake')).code, 0);
  const shown = await run('show', id);
  assert.equal(shown.code, 1);
  assert.match(
    shown.out,
    /^mem_\w+ was forgotten on \d{4}-\d\d-\d\d \d\d:\d\d UTC by\noperator; it belonged to person:operator\. Reason: a mistake$/m,
  );
  assert.equal((await run('forget', '--id', id, '--apply')).code, 1);
  const { out: audit } = await run('audit');
  assert.match(audit, /forget {2}operator .*\n.*reason a mistake/);
  for (const line of audit.split('\n')) assert.ok(line.length <= 80, line);
});
