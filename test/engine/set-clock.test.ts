// The machine's clock is set back or on by an hour while a run is at work: what it waits for takes as long as before.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createManualClock } from '../support/manual-clock.ts';
import { openService, type Service } from './http/service-kit.ts';
import { begin, openKit, textBody, watch } from './support/kit.ts';
import { startRaw } from './support/raw-provider.ts';

const hour = 3_600_000;
const policy = { tools: { todo_write: 'ask' } } as const;

/** A run whose model asks for approval to call a tool; gives its id and the request that waits. */
async function asking(service: Service, id: string) {
  const { runID, call } = await service.prompt(id, 'plan');
  const events = service.kit.engine.events({ runID, afterSeq: 0 }, AbortSignal.timeout(20_000));
  call.callTool('todo_write', { todos: [{ id: '1', content: 'water the plants', status: 'pending' }] });
  for await (const event of events) if (event.type === 'permission.asked') break;
  const [request] = (await service.ask('GET', '/permission')).body;
  return { runID, requestID: request.requestID as string };
}

/** A run whose model has said a word. */
async function speaking(t: TestContext) {
  const clock = createManualClock();
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { clock, model: raw.settings });
  const { id } = await engine.createSession({});
  const events = watch(t, engine, { sessionID: id });
  const runID = await begin(engine, id, textBody('hello'));
  const call = await raw.next();
  const say = async (word: string): Promise<void> => {
    call.say(word);
    await events.until((event) => event.type === 'message.part.updated' && event.properties.delta === word);
  };
  await say('One ');
  return { clock, engine, runID, call, say };
}

test('a model that goes silent is given up in its time when the clock is set back', async (t) => {
  const { clock, engine, runID, call } = await speaking(t);
  clock.jump(-hour);
  await clock.advance(91_000);
  assert.equal((await engine.getRun({ runID })).status, 'error');
  await call.closed;
});

test('a model that is at work is not given up when the clock is set on', async (t) => {
  const { clock, engine, runID, call, say } = await speaking(t);
  await clock.advance(60_000);
  await say('two ');
  clock.jump(hour);
  await clock.advance(60_000);
  assert.equal((await engine.getRun({ runID })).status, 'running');
  call.say('three.');
  call.finish();
  assert.equal((await engine.finished(runID)).text, 'One two three.');
});

test('a run has all of its time when the clock is set on before it waits for a person', async (t) => {
  const service = await openService(t, { policy, limits: { totalMs: 60_000, permissionMs: 900_000 } });
  const { runID, call } = await service.prompt(await service.session(), 'plan');
  const events = service.kit.engine.events({ runID, afterSeq: 0 }, AbortSignal.timeout(20_000));
  service.clock.jump(hour);
  call.callTool('todo_write', { todos: [] });
  for await (const event of events) if (event.type === 'permission.asked') break;
  const [request] = (await service.ask('GET', '/permission')).body;
  await service.ask('POST', `/permission/${request.requestID}/reply`, { reply: 'once' });
  const next = await service.raw.next();
  await service.clock.advance(20_000);
  assert.equal((await service.kit.engine.getRun({ runID })).status, 'running');
  next.say('Done.');
  next.finish();
  assert.equal((await service.kit.engine.finished(runID)).status, 'completed');
});

test('an approval is taken within its time when the clock is set on, and refused after it when it is set back', async (t) => {
  const service = await openService(t, { policy, limits: { permissionMs: 900_000 } });
  const first = await asking(service, await service.session());
  service.clock.jump(hour);
  const taken = await service.ask('POST', `/permission/${first.requestID}/reply`, { reply: 'once' });
  assert.equal(taken.status, 200);
  const call = await service.raw.next();
  call.say('Done.');
  call.finish();
  await service.kit.engine.finished(first.runID);
  const second = await asking(service, await service.session());
  service.clock.jump(-hour);
  await service.clock.advance(900_000);
  const late = await service.ask('POST', `/permission/${second.requestID}/reply`, { reply: 'once' });
  assert.equal(late.status, 409);
  assert.match(late.body.error, /expired/);
});

test('a request that outlives its process waits no longer than was meant when the clock is set back in the meantime', async (t) => {
  const service = await openService(t, { policy, limits: { permissionMs: 900_000 } });
  const { requestID } = await asking(service, await service.session());
  await service.restart();
  service.clock.jump(-hour);
  await service.restart();
  await service.clock.advance(900_000);
  const late = await service.ask('POST', `/permission/${requestID}/reply`, { reply: 'once' });
  assert.equal(late.status, 409);
  assert.match(late.body.error, /expired/);
});
