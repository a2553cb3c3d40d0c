// Knowledge over HTTP and as a tool of runs: Tandem's shapes, one audience, and a line in the audit for what is shown.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { refusalOf } from '#engine/client/client.ts';
import { clientInProcess } from '#engine/in-process-client.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { begin, originOf, textBody } from '../support/kit.ts';
import { openService } from './service-kit.ts';

const refused = (code: string) => (error: unknown) => refusalOf(error)?.code === code;

async function opened(t: TestContext) {
  const service = await openService(t);
  const { engine } = service.kit;
  const { memory } = clientInProcess(engine, { clock: service.clock, log: quietLog().log, version: '1' });
  const known = async (content: string, audience?: string) => {
    const more = audience === undefined ? {} : { audience };
    const { id } = await memory.put(content, { ...more, artifact_refs: ['art_1'] });
    const promote = {
      source_memory_id: id ?? '',
      subject: 'Restart of the till',
      reason: 'It works.',
      ...more,
    };
    return { id: id ?? '', ...(await memory.promoteKnowledge(promote)) };
  };
  return { service, memory, known };
}

test('knowledge is promoted, asked before work, listed and taken back in the shapes that Tandem has', async (t) => {
  const { memory, known, service } = await opened(t);
  const none = await memory.preflight('restart of the till', { project_id: 'shop' });
  assert.deepEqual(none, {
    project_id: 'shop',
    namespace: null,
    task_family: 'general',
    subject: 'restart of the till',
    coverage_key: 'shop::-::general::restart-of-the-till',
    decision: 'no_prior_knowledge',
    reuse_reason: null,
    skip_reason: 'nothing that is known covers this',
    freshness_reason: null,
    items: [],
    related: [],
    audit_id: null,
  });
  const { id, item, scrub_report } = await known('Hold the blue switch.');
  assert.deepEqual(scrub_report, { status: 'passed', redactions: 0 });
  assert.deepEqual(
    [item.title, item.summary, item.space_id, item.artifact_refs, item.source_memory_ids, item.reason],
    ['Restart of the till', 'Hold the blue switch.', 'person:operator', ['art_1'], [id], 'It works.'],
  );
  const { body, status } = await service.ask('POST', '/memory/preflight', {
    subject: 'RESTART of the till',
    project_id: 'shop',
    run_id: 'run_7',
  });
  assert.deepEqual([status, body.decision, body.items], [200, 'reuse_promoted', [item]]);
  const [line] = (await memory.audit({ run_id: 'run_7' })).events;
  assert.deepEqual(
    [line?.audit_id, line?.action, line?.memory_ids, line?.detail],
    [body.audit_id, 'read', [item.item_id], { how: 'asked what is known of a piece of work' }],
  );
  assert.deepEqual((await memory.knowledge()).items, [item]);
  assert.equal(
    (await memory.preflight('restart of the till', { audience: 'person:per_2' })).decision,
    none.decision,
  );
  assert.equal((await memory.knowledge({ audience: 'person:per_2' })).count, 0);
  const somewhereElse = { audience: 'person:per_2' };
  await assert.rejects(memory.withdrawKnowledge(item.item_id, somewhereElse), refused('MEMORY_NOT_FOUND'));
  assert.equal((await memory.withdrawKnowledge(item.item_id)).items, 1);
  await assert.rejects(memory.withdrawKnowledge(item.item_id), refused('MEMORY_NOT_FOUND'));
  assert.equal((await memory.preflight('restart of the till')).decision, none.decision);
});

test('what does not fit is refused with 400, 404 or 409', async (t) => {
  const { memory, service } = await opened(t);
  const session_id = await service.session();
  const { id } = await memory.put('of one session', { tier: 'session', session_id });
  const promote = { source_memory_id: id ?? '', subject: 'x', reason: 'y' };
  await assert.rejects(memory.promoteKnowledge(promote), refused('MEMORY_NOT_PROMOTED'));
  await assert.rejects(
    memory.promoteKnowledge({ ...promote, source_memory_id: 'mem_none' }),
    refused('MEMORY_NOT_FOUND'),
  );
  await assert.rejects(memory.promoteKnowledge({ ...promote, subject: '?!' }), refused('INVALID_KNOWLEDGE'));
  await assert.rejects(memory.preflight('?!'), refused('INVALID_PREFLIGHT'));
  for (const body of [
    {},
    { subject: '' },
    { subject: 'x', scope: 'all' },
    { subject: 'x', trust_floor: 'any' },
  ])
    assert.equal((await service.ask('POST', '/memory/preflight', body)).status, 400, JSON.stringify(body));
  const { source_memory_id, subject } = promote;
  assert.equal(
    (await service.ask('POST', '/memory/knowledge/promote', { source_memory_id, subject })).status,
    400,
  );
});

test('a run asks for what its own chat may know, and gets it as evidence', async (t) => {
  const { service, known } = await opened(t);
  await known('Hold the <b>blue</b> switch.', 'person:per_1');
  await known('Theirs: hold the red switch.', 'person:per_2');
  const { engine } = service.kit;
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const runID = await begin(engine, id, textBody('please restart the till', originOf()));
  const asked = await service.raw.next();
  asked.callTool('memory_preflight', { subject: 'Restart of the till' });
  const next = await service.raw.next();
  const told = String(next.body.messages.findLast(({ role }) => role === 'tool')?.content);
  next.say('Done.');
  next.finish();
  await engine.finished(runID);
  assert.match(told, /"decision":"reuse_promoted"/);
  assert.match(told, /Hold the &lt;b&gt;blue/);
  assert.ok(!told.includes('red switch'));
  const [line] = await service.kit.memory.audit({ of: 'person:per_1', runID });
  assert.deepEqual([line?.action, line?.detail], ['read', { how: 'memory_preflight' }]);
});

test('before work in one project, or in none, nothing of another one is shown, over HTTP and to a run', async (t) => {
  const { service, memory } = await opened(t);
  for (const [project_id, content] of [
    ['bakery', 'Bakery: hold the blue switch.'],
    [undefined, 'Everywhere: hold the green switch.'],
  ] as const) {
    const { id } = await memory.put(content, { audience: 'person:per_1' });
    const promote = { source_memory_id: id ?? '', subject: 'Restart of the till', reason: 'It works.' };
    await memory.promoteKnowledge({ ...promote, project_id, audience: 'person:per_1' });
  }
  const shown = async (subject: string, project_id?: string): Promise<string[]> => {
    const { items, related } = await memory.preflight(subject, { project_id, audience: 'person:per_1' });
    return [...items, ...related].map(({ summary }) => summary.split(':')[0] ?? '').sort();
  };
  const { engine } = service.kit;
  const told = async (subject: string, projectID?: string): Promise<string> => {
    const { id } = await engine.createSession({ sourceKind: 'channel', projectID });
    const runID = await begin(engine, id, textBody('please restart the till', originOf()));
    (await service.raw.next()).callTool('memory_preflight', { subject });
    const next = await service.raw.next();
    next.say('Done.');
    next.finish();
    await engine.finished(runID);
    return String(next.body.messages.findLast(({ role }) => role === 'tool')?.content);
  };
  for (const subject of ['Restart of the till', 'how the till is restarted']) {
    assert.deepEqual(await shown(subject, 'bakery'), ['Bakery', 'Everywhere'], subject);
    for (const project of ['garage', undefined]) {
      assert.deepEqual(await shown(subject, project), ['Everywhere'], `${subject}, ${project}`);
      assert.match(await told(subject, project), /Everywhere/);
      assert.doesNotMatch(await told(subject, project), /Bakery/);
    }
  }
});
