// How Slack shows something to one person alone, and what happens when it does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ephemeralPart } from '#adapters/gateway/terms/ephemeral-part.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { until } from '../../../support/found.ts';
import { fixture } from '../fixture.ts';

const options = { key: 'k' };

async function asked(t: Parameters<typeof fixture>[0], over: Partial<MessageEvent> = {}) {
  const made = await fixture(t);
  const { sandbox, channel, sink, start } = made;
  await start();
  sandbox.slash({ chat: 'room', user: 'you', command: '/parley', text: 'whoami' });
  await until('the command', () => sink.messages.length === 1);
  const event = { ...(sink.messages[0] as MessageEvent), ...over };
  const ephemeral = channel.ephemeralFor?.(event);
  const [part] = channel.render('for you');
  assert.ok(ephemeral !== undefined && part !== undefined);
  const send = () => channel.send(event.address, ephemeralPart(part, ephemeral), options);
  const called = () =>
    sandbox
      .calls()
      .flatMap(({ name, status }) => (/response|Ephemeral/.test(name) ? [`${name} ${status}`] : []));
  return { ...made, send, called };
}

test('five answers go to the URL of the command, and what follows as ephemeral messages', async (t) => {
  const { sandbox, send, called } = await asked(t);
  for (let count = 0; count < 6; count += 1) await send();
  assert.deepEqual(called(), [
    ...Array.from({ length: 5 }, () => 'response_url 200'),
    'response_url 404',
    'chat.postEphemeral 200',
  ]);
  assert.equal(sandbox.whispers('you').length, 6);
  assert.deepEqual(sandbox.whispers('guest'), []);
});

test('a URL that is not one of Slack is not called', async (t) => {
  const { send, called } = await asked(t, { answerAt: 'http://127.0.0.1:9/commands/T/1' });
  await send();
  assert.deepEqual(called(), ['chat.postEphemeral 200']);
});

test('a pause and a fault of Slack are no reason to give up, and only the fault may have shown it', async (t) => {
  const { sandbox, channel, send } = await asked(t);
  sandbox.inject({ kind: 'rate_limit', target: 'send', times: 1, retryAfterMs: 1_000 });
  sandbox.inject({ kind: 'server_error', target: 'send', times: 1 });
  sandbox.inject({ kind: 'lost_response', target: 'send', times: 1 });
  for (const maybeDelivered of [false, true, true]) {
    const error: unknown = await send().then(
      () => assert.fail('it was sent'),
      (reason: unknown) => reason,
    );
    const failure = channel.explain(error);
    assert.deepEqual([failure.kind, failure.maybeDelivered], ['transient', maybeDelivered]);
  }
});

test('anyone who left the room cannot be shown anything there, permanently', async (t) => {
  const { sandbox, channel, send } = await asked(t, { answerAt: undefined });
  sandbox.places.leaveRoom(sandbox.userID('you'), 'C0ROOM000', 'left');
  await assert.rejects(send, (error) => channel.explain(error).kind === 'permission');
});
