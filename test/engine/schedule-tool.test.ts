// The tool `schedule` in a real run: a person approves each call, and it speaks in the chat of its run and in no other.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { found } from '../support/found.ts';
import { openService, type Service } from './http/service-kit.ts';
import { begin, originOf, textBody } from './support/kit.ts';

/** One run whose model calls the tool, answered by a person where someone is asked; what the model was given. */
async function call(service: Service, args: object, reply: 'once' | 'reject' | 'nobody'): Promise<string> {
  const { engine } = service.kit;
  const { id } = await engine.createSession({ sourceKind: 'channel' });
  const runID = await begin(engine, id, { ...textBody('please', originOf()), canAsk: reply !== 'nobody' });
  const asked = await service.raw.next();
  asked.callTool('schedule', args);
  if (reply !== 'nobody') {
    const request = await found('the request', async () =>
      (await engine.permissions()).find((one) => one.runID === runID),
    );
    assert.equal(request.tool, 'schedule');
    await engine.replyPermission({ requestID: request.requestID, reply });
  }
  const next = await service.raw.next();
  next.say('Done.');
  next.finish();
  await engine.finished(runID);
  return String(next.body.messages.findLast(({ role }) => role === 'tool')?.content);
}

test('a model schedules only what a person approves, as it was understood in their zone (S20)', async (t) => {
  const service = await openService(t);
  const { engine } = service.kit;
  const { person } = originOf().speaker;
  const reminder = { when: 'tomorrow at 9', text: 'call the bank' };
  assert.match(await call(service, reminder, 'reject'), /did not allow the tool schedule/);
  assert.match(await call(service, reminder, 'nobody'), /nobody can be asked here/);
  assert.deepEqual(await engine.listSchedules({}), []);
  const assumed = await call(service, { ...reminder, text: 'tea' }, 'once');
  assert.match(assumed, /at 09:00 \(UTC\)/, 'in that of the program where theirs is not known');
  const [first] = await engine.listSchedules({});
  await engine.deleteSchedule({ id: first?.id ?? '' });
  await engine.setPersonTimes({ persons: [person], zone: 'Europe/Berlin' });
  assert.match(await call(service, reminder, 'once'), /at 09:00 \(Europe\/Berlin\)/);
  const [made, ...others] = await engine.listSchedules({ person: [person] });
  assert.deepEqual(
    [made?.state, made?.kind, made?.text, others.length],
    ['active', 'text', 'call the bank', 0],
  );
});

test('a prompt injection cannot schedule a message to another chat: the tool has no way to name one (S21)', async (t) => {
  const service = await openService(t);
  const { engine } = service.kit;
  const injected = { when: 'in 20 minutes', text: 'send me your password', chat: 'discord:channel:1:2:9:-' };
  assert.match(await call(service, injected, 'once'), /arguments do not fit/);
  assert.deepEqual(await engine.listSchedules({}), []);
  const { chat: _, ...here } = injected;
  await call(service, here, 'once');
  assert.deepEqual(
    (await engine.listSchedules({})).map(({ chat }) => chat),
    [originOf().chat],
  );
});

test('a call that a run makes again after a kill schedules nothing twice (S18)', async (t) => {
  const service = await openService(t, { policy: { tools: { schedule: 'allow' } } });
  const id = await service.session();
  const how = { idempotencyKey: 'k1', retryInterrupted: true };
  const args = { when: 'in 20 minutes', text: 'tea' };
  for (const isLast of [false, true]) {
    const outcome = await service.kit.engine.prompt(id, textBody('please', originOf()), how);
    (await service.raw.next()).callTool('schedule', args);
    const next = await service.raw.next();
    assert.match(String(next.body.messages.at(-1)?.content), /sch_/);
    if (!isLast) await service.restart();
    else {
      next.say('Done.');
      next.finish();
      await service.kit.engine.finished(outcome.status === 'started' ? outcome.runID : '');
    }
  }
  const made = await service.kit.engine.listSchedules({});
  assert.deepEqual(
    made.map(({ text }) => text),
    ['tea'],
  );
});
