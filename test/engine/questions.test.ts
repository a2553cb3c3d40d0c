// Questions of a run to the person: asked, answered, refused, kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openService, type Service } from './http/service-kit.ts';
import { originOf, textBody } from './support/kit.ts';

const questions = [{ question: 'Which day?', options: ['Monday', 'Friday'] }, { question: 'Why?' }];

async function asked(service: Service, id: string) {
  const { runID, call } = await service.prompt(id, 'plan');
  const events = service.kit.engine.events({ runID, afterSeq: 0 }, AbortSignal.timeout(20_000));
  call.callTool('question', { questions });
  for await (const event of events) if (event.type === 'question.asked') return { runID, event };
  throw new Error('the run ended without asking');
}

async function finish(service: Service, runID: string): Promise<string> {
  const call = await service.raw.next();
  call.say('Good.');
  call.finish();
  assert.equal((await service.kit.engine.finished(runID)).status, 'completed');
  return JSON.stringify(call.body.messages);
}

test('the answers of the person reach the model, each with its question (TAD)', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const { runID, event } = await asked(service, id);
  const [request] = (await service.ask('GET', '/question')).body;
  assert.deepEqual([request.id, request.questions, request.sessionID], [event.properties.id, questions, id]);
  const few = await service.ask('POST', `/question/${request.id}/reply`, { answer: 'Friday' });
  assert.deepEqual([few.status, few.body.code], [400, 'INVALID_ANSWER']);
  for (const body of [{ answers: [['x']] }, { answer: 1 }, { answer: {} }]) {
    const { body: refused } = await service.ask('POST', `/question/${request.id}/reply`, body);
    assert.match(refused.error, /answer: expected a text, or a list with one text for each question/);
  }
  const nested = await service.ask('POST', `/question/${request.id}/reply`, { answer: [['x']] });
  assert.match(nested.body.error, /answer\.0: .*expected string/);
  const answer = ['Friday', 'It rains on "Monday"'];
  assert.equal((await service.ask('POST', `/question/${request.id}/reply`, { answer })).status, 200);
  const told = await finish(service, runID);
  assert.match(told, /Which day\?.*Friday.*Why\?.*It rains on/s);
  const again = await service.ask('POST', `/question/${request.id}/reply`, { answer });
  assert.equal(again.status, 409);
  const durable = await service.kit.engine.runEvents({ runID, after_seq: 0, limit: 100 });
  const replied = durable.find(({ type }) => type === 'question.replied');
  assert.deepEqual(replied?.properties, {
    sessionID: id,
    runID,
    id: request.id,
    ok: true,
    status: 'answered',
    answer,
  });
});

test('a question that the person refuses, or that expires, reaches the model as such', async (t) => {
  const service = await openService(t, { limits: { questionMs: 3_600_000 } });
  const id = await service.session();
  const first = await asked(service, id);
  assert.equal((await service.ask('POST', `/question/${first.event.properties.id}/reject`)).status, 200);
  assert.match(await finish(service, first.runID), /The person did not want to/);
  const second = await asked(service, id);
  await service.clock.advance(3_600_000);
  assert.match(await finish(service, second.runID), /Nobody answered in time/);
});

test('a question in a room waits no longer than a request for approval does, since everyone there waits with it', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const room = originOf({ kind: 'channel', audience: 'room:r1' });
  await service.kit.engine.prompt(id, { ...textBody('plan', room), canAsk: true });
  const events = service.kit.engine.events({ sessionID: id }, AbortSignal.timeout(20_000));
  (await service.raw.next()).callTool('question', { questions });
  for await (const { type, properties } of events) {
    if (type !== 'question.asked') continue;
    assert.equal(properties.expiresAtMs - properties.requestedAtMs, 15 * 60_000);
    break;
  }
  await service.ask('POST', `/session/${id}/cancel`);
});

test('a question is answered only in the session that asked it, and is over when its run is cancelled', async (t) => {
  const service = await openService(t);
  const [id, other] = [await service.session(), await service.session()];
  const { runID, event } = await asked(service, id);
  const at = (sessionID: string) => `/sessions/${sessionID}/questions/${event.properties.id}/answer`;
  assert.equal((await service.ask('POST', at(other), { answer: ['a', 'b'] })).status, 404);
  await service.ask('POST', `/session/${id}/cancel`);
  assert.equal((await service.kit.engine.getRun({ runID })).status, 'cancelled');
  assert.deepEqual((await service.ask('GET', '/question')).body, []);
  const late = await service.ask('POST', at(id), { answer: ['a', 'b'] });
  assert.match(late.body.error, /no longer needed/);
});

test('a question that was answered after its process died is not asked again', async (t) => {
  const service = await openService(t);
  const id = await service.session();
  const { event } = await asked(service, id);
  await service.restart();
  const path = `/question/${event.properties.id}/reply`;
  const { body } = await service.ask('POST', path, { answer: ['Friday', 'Rain'] });
  assert.match(await finish(service, body.runID), /Friday.*Rain/s);
  assert.deepEqual((await service.ask('GET', '/question')).body, []);
});
