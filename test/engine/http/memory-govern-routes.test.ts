// Governed records over HTTP and through the client: versions, tiers, withdrawal, audit, in Tandem's shapes.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { refusalOf } from '#engine/client/client.ts';
import { clientInProcess } from '#engine/in-process-client.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { openService } from './service-kit.ts';

const offline = { model: { provider: 'offline' } } as const;

async function opened(t: TestContext) {
  const service = await openService(t, offline);
  const client = clientInProcess(service.kit.engine, {
    clock: service.clock,
    log: quietLog().log,
    version: '1',
  });
  return { ask: service.ask, memory: client.memory };
}

const refused = (code: string) => (error: unknown) => refusalOf(error)?.code === code;

test('a record is put, found, promoted and demoted with the fields that Tandem sends and answers (T30)', async (t) => {
  const { ask } = await opened(t);
  const put = await ask('POST', '/memory/put', {
    run_id: 'run_1',
    partition: { org_id: 'acme', workspace_id: 'shop', project_id: 'till', tier: 'project' },
    kind: 'solution_capsule',
    content: 'The till is restarted with the blue switch.',
    artifact_refs: ['art_1'],
    classification: 'restricted',
    metadata: { ticket: 'T-1' },
    capability: { subject: 'me' },
  });
  assert.equal(put.status, 200);
  const { id, audit_id, ...rest } = put.body;
  assert.match(`${id} ${audit_id}`, /^mem_\w+ aud_\w+$/);
  assert.deepEqual([rest.stored, rest.tier, rest.partition_key], [true, 'project', 'acme/shop/till/project']);
  const found = await ask('POST', '/memory/search', {
    run_id: 'run_2',
    query: 'how is the till restarted',
    read_scopes: ['project', 'team'],
    partition: { project_id: 'till' },
    limit: 5,
  });
  const [result] = found.body.results as Record<string, unknown>[];
  assert.deepEqual(
    [result?.id, result?.kind, result?.source_type, result?.tier, result?.classification, result?.visibility],
    [id, 'solution_capsule', 'solution_capsule', 'project', 'restricted', 'private'],
  );
  assert.deepEqual(
    [result?.artifact_refs, result?.metadata, result?.memory_trust, result?.rendering_role],
    [['art_1'], { ticket: 'T-1' }, 'human_approved', 'context'],
  );
  assert.equal(Object(result?.governance).user_id, 'me');
  assert.deepEqual([found.body.scopes_used, found.body.blocked_scopes], [['project'], ['team']]);
  const promoted = await ask('POST', '/memory/promote', {
    run_id: 'run_3',
    source_memory_id: id,
    from_tier: 'project',
    to_tier: 'global',
    partition: { project_id: 'till' },
    reason: 'every shop has one',
    review: { required: true, reviewer_id: 'ann', approval_id: 'a1' },
  });
  assert.equal(promoted.status, 200);
  assert.deepEqual(
    [promoted.body.promoted, promoted.body.new_memory_id, promoted.body.to_tier, promoted.body.scrub_report],
    [true, id, 'global', { status: 'passed', redactions: 0, block_reason: null }],
  );
  const demoted = await ask('POST', '/memory/demote', { id, run_id: 'run_4' });
  assert.equal(demoted.body.ok, true);
  assert.deepEqual((await ask('POST', '/memory/search', { query: 'till' })).body.results, []);
  const { events } = (await ask('GET', '/memory/audit')).body as {
    events: { action: string; run_id: string; detail: object }[];
  };
  assert.deepEqual(events.find(({ action }) => action === 'promote')?.detail, {
    from: 'project',
    to: 'global',
    redactions: 0,
    reviewer_id: 'ann',
    approval_id: 'a1',
  });
  assert.deepEqual(
    events.map(({ action, run_id }) => `${action} ${run_id}`),
    ['demote run_4', 'promote run_3', 'read run_2', 'put run_1'],
  );
  assert.doesNotMatch(JSON.stringify(events), /switch|shop/);
});

test('what is put less surely than a fact of its key is asked about in the journal, and an answer chooses', async (t) => {
  const { ask } = await openService(t);
  const fact = { kind: 'fact', key: 'opens', confidence: 0.9, content: 'It opens at nine.' };
  const sure = (await ask('POST', '/memory/put', fact)).body;
  const doubt = (await ask('POST', '/memory/put', { ...fact, confidence: 0.2, content: 'It opens at ten.' }))
    .body;
  assert.deepEqual([sure.question, doubt.contradicts.id], [undefined, sure.id]);
  const { entries } = (await ask('GET', '/memory/journal?status=open')).body;
  assert.deepEqual([entries[0].id, entries[0].title], [doubt.question, 'Which holds of "opens"?']);
  const { status, body } = await ask('PATCH', `/memory/journal/${doubt.question}`, {
    action: 'answered',
    note: 'at ten',
  });
  assert.deepEqual(
    [status, body.status, body.holds.id, body.superseded[0].id],
    [200, 'resolved', doubt.id, sure.id],
  );
});

test('what is not of this engine, not reviewed or not there is refused (T30)', async (t) => {
  const { memory, ask } = await opened(t);
  const { id } = await memory.put('The bike is green.');
  const source_memory_id = id ?? '';
  const promote = { source_memory_id, reason: 'of use' };
  for (const tier of ['team', 'curated'] as const) {
    await assert.rejects(memory.put('x', { tier }), refused('MEMORY_TIER_DENIED'));
    await assert.rejects(memory.promote({ ...promote, to_tier: tier }), refused('MEMORY_TIER_DENIED'));
  }
  const denied = await ask('POST', '/memory/promote', { ...promote, to_tier: 'team' });
  assert.equal(denied.status, 403);
  const review = { required: true };
  await assert.rejects(
    memory.promote({ ...promote, to_tier: 'global', review }),
    refused('MEMORY_REVIEW_MISSING'),
  );
  await assert.rejects(memory.promote({ ...promote, to_tier: 'global' }), refused('MEMORY_NOT_PROMOTED'));
  await assert.rejects(
    memory.promote({ ...promote, from_tier: 'session', to_tier: 'global' }),
    refused('MEMORY_NOT_PROMOTED'),
  );
  await assert.rejects(memory.demote('mem_none'), refused('MEMORY_NOT_FOUND'));
  await assert.rejects(
    memory.demote(source_memory_id, { audience: 'person:per_2' }),
    refused('MEMORY_NOT_FOUND'),
  );
  await assert.rejects(memory.put('x', { tier: 'session' }), refused('INVALID_NOTE'));
  await assert.rejects(memory.get('mem_none'), refused('MEMORY_NOT_FOUND'));
  await assert.rejects(
    memory.get(source_memory_id, { audience: 'person:per_2' }),
    refused('MEMORY_NOT_FOUND'),
  );
});

test('what of a request is not done here is refused under its name, and what is named twice is one thing', async (t) => {
  const { ask, memory } = await opened(t);
  const put = { content: 'The till is red.', kind: 'note' };
  const said = { person: 'per_1', platform: 'discord', chat: 'discord:dm:1:-:2:-' };
  const promote = { source_memory_id: 'mem_1', to_tier: 'global', reason: 'of use' };
  for (const [path, body, name] of [
    ['put', { ...put, capability: { subject: 'me', run_id: 'run_1' } }, 'run_id'],
    ['put', { ...put, capability: { subject: 'me' }, said }, 'capability'],
    ['put', { ...put, project_id: 'a', partition: { project_id: 'b' } }, 'partition'],
    ['put', { ...put, tier: 'global', partition: { tier: 'session' } }, 'partition'],
    ['search', { query: 'till', project_id: 'a', partition: { project_id: 'b' } }, 'partition'],
    ['promote', { ...promote, capability: { subject: 'me' } }, 'capability'],
  ] as const) {
    const answer = await ask('POST', `/memory/${path}`, body);
    assert.deepEqual([answer.status, answer.body.error.includes(name)], [400, true], JSON.stringify(body));
  }
  assert.equal((await memory.list()).count, 0);
});

test('versions and withdrawn facts are shown with why, and never found (M31, M32)', async (t) => {
  const { memory } = await opened(t);
  const first = await memory.put('The door code is 1111.', { kind: 'fact' });
  const second = await memory.put('The door code is 2222.', { kind: 'fact', supersedes: first.id ?? '' });
  const shown = await memory.get(first.id ?? '');
  assert.deepEqual(
    shown.versions.map(({ content, governance }) => [content, governance?.state]),
    [
      ['The door code is 1111.', 'superseded'],
      ['The door code is 2222.', 'active'],
    ],
  );
  await memory.retract(second.id ?? '', { reason: 'the lock was changed' });
  assert.deepEqual((await memory.search('door code')).results, []);
  assert.deepEqual((await memory.list({ user_id: 'operator' })).items, []);
  const { item } = await memory.get(second.id ?? '');
  assert.deepEqual([item.governance?.state, item.governance?.reason], ['retracted', 'the lock was changed']);
  assert.equal((await memory.put('the door code is 2222.')).status, 'retracted');
});

test('the caller is shown what was masked, and neither the list nor the audit has it (M44)', async (t) => {
  const { memory } = await opened(t);
  const put = await memory.put('My password is hunter2, write it down.');
  assert.deepEqual([put.stored, put.redacted], [true, ['password']]);
  assert.equal((await memory.list()).items[0]?.content, 'My password is [redacted:password], write it down.');
  const { item } = await memory.get(put.id ?? '');
  assert.deepEqual([item.governance?.redaction_status, item.governance?.redaction_count], ['redacted', 1]);
  assert.doesNotMatch(JSON.stringify(await memory.audit()), /hunter2/);
});

test('records are searched only by their words, narrowed by tags (TAI)', async (t) => {
  const { memory } = await opened(t);
  await memory.put('The blue kayak leaks.', { channel_tag: 'general', host_tag: 'barn' });
  await memory.put('A kayak for two.', { channel_tag: 'boats' });
  const texts = async (more: Parameters<typeof memory.search>[1]) =>
    (await memory.search('blue kayak', more)).results.map(
      ({ content, score }) => `${content} ${score > 0.99}`,
    );
  assert.deepEqual(await texts({ source: 'records' }), [
    'The blue kayak leaks. true',
    'A kayak for two. false',
  ]);
  assert.deepEqual(await texts({ channel_tag: 'boats' }), ['A kayak for two. false']);
  assert.deepEqual(await texts({ host_tag: 'barn', kind: 'fact' }), []);
  assert.equal((await memory.list({ channel_tag: 'boats' })).count, 1);
});
