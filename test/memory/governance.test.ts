// What is done to governed records: promoted, demoted, masked, forgotten, and every step in the audit.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Scope } from '#memory/types/scope.ts';
import { looksIntoFile, test } from './each-store.ts';
import { by, note, withFacts } from './facts.ts';
import { exchange, found, freshPath, mine, openMemory } from './open-memory.ts';

test('tiers: what is stored for a session or a project reaches no other that asks, until it is promoted', async (t) => {
  const { memory, ids } = await withFacts(t, [
    note('kayak of the session', { tier: 'session', sessionID: 'ses_1' }),
    note('kayak of the project', { tier: 'project', projectID: 'boats' }),
  ]);
  const [session = '', project = ''] = ids;
  const seen = async (scope: Partial<Scope>) => {
    const { hits } = await memory.search({ text: 'kayak', scope: { ...mine, ...scope } });
    return hits.map(({ text, tier }) => `${tier}: ${text}`).sort();
  };
  assert.deepEqual(await seen({ sessionID: 'ses_1' }), ['session: kayak of the session']);
  assert.deepEqual(await seen({ sessionID: 'ses_2', projectID: 'boats' }), ['project: kayak of the project']);
  assert.deepEqual(await seen({ sessionID: 'ses_3' }), []);
  assert.equal((await seen({})).length, 2, 'their owner reads all');
  const promoted = await memory.promote({ id: session, scope: mine, by, toTier: 'global', reason: 'of use' });
  assert.deepEqual([promoted.promoted, promoted.record.id, promoted.scrub.status], [true, session, 'passed']);
  assert.deepEqual(await seen({ sessionID: 'ses_3' }), ['global: kayak of the session']);
  await assert.rejects(memory.promote({ id: session, scope: mine, by, toTier: 'project' }), {
    code: 'not_promoted',
  });
  await memory.demote({ id: project, scope: mine, by, reason: 'out of date' });
  assert.deepEqual(await seen({ sessionID: 'ses_2', projectID: 'boats' }), ['global: kayak of the session']);
  await memory.promote({ id: project, scope: mine, by, toTier: 'project' });
  assert.equal((await seen({ sessionID: 'ses_2', projectID: 'boats' })).length, 2, 'promoted, it is back');
  await assert.rejects(memory.put(note('x', { tier: 'project' })), { code: 'invalid_note' });
});

test('a promotion masks the secrets that it finds, in the record itself, and blocks one that is nothing else (TAP)', async (t) => {
  if (looksIntoFile(t)) return;
  const path = freshPath(t);
  const { memory, ids } = await withFacts({ after: (work) => t.after(work) }, []);
  assert.deepEqual(ids, []);
  await memory.close();
  // as records were stored before secrets were looked for
  const old = openMemory(t, { path });
  const saved = await old.put(note('The staging key is KEY, ask Ann', { tier: 'session' }));
  const single = await old.put(note('LONE', { tier: 'session' }));
  assert.ok('id' in saved && 'id' in single);
  const file = new Database(path);
  const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
  file.prepare('UPDATE memory_records SET content = replace(content, ?, ?)').run('KEY', key);
  file.prepare('UPDATE memory_records SET content = ? WHERE content = ?').run(key, 'LONE');
  file.close();
  const promoted = await old.promote({ id: saved.id, scope: mine, by, toTier: 'global', reason: 'of use' });
  assert.deepEqual(
    [promoted.promoted, promoted.scrub],
    [true, { status: 'redacted', redactions: 1, blockReason: undefined }],
  );
  assert.equal(promoted.record.text, 'The staging key is [redacted:github token], ask Ann');
  assert.deepEqual(await found(old, 'staging key'), ['The staging key is [redacted:github token], ask Ann']);
  const review = { reviewer_id: 'ann', approval_id: 'a1' };
  const blocked = await old.promote({ id: single.id, scope: mine, by, toTier: 'global', review });
  assert.deepEqual([blocked.promoted, blocked.scrub.status], [false, 'blocked']);
  const line = (await old.audit({ of: 'every audience' })).find(({ id }) => id === blocked.auditID);
  assert.deepEqual(
    [line?.action, line?.detail],
    ['demote', { tier: 'session', blocked: 'global', ...review }],
  );
  assert.deepEqual((await old.verify([key])).traces.length > 0, true, 'the blocked one waits for its owner');
  await old.forget({ scope: mine, selection: { ids: [single.id] }, mode: 'forget' });
  assert.deepEqual((await old.verify([key])).traces, [], 'and of the other nothing is left');
});

test('what is stored, said or noted is masked before it reaches a row, an index, or the file (M44)', async (t) => {
  if (looksIntoFile(t)) return;
  const memory = openMemory(t);
  const key = `sk-ant-api03-${'a1B2c3D4e5'.repeat(9)}AA`;
  await memory.archive(exchange(`My key is ${key}`, { assistantText: `I noted ${key}.` }));
  const saved = await memory.put(
    note(`The deployment of the shop uses ${key} as its key`, { metadata: { from: key }, channelTag: key }),
  );
  assert.deepEqual('redacted' in saved ? saved.redacted : [], ['anthropic key']);
  const texts = await found(memory, 'key');
  assert.ok(texts.length === 2 && texts.every((text) => text.includes('[redacted:anthropic key]')));
  const [record] = await memory.records({ text: 'key', scope: mine });
  assert.deepEqual([record?.redactions, record?.metadata], [1, { from: '[redacted:anthropic key]' }]);
  await memory.close();
  assert.ok(!readFileSync(memory.path).includes(key.slice(0, 40)));
});

test('a forgotten record goes with its versions and with what was made of it, and leaves no word (M29)', async (t) => {
  const { memory, ids } = await withFacts(t, [note('The xylophonist lives in Zanzibar')]);
  const [first = ''] = ids;
  await memory.put(note('The xylophonist moved to Timbuktu', { supersedes: first }));
  const said = await memory.archive(exchange('I play the glockenspiel'));
  const [source = ''] = 'chunkIDs' in said ? said.chunkIDs : [];
  await memory.put(note('They play the glockenspiel', { evidence: [source] }));
  const one = await memory.forget({ scope: mine, selection: { ids: [first] }, mode: 'forget' });
  assert.deepEqual([one.entries, one.remains], [1, []]);
  const two = await memory.forget({ scope: mine, selection: { ids: [source] }, mode: 'forget' });
  assert.deepEqual([two.entries, two.remains], [2, []]);
  const words = ['xylophonist', 'zanzibar', 'timbuktu', 'glockenspiel'];
  assert.deepEqual(await memory.verify(words), { problems: [], traces: [] });
  assert.deepEqual(await memory.put(note('The xylophonist lives in Zanzibar')), { status: 'forgotten' });
});

test('what was made of a version that holds no longer goes with its record', async (t) => {
  const { memory, ids } = await withFacts(t, [
    note('The zither is in Zanzibar'),
    note('The cello is in Lima'),
    note('The viola is in Oslo'),
  ]);
  const [old = '', demoted = '', retracted = ''] = ids;
  for (const [place, id] of ids.entries())
    await memory.put(note(`Glockenspiel ${place} is next to it`, { evidence: [id] }));
  await memory.put(note('The zither is in Timbuktu', { supersedes: old }));
  await memory.demote({ id: demoted, scope: mine, by });
  await memory.retract({ id: retracted, scope: mine, by });
  for (const id of ids) {
    const gone = await memory.forget({ scope: mine, selection: { ids: [id] }, mode: 'forget' });
    assert.deepEqual([gone.entries, gone.remains], [2, []]);
  }
  assert.deepEqual(await found(memory, 'glockenspiel'), []);
  assert.deepEqual((await memory.verify(['glockenspiel'])).traces, []);
});

test('the audit has a line for each write, read, promotion, withdrawal and deletion, without their words, and is only added to', async (t) => {
  if (looksIntoFile(t)) return;
  const { memory, ids } = await withFacts(t, [note('The xylophone is blue', { tier: 'session' })]);
  const [id = ''] = ids;
  await memory.archive(exchange('My xylophone is red'));
  await memory.noteRead({
    by: { name: 'Parley', runID: 'run_7' },
    how: 'memory_search',
    shown: [{ id, audience: 'person:per_1' }],
  });
  await memory.promote({ id, scope: mine, by, toTier: 'global', reason: 'of use' });
  await memory.demote({ id, scope: mine, by });
  await memory.retract({ id, scope: mine, by });
  await memory.forget({ scope: mine, selection: { ids: [id] }, mode: 'forget' });
  const audit = await memory.audit({ of: 'person:per_1' });
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['forget', 'retract', 'demote', 'promote', 'read', 'archive', 'put'],
  );
  assert.deepEqual([audit[4]?.runID, audit[4]?.ids], ['run_7', [id]]);
  assert.ok(!JSON.stringify(audit).includes('xylophone'));
  assert.deepEqual(await memory.audit({ of: 'person:per_2' }), []);
  assert.equal((await memory.audit({ of: 'every audience', action: 'read' })).length, 1);
  await assert.rejects(memory.audit({} as Parameters<typeof memory.audit>[0]), { code: 'invalid_audit' });
  const file = new Database(memory.path);
  t.after(() => file.close());
  for (const change of ["UPDATE memory_audit SET actor = 'x'", 'DELETE FROM memory_audit'])
    assert.throws(() => file.exec(change), /only added to/);
});

test('records without a scope are refused (M27)', async (t) => {
  const { memory } = await withFacts(t, []);
  const none = { scope: undefined as unknown as Scope };
  await assert.rejects(memory.records({ text: 'x', ...none }), { code: 'missing_scope' });
  for (const call of ['promote', 'demote', 'retract'] as const)
    await assert.rejects(memory[call]({ id: 'x', by, toTier: 'global', ...none }), { code: 'missing_scope' });
  await assert.rejects(memory.records({ scope: mine, limit: 0 }), { code: 'invalid_limit' });
});
