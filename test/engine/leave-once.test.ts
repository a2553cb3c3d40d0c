// Leave that was given once: for one call, by the route of permissions, and only while its run can use it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openService, type Service } from './http/service-kit.ts';
import { asked, asking, finish, todos } from './support/asking.ts';
import { only, textBody, watch } from './support/kit.ts';

const others = [{ id: '2', content: 'sell the house', status: 'pending' }];

/** Waits for the n-th request of the session, and gives it. */
async function nth(service: Service, events: ReturnType<typeof watch>, n: number) {
  await events.until(() => only(events.seen, 'permission.asked').length === n);
  const [request, ...more] = (await service.ask('GET', '/permission')).body;
  assert.deepEqual(more, []);
  return request;
}

const allow = (service: Service, { requestID }: { requestID: string }) =>
  service.ask('POST', `/permission/${requestID}/reply`, { reply: 'once' });

test('an approval of a call is none for the same tool with other arguments, and none for the same call again', async (t) => {
  const service = await openService(t, { policy: asking });
  const id = await service.session();
  const events = watch(t, service.kit.engine, { sessionID: id });
  const { runID, request } = await asked(service, id);
  await allow(service, request);
  (await service.raw.next()).callTool('todo_write', { todos: others });
  const second = await nth(service, events, 2);
  assert.deepEqual(second.args, { todos: others });
  assert.notEqual(second.actionDigest, request.actionDigest);
  assert.deepEqual(
    await service.kit.engine.todos({ sessionID: id }),
    todos,
    'nothing is done before its own leave',
  );
  await service.ask('POST', `/permission/${second.requestID}/reply`, { reply: 'reject' });
  (await service.raw.next()).callTool('todo_write', { todos });
  const third = await nth(service, events, 3);
  assert.equal(third.actionDigest, request.actionDigest);
  assert.notEqual(third.requestID, request.requestID);
  await allow(service, third);
  await finish(service, runID);
});

test('an approval that was given while no process ran is for one call: another call, and the same again, need their own', async (t) => {
  const service = await openService(t, { policy: asking });
  const id = await service.session();
  const { request } = await asked(service, id);
  await service.restart();
  const events = watch(t, service.kit.engine, { sessionID: id });
  await allow(service, request);
  const next = await service.raw.next();
  assert.deepEqual(
    await service.kit.engine.todos({ sessionID: id }),
    todos,
    'the call that was allowed is made',
  );
  next.callTool('todo_write', { todos: others });
  const second = await nth(service, events, 1);
  assert.deepEqual(second.args, { todos: others });
  await service.ask('POST', `/permission/${second.requestID}/reply`, { reply: 'reject' });
  (await service.raw.next()).callTool('todo_write', { todos });
  const third = await nth(service, events, 2);
  assert.equal(third.actionDigest, request.actionDigest);
  await allow(service, third);
  const [active] = await service.kit.engine.activeRuns();
  await finish(service, active?.runID ?? '');
});

test('an approval in one session is none in another', async (t) => {
  const service = await openService(t, { policy: asking });
  const [id, other] = [await service.session(), await service.session()];
  const first = await asked(service, id);
  await service.restart();
  await service.ask('POST', `/session/${id}/prompt_async`, { parts: [{ type: 'text', text: 'continue' }] });
  await service.raw.next();
  await allow(service, first.request); // nobody takes it: the session has gone on
  const { runID, request } = await asked(service, other);
  assert.equal(request.sessionID, other);
  assert.equal(request.actionDigest, first.request.actionDigest);
  await service.ask('POST', `/permission/${request.requestID}/reply`, { reply: 'reject' });
  await finish(service, runID);
  assert.deepEqual(await service.kit.engine.todos({ sessionID: other }), []);
});

test('a request for approval is neither answered nor refused by the routes of questions, nor a question by those of approvals', async (t) => {
  const service = await openService(t, { policy: asking });
  const id = await service.session();
  const { runID, request } = await asked(service, id);
  for (const [path, body] of [
    [`/question/${request.requestID}/reply`, { answer: 'once' }],
    [`/question/${request.requestID}/reject`, {}],
    [`/sessions/${id}/questions/${request.requestID}/answer`, { answer: 'once' }],
  ] as const) {
    const { status, body: refusal } = await service.ask('POST', path, body);
    assert.deepEqual([status, refusal.code], [404, 'REQUEST_NOT_FOUND'], path);
  }
  assert.deepEqual((await service.ask('GET', '/permission')).body, [request]);
  assert.deepEqual(await service.kit.engine.todos({ sessionID: id }), []);
  await service.ask('POST', `/permission/${request.requestID}/reply`, { reply: 'reject' });
  (await service.raw.next()).callTool('question', { questions: [{ question: 'Which day?' }] });
  const events = service.kit.engine.events({ runID, afterSeq: 0 }, AbortSignal.timeout(20_000));
  for await (const event of events) if (event.type === 'question.asked') break;
  const [question] = (await service.ask('GET', '/question')).body;
  for (const [path, body] of [
    [`/permission/${question.id}/reply`, { reply: 'always' }],
    [`/sessions/${id}/tools/${question.id}/approve`, {}],
  ] as const) {
    const { status } = await service.ask('POST', path, body);
    assert.equal(status, 404, path);
  }
  assert.equal((await service.ask('GET', '/question')).body.length, 1);
  await service.ask('POST', `/question/${question.id}/reply`, { answer: 'Friday' });
  await finish(service, runID);
  assert.deepEqual((await service.ask('GET', '/permission/rules')).body, []);
});

test('an approval belongs to its session: the routes of another session cannot give it', async (t) => {
  const service = await openService(t, { policy: asking });
  const [id, other] = [await service.session(), await service.session()];
  const { runID, request } = await asked(service, id);
  for (const word of ['approve', 'deny']) {
    const path = `/sessions/${other}/tools/${request.requestID}/${word}`;
    assert.equal((await service.ask('POST', path, {})).status, 404);
  }
  assert.deepEqual((await service.ask('GET', '/permission')).body, [request]);
  await service.ask('POST', `/sessions/${id}/tools/${request.requestID}/approve`, {});
  await finish(service, runID);
  assert.deepEqual(await service.kit.engine.todos({ sessionID: id }), todos);
});

test('a run that was interrupted is begun again by an answer only while nothing was said in its session since', async (t) => {
  const service = await openService(t, { policy: asking });
  const id = await service.session();
  const { runID, request } = await asked(service, id);
  await service.restart();
  await service.exchange(id, 'never mind', 'As you like.');
  assert.equal((await allow(service, request)).status, 200);
  assert.deepEqual(await service.kit.engine.activeRuns(), []);
  const { runs } = await service.kit.engine.listRuns({ sessionID: id, limit: 10, offset: 0 });
  assert.deepEqual(
    runs.map(({ status }) => status),
    ['completed', 'interrupted'],
  );
  assert.equal(runs[1]?.runID, runID);
  assert.deepEqual(await service.kit.engine.todos({ sessionID: id }), []);
});

test('what a run that died had asked is over when the run that goes on from it ends without the answer', async (t) => {
  const service = await openService(t, { policy: asking });
  const id = await service.session();
  const key = { idempotencyKey: 'k1', retryInterrupted: true };
  const start = () => service.kit.engine.prompt(id, textBody('plan'), key);
  const events = watch(t, service.kit.engine, { sessionID: id });
  await start();
  (await service.raw.next()).callTool('todo_write', { todos });
  const request = await nth(service, events, 1);
  await service.restart();
  const again = await start();
  const runID = again.status === 'started' ? again.runID : '';
  assert.equal(await service.kit.engine.cancelRun(runID), true);
  await service.kit.engine.finished(runID);
  assert.deepEqual((await service.ask('GET', '/permission')).body, []);
  const late = await allow(service, request);
  assert.equal(late.status, 409);
  assert.match(late.body.error, /no longer needed/);
  assert.deepEqual(await service.kit.engine.activeRuns(), []);
});

test('a rule that holds permanently says who gave it, and nobody where nobody said who they are', async (t) => {
  const service = await openService(t, { policy: asking });
  const by = { person: 'per_1', name: 'Ada' };
  for (const who of [by, undefined]) {
    const id = await service.session();
    const { runID, request } = await asked(service, id);
    const path = `/permission/${request.requestID}/reply`;
    await service.ask('POST', path, { reply: 'always', ...(who && { by: who }) });
    await finish(service, runID);
    const [rule] = (await service.ask('GET', '/permission/rules')).body;
    assert.deepEqual(rule.by, who);
    await service.ask('DELETE', `/permission/rules/${rule.id}`);
  }
});

test('the same answer by the same person again is the same success, with the rule that it made and no other', async (t) => {
  const service = await openService(t, { policy: asking });
  const [id, other] = [await service.session(), await service.session()];
  const first = await asked(service, id);
  const ada = { person: 'per_1', name: 'Ada' };
  const reply = async (requestID: string, word: string, by = ada) => {
    const { status, body } = await service.ask('POST', `/permission/${requestID}/reply`, { reply: word, by });
    return [status, body.persistedRule, body.ruleID ?? undefined];
  };
  assert.deepEqual(await reply(first.request.requestID, 'once'), [200, false, undefined]);
  await finish(service, first.runID);
  const second = await asked(service, other);
  const made = await reply(second.request.requestID, 'always');
  const [rule, ...more] = (await service.ask('GET', '/permission/rules')).body;
  assert.deepEqual([made, more], [[200, true, rule.id], []]);
  assert.deepEqual(await reply(second.request.requestID, 'always'), made);
  assert.deepEqual(await reply(first.request.requestID, 'once'), [200, false, undefined]);
  assert.equal((await reply(second.request.requestID, 'always', { ...ada, person: 'per_2' }))[0], 409);
  assert.equal((await reply(second.request.requestID, 'once'))[0], 409);
  assert.deepEqual((await service.ask('GET', '/permission/rules')).body, [rule]);
  await finish(service, second.runID);
});

test('what a run that is stopped had asked is over, and the events of the run say so once', async (t) => {
  const service = await openService(t, { policy: asking });
  const id = await service.session();
  const { runID, request } = await asked(service, id);
  assert.equal(await service.kit.engine.cancelRun(runID), true);
  await service.kit.engine.finished(runID);
  assert.deepEqual((await service.ask('GET', '/permission')).body, []);
  const events = await service.kit.engine.runEvents({ runID, after_seq: 0, limit: 100 });
  assert.deepEqual(
    only(events, 'permission.replied').map(({ properties }) => [properties.requestID, properties.status]),
    [[request.requestID, 'dropped']],
  );
  const late = await allow(service, request);
  assert.deepEqual([late.status, late.body.code], [409, 'REQUEST_SETTLED']);
});

test('a request that a run which was begun again waits for is shown as the request of that run', async (t) => {
  const service = await openService(t, { policy: asking });
  const id = await service.session();
  const how = { idempotencyKey: 'k1', retryInterrupted: true };
  const begun = async (begins = false): Promise<string> => {
    const outcome = await service.kit.engine.prompt(id, textBody('plan'), how);
    const runID = outcome.status === 'started' ? outcome.runID : '';
    const events = service.kit.engine.events({ runID, afterSeq: 0 }, AbortSignal.timeout(20_000));
    if (begins) (await service.raw.next()).callTool('todo_write', { todos });
    for await (const event of events) if (event.type === 'permission.asked') break;
    return runID;
  };
  const first = await begun(true);
  const [request] = (await service.ask('GET', '/permission')).body;
  await service.restart();
  const second = await begun();
  const [again, ...more] = (await service.ask('GET', '/permission')).body;
  assert.deepEqual([request.runID, again.runID, more], [first, second, []]);
  assert.equal(again.requestID, request.requestID);
  await allow(service, again);
  await finish(service, second);
});
