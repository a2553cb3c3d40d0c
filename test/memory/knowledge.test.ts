// Knowledge: records promoted for reuse, asked for before work by what they cover, inside one audience, and gone with what they were made of.
import assert from 'node:assert/strict';
import Database from 'better-sqlite3';
import { coverageKeyOf } from '#memory/records/coverage-key.ts';
import type { PreflightQuery, PromotingKnowledge } from '#memory/types/knowledge.ts';
import type { Note } from '#memory/types/note.ts';
import type { Scope } from '#memory/types/scope.ts';
import { clockOf } from '../support/clock-of.ts';
import { looksIntoFile, test } from './each-store.ts';
import { by, note, withFacts } from './facts.ts';
import { mine, openMemory, start } from './open-memory.ts';

const fact = 'To restart the till hold the blue switch for four seconds.';

async function stage(t: Parameters<typeof withFacts>[0], notes: readonly Note[] = [note(fact)]) {
  const { memory, ids } = await withFacts(t, notes);
  const [id = ''] = ids;
  const promote = (more: Partial<PromotingKnowledge> = {}) =>
    memory.promoteKnowledge({
      id,
      scope: mine,
      by,
      subject: 'Restart of the till',
      reason: 'it works',
      ...more,
    });
  const ask = (more: Partial<PreflightQuery> = {}) =>
    memory.preflight({ scope: mine, subject: 'restart of the TILL!', ...more });
  return { memory, ids, id, promote, ask };
}

test('a coverage key is the same whatever the case, the spaces and the punctuation, and another one for another project', () => {
  const key = (subject: string, more = {}) => coverageKeyOf({ subject, ...more });
  assert.equal(key('  Restart – of the “Till” '), '-::-::general::restart-of-the-till');
  assert.equal(key('restart of the till'), key('RESTART OF\nTHE TILL?'));
  assert.equal(key('Größe 数据'), key('größe-数据'));
  assert.notEqual(key('a', { projectID: 'p' }), key('a'));
  assert.notEqual(key('a', { projectID: 'p::x' }), key('a', { projectID: 'p', namespace: 'x' }));
  assert.notEqual(key('b', { taskFamily: 'a' }), key('a b'));
});

test('before work a run learns what covers it, why it can be reused, and nothing where nothing does', async (t) => {
  const { promote, ask, id, memory } = await stage(t);
  assert.deepEqual(await ask(), {
    coverageKey: '-::-::general::restart-of-the-till',
    decision: 'no_prior_knowledge',
    reason: 'nothing that is known covers this',
    items: [],
    related: [],
  });
  const { item, scrub, auditID } = await promote();
  assert.deepEqual(
    [item.record.id, item.trust, item.promotedBy, scrub.status],
    [id, 'promoted', 'operator', 'passed'],
  );
  const known = await ask();
  assert.deepEqual([known.decision, known.items], ['reuse_promoted', [item]]);
  assert.equal(known.items[0]?.record.text, fact);
  assert.equal((await ask({ taskFamily: 'repair' })).decision, 'no_prior_knowledge');
  const { decision, related } = await ask({ subject: 'how the till is restarted' });
  assert.deepEqual([decision, related.map((each) => each.id)], ['no_prior_knowledge', [item.id]]);
  assert.deepEqual((await ask({ subject: 'the weather in Oslo' })).related, []);
  const [line] = await memory.audit({ of: 'person:per_1' });
  assert.deepEqual([line?.id, line?.action, line?.ids], [auditID, 'promote', [id, item.id]]);
  assert.ok(!JSON.stringify(line).includes('till'), 'without its words');
});

test('it is kept once for one coverage, what was approved goes first, and a floor passes over the rest', async (t) => {
  const { promote, ask, ids, memory } = await stage(t, [note(fact), note('Pull the plug of the till.')]);
  const first = await promote();
  const again = await promote({ subject: 'RESTART of the till' });
  assert.equal(again.item.id, first.item.id);
  assert.equal((await ask({ trustFloor: 'approved_default' })).decision, 'no_prior_knowledge');
  await promote({ id: ids[1] ?? '', trust: 'approved_default' });
  const known = await ask();
  assert.deepEqual(
    [known.decision, known.items.map(({ record }) => record.text)],
    ['reuse_approved_default', ['Pull the plug of the till.', fact]],
  );
  assert.equal((await ask({ trustFloor: 'approved_default' })).items.length, 1);
  assert.equal((await memory.knowledge({ scope: mine })).length, 2);
});

test('what is out of date, or has a later version, is reported and not reused', async (t) => {
  let now = start;
  const memory = openMemory(t, { clock: clockOf(() => now) });
  const saved = await memory.put(note(fact));
  const id = 'id' in saved ? saved.id : '';
  const promote = { id, scope: mine, by, subject: 'till' };
  await memory.promoteKnowledge({ ...promote, freshUntil: start + 10_000 });
  const ask = (more: Partial<PreflightQuery> = {}) =>
    memory.preflight({ scope: mine, subject: 'till', ...more });
  assert.equal(
    (await ask({ freshMs: 0 })).decision,
    'reuse_promoted',
    'its own time goes before what is asked',
  );
  now += 10_000;
  const late = await ask();
  assert.deepEqual([late.decision, late.items.length], ['refresh_required', 1]);
  assert.match(late.reason, /was to hold until 2026-11-20T09:30:10/);
  await memory.promoteKnowledge(promote);
  assert.equal((await ask()).decision, 'reuse_promoted');
  now += 1;
  assert.equal((await ask({ freshMs: 0 })).decision, 'refresh_required');
  await memory.put(note('Hold it for five seconds.', { supersedes: id }));
  const later = await ask();
  assert.deepEqual(
    [later.decision, later.items[0]?.record.text],
    ['refresh_required', 'Hold it for five seconds.'],
  );
  assert.match(later.reason, /later version/);
  await memory.promoteKnowledge(promote);
  assert.equal((await ask()).decision, 'reuse_promoted', 'promoted again it is the later version');
});

test('a record that is demoted, retracted or expired is no knowledge, and one of a session cannot become it', async (t) => {
  const { promote, ask, ids, memory } = await stage(t, [
    note(fact),
    note('Second.', { expiresAt: start + 1 }),
    note('Third.', { tier: 'session', sessionID: 's' }),
    note('Fourth.', { tier: 'project', projectID: 'shop' }),
  ]);
  const [id = '', , ofSession = '', ofProject = ''] = ids;
  await promote();
  await memory.demote({ id, scope: mine, by });
  assert.equal((await ask()).decision, 'no_prior_knowledge');
  await assert.rejects(promote(), { code: 'not_active' });
  await memory.promote({ id, scope: mine, by, toTier: 'global' });
  assert.equal((await ask()).decision, 'reuse_promoted');
  await memory.retract({ id, scope: mine, by });
  assert.equal((await ask()).decision, 'no_prior_knowledge');
  await assert.rejects(promote({ id: ofSession }), { code: 'not_promoted' });
  await assert.rejects(promote({ id: ofProject, projectID: 'other' }), { code: 'not_promoted' });
  await assert.rejects(promote({ id: 'mem_none' }), { code: 'memory_not_found' });
  for (const subject of ['', ' ?! ', 'x'.repeat(201)]) {
    await assert.rejects(promote({ id: ofProject, subject }), { code: 'invalid_knowledge' });
    await assert.rejects(ask({ subject }), { code: 'invalid_preflight' });
  }
  await promote({ id: ofProject, subject: 'till' });
  assert.equal((await ask({ subject: 'till' })).decision, 'no_prior_knowledge', 'it is of a project');
  assert.equal((await ask({ subject: 'till', projectID: 'shop' })).decision, 'reuse_promoted');
  const somewhereElse: Scope = { ...mine, sessionID: 's', projectID: 'other' };
  assert.equal(
    (await ask({ subject: 'till', projectID: 'shop', scope: somewhereElse })).decision,
    'no_prior_knowledge',
  );
});

test('of a project that is asked for, what is for every project is reused too, after its own', async (t) => {
  const { promote, ask, ids } = await stage(t, [note(fact), note('In the shop use the red switch.')]);
  await promote();
  assert.equal((await ask({ projectID: 'shop' })).decision, 'reuse_promoted');
  await promote({ id: ids[1] ?? '', projectID: 'shop' });
  const texts = (await ask({ projectID: 'shop' })).items.map(({ record }) => record.text);
  assert.deepEqual(texts, ['In the shop use the red switch.', fact]);
  assert.deepEqual(
    (await ask()).items.map(({ record }) => record.text),
    [fact],
  );
});

test('secrets in what it is called are masked, and in a record that was stored before they were looked for (M44)', async (t) => {
  if (looksIntoFile(t)) return;
  const { promote, ask, memory } = await stage(t);
  const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
  const { item } = await promote({ subject: `till ${key}`, namespace: key, reason: key });
  assert.ok(!JSON.stringify(item).includes(key));
  assert.equal((await ask({ subject: 'till' })).related.length, 1);
  const file = new Database(memory.path);
  file.prepare('UPDATE memory_records SET content = ?').run(`The till opens with ${key}.`);
  const { scrub } = await promote({ subject: 'opening' });
  assert.deepEqual([scrub.status, scrub.redactions], ['redacted', 1]);
  const { items } = await ask({ subject: 'opening' });
  assert.equal(items[0]?.record.text, 'The till opens with [redacted:github token].');
  file.prepare('UPDATE memory_records SET content = ?').run(key);
  file.close();
  await assert.rejects(promote(), { code: 'not_promoted' });
});

test('knowledge that was taken back covers nothing, its record stays, and forgetting the record leaves no word of either', async (t) => {
  if (looksIntoFile(t)) return;
  const { promote, ask, id, memory } = await stage(t);
  const stranger: Scope = { audiences: ['person:per_2'], spaces: [], everyone: true };
  const { item } = await promote({ subject: 'Xylophone of the till', namespace: 'marimba' });
  await assert.rejects(memory.withdrawKnowledge({ id: item.id, scope: stranger, by }), {
    code: 'memory_not_found',
  });
  assert.equal((await memory.withdrawKnowledge({ id, scope: mine, by })).items, 1);
  assert.equal((await ask({ subject: 'xylophone of the till' })).decision, 'no_prior_knowledge');
  assert.deepEqual((await memory.verify(['xylophone', 'marimba'])).traces, []);
  assert.equal((await memory.records({ scope: mine, ids: [id] })).length, 1);

  await promote({ subject: 'Xylophone of the till', namespace: 'marimba', reason: 'glockenspiel' });
  const lines = await Array.fromAsync(memory.export({ scope: mine }));
  assert.deepEqual(
    lines.map(({ type }) => type),
    ['record', 'knowledge'],
  );
  const selection = { words: 'xylophones marimba' };
  const preview = await memory.forget({ scope: mine, selection, mode: 'preview' });
  assert.equal(preview.entries, 1, 'it is also meant by what it is called');
  assert.equal((await memory.forget({ scope: stranger, selection, mode: 'preview' })).entries, 0);
  const { remains } = await memory.forget({ scope: mine, selection, mode: 'forget' });
  assert.deepEqual(remains, []);
  assert.deepEqual(await memory.verify(['xylophone', 'marimba', 'glockenspiel', 'switch']), {
    problems: [],
    traces: [],
  });
  assert.deepEqual(await memory.knowledge({ scope: mine }), []);
});

test('an agent takes no knowledge back that is made of what another agent noted for itself', async (t) => {
  const where = { audience: 'person:per_1', restricted: true, partition: 'agt_1' } as const;
  const { memory, id } = await stage(t, [note(fact, { where })]);
  const of = (partition: string): Scope => ({ ...mine, partition });
  const { item } = await memory.promoteKnowledge({ id, scope: of('agt_1'), by, subject: 'The till' });
  for (const scope of [mine, of('agt_2')])
    await assert.rejects(memory.withdrawKnowledge({ id: item.id, scope, by }), { code: 'memory_not_found' });
  assert.equal((await memory.withdrawKnowledge({ id: item.id, scope: of('agt_1'), by })).items, 1);
});

test('knowledge is listed in pages of 1 to 1000, and other limits are refused', async (t) => {
  const { promote, ids, memory } = await stage(t, [note(fact), note('Pull the plug of the till.')]);
  await promote();
  await promote({ id: ids[1] ?? '', subject: 'plug' });
  const subjects = async (page: { limit?: number; offset?: number }): Promise<string[]> =>
    (await memory.knowledge({ scope: mine, ...page })).map(({ subject }) => subject);
  const all = await subjects({ limit: 1_000 });
  assert.equal(all.length, 2);
  assert.deepEqual(await subjects({}), all);
  assert.deepEqual(await subjects({ limit: 1 }), all.slice(0, 1));
  assert.deepEqual(await subjects({ limit: 1, offset: 1 }), all.slice(1));
  for (const page of [{ limit: 0 }, { limit: 1_001 }, { limit: 1.5 }, { offset: -1 }])
    await assert.rejects(subjects(page), { code: 'invalid_limit' });
});

test('the refusal of a record that is not found any more says why', async (t) => {
  const { promote, id, memory } = await stage(t);
  await memory.demote({ id, scope: mine, by });
  await assert.rejects(promote(), {
    message: `The record ${id} is demoted; only what is found can be reused.`,
  });
  await memory.promote({ id, scope: mine, by, toTier: 'global' });
  await memory.retract({ id, scope: mine, by });
  await assert.rejects(promote(), {
    message: `The record ${id} is retracted; only what is found can be reused.`,
  });
});

test('what is like the work in another project is not shown, and what is for every project is', async (t) => {
  const { promote, ask } = await stage(t);
  await promote({ projectID: 'bakery' });
  const relatedIn = async (projectID: string) =>
    (await ask({ subject: 'how the till is restarted', projectID })).related.length;
  assert.equal(await relatedIn('bakery'), 1);
  assert.equal(await relatedIn('garage'), 0);
  await promote();
  assert.equal(await relatedIn('garage'), 1);
});
