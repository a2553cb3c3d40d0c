// What forgetting leaves alone, what it takes with it, and what it says of what stayed.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { ForgetRequest, Selection } from '#memory/types/maintenance.ts';
import { by, note, withFacts } from './facts.ts';
import { exchange, freshPath, mine, openMemory, start } from './open-memory.ts';

test('forgetting one session takes its records and what was written in it, and nothing of another session', async (t) => {
  const { memory } = await withFacts(t, [
    note('The kayak is blue', { sessionID: 'ses_1', tier: 'session' }),
    note('The canoe is green', { sessionID: 'ses_2', tier: 'session' }),
    note('The harbour opens at nine', { sessionID: 'ses_1' }),
    note('The lighthouse opens at ten', { sessionID: 'ses_2' }),
  ]);
  await memory.archive(exchange('My sail is red', { sessionID: 'ses_1' }));
  await memory.archive(exchange('My anchor is rusty', { sessionID: 'ses_2' }));
  const texts = async (): Promise<string[]> =>
    (await memory.records({ scope: mine })).map(({ text }) => text).sort();
  const gone = await memory.forget({ scope: mine, selection: { session: 'ses_1' }, mode: 'forget' });
  assert.deepEqual([gone.entries, gone.remains], [3, []]);
  assert.deepEqual(await texts(), ['The canoe is green', 'The lighthouse opens at ten']);
  const listed = (await memory.list({ scope: mine })).map(({ text }) => text.replace('you said: ', ''));
  assert.deepEqual(listed.sort(), ['My anchor is rusty', ...(await texts())].sort());
  const { problems } = await memory.verify(['kayak']);
  assert.deepEqual(problems, []);
});

test('forgetting what one person said, what one chat heard, or one run, leaves the records of others', async (t) => {
  const saved = ['The canoe is green'];
  const selections: [Selection, Parameters<typeof note>[1]][] = [
    [{ person: 'per_7' }, { speaker: { person: 'per_7', name: 'Ann' } }],
    [{ chat: 'slack:dm:9' }, { chat: 'slack:dm:9' }],
    [{ run: 'run_9' }, { runID: 'run_9' }],
    [{ project: 'boats' }, { projectID: 'boats', tier: 'project' }],
  ];
  for (const [selection, more] of selections) {
    const { memory } = await withFacts(t, [note('The kayak is blue', more), note(saved[0] ?? '')]);
    // of that person alone, in the audience of another
    const what = 'person' in selection ? { ...selection, words: 'kayak' } : selection;
    const { entries } = await memory.forget({ scope: mine, selection: what, mode: 'forget' });
    assert.equal(entries, 1, JSON.stringify(selection));
    assert.deepEqual(
      (await memory.records({ scope: mine })).map(({ text }) => text),
      saved,
    );
  }
});

test('words by which knowledge was called are looked for after forgetting, and what is still in a file is reported', async (t) => {
  const { memory, ids } = await withFacts(t, [
    note('The till opens with a key', { tier: 'project', projectID: 'shop' }),
    note('The sign is blue', { metadata: { of: 'glockenspiel' } }), // no search and no selection reads it there
  ]);
  const [record = '', other = ''] = ids;
  const called = { subject: 'Glockenspiel repair', namespace: 'marimbas' };
  await memory.promoteKnowledge({ id: record, scope: mine, by, ...called });
  const forget = (id: string) => memory.forget({ scope: mine, selection: { ids: [id] }, mode: 'forget' });
  const { remains, entries } = await forget(record);
  assert.equal(entries, 1);
  assert.ok(remains.length > 0);
  for (const line of remains) assert.match(line, /^"glockenspiel" is in .*memory\.sqlite/);
  assert.deepEqual((await memory.verify(['marimbas', 'repair'])).traces, []);
  assert.deepEqual((await forget(other)).remains, []);
  assert.deepEqual((await memory.verify(['glockenspiel'])).traces, []);
});

test('where no proof is asked for, none is made: what stands elsewhere is not reported', async (t) => {
  const texts = ['The glockenspiel is green', 'The marimba is blue'];
  const { memory } = await withFacts(t, [
    ...texts.map((text) => note(text)),
    note('The sign is white', { metadata: { of: 'glockenspiel' } }),
    note('The sign is black', { metadata: { of: 'marimba' } }),
  ]);
  const forget = (words: string, more: Partial<ForgetRequest>) =>
    memory.forget({ scope: mine, selection: { words }, mode: 'forget', ...more });
  const proven = await forget('green', {});
  assert.equal(proven.entries, 1);
  assert.match(proven.remains.join(), /"glockenspiel" is in/);
  const unproven = await forget('blue', { proof: 'none' });
  assert.deepEqual([unproven.entries, unproven.remains], [1, []]);
});

test('the path of a forgotten file goes with it, and that of a file next to it, of which something stays, does not', async (t) => {
  const memory = openMemory(t);
  const folder = dirname(freshPath(t));
  const path = join(folder, 'xylophonist.md');
  const neighbor = join(folder, 'timpanist.md');
  writeFileSync(path, 'The safe is behind the piano.');
  writeFileSync(neighbor, 'The bicycle is green.');
  for (const file of [path, neighbor])
    await memory.importPath({
      path: file,
      format: 'directory',
      where: { audience: 'person:per_1', restricted: true },
    });
  assert.ok((await memory.verify(['xylophonist'])).traces.length > 0, 'its path is there before');
  const { entries, remains } = await memory.forget({
    scope: mine,
    selection: { source: path },
    mode: 'forget',
  });
  assert.deepEqual([entries, remains], [1, []]);
  assert.deepEqual((await memory.verify(['xylophonist'])).traces, []);
  assert.ok((await memory.verify(['timpanist'])).traces.length > 0);
  assert.equal((await memory.list({ scope: mine })).length, 1);
});

test('a record that was withdrawn cannot be promoted, demoted, withdrawn again or made knowledge', async (t) => {
  const { memory, ids } = await withFacts(t, [note('The kayak is blue', { tier: 'session' })]);
  const [id = ''] = ids;
  await memory.retract({ id, scope: mine, by, reason: 'it was sold' });
  const calls = {
    promote: () => memory.promote({ id, scope: mine, by, toTier: 'global' }),
    demote: () => memory.demote({ id, scope: mine, by }),
    retract: () => memory.retract({ id, scope: mine, by }),
    promoteKnowledge: () => memory.promoteKnowledge({ id, scope: mine, by, subject: 'kayak' }),
  };
  for (const [name, call] of Object.entries(calls))
    await assert.rejects(call(), { code: 'not_active' }, name);
  const [record] = await memory.records({ scope: mine, ids: [id] });
  assert.deepEqual([record?.state, record?.tier, record?.reason], ['retracted', 'session', 'it was sold']);
  assert.deepEqual((await memory.search({ text: 'kayak', scope: mine })).hits, []);
  const actions = (await memory.audit({ of: 'person:per_1' })).map(({ action }) => action);
  assert.deepEqual(actions, ['retract', 'put']);
});

test('an exchange that is only in a summary is meant by those who could read it, and by nobody who reads only what came later', async (t) => {
  const memory = openMemory(t, { budgets: { audience: { exchanges: 1 } } });
  const ids: string[] = [];
  for (const [n, name] of ['kayak', 'cello', 'orchid', 'stove'].entries()) {
    const words = `The ${name} is in box ${n}. ${'We talked about it at length. '.repeat(9)}`;
    const said = await memory.archive(exchange(words, { at: start + n }));
    if ('chunkIDs' in said) ids.push(...said.chunkIDs);
  }
  await memory.consolidate();
  const meant = async (since: number, selection: Selection) => {
    const scope = { ...mine, since: { 'person:per_1': since } };
    return (await memory.forget({ scope, selection, mode: 'preview' })).entries;
  };
  for (const selection of [{ ids: [ids[1] ?? ''] }, { person: 'per_1', until: start + 2, from: start + 1 }])
    assert.deepEqual([await meant(start, selection), await meant(start + 1, selection)], [1, 0]);
});
