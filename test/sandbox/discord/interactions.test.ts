// The sandbox's slash commands: registering, the three seconds, the token's fifteen minutes, and every answer against the description.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createDiscordSandbox, type DiscordSandbox } from '#sandbox/discord/server.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { discordDescription } from './openapi.ts';
import { type Answer, type Call, caller } from './rest.ts';

const commands = '/applications/{application_id}/commands';
const callback = '/interactions/{interaction_id}/{interaction_token}/callback';
const original = '/webhooks/{webhook_id}/{webhook_token}/messages/@original';
const webhook = '/webhooks/{webhook_id}/{webhook_token}';

interface Opened {
  sandbox: DiscordSandbox;
  clock: ManualClock;
  call: Call;
  answers: Answer[];
  /** Runs `/help` as `you` in the direct message; gives the parameters of its routes. */
  run(): Record<string, string>;
}

/** A sandbox on a clock that the test moves, with `/help` registered. */
async function open(t: TestContext): Promise<Opened> {
  const clock = createManualClock();
  const sandbox = await createDiscordSandbox({ clock });
  t.after(() => sandbox.close());
  const { call, answers } = caller(sandbox);
  await call('PUT', commands, {
    params: { application_id: sandbox.botID },
    body: [{ name: 'help', description: 'what I can do', contexts: [0, 1], integration_types: [0] }],
  });
  const run = () => {
    const { id, token } = sandbox.slash({ chat: 'dm', user: 'you', name: 'help' });
    return { interaction_id: id, interaction_token: token, webhook_id: sandbox.botID, webhook_token: token };
  };
  return { sandbox, clock, call, answers, run };
}

const verdict = ({ status, body }: Answer) => [status, (body as { code?: number } | undefined)?.code];
const deferral = { type: 5 };

test('a command that is not registered cannot be run, and a list that replaces it takes it away', async (t) => {
  const { sandbox, call } = await open(t);
  assert.throws(() => sandbox.slash({ chat: 'dm', user: 'you', name: 'stop' }), { code: 'unknown_command' });
  const params = { application_id: sandbox.botID };
  const wrong = await call('PUT', commands, { params, body: [{ name: 'two words', description: 'x' }] });
  assert.deepEqual(verdict(wrong), [400, 50035]);
  assert.deepEqual(sandbox.commands(), ['help']);
  await call('PUT', commands, { params, body: [{ name: 'stop', description: 'x' }] });
  assert.deepEqual(sandbox.commands(), ['stop']);
  const other = await call('GET', commands, { params: { application_id: sandbox.guildID } });
  assert.deepEqual(verdict(other), [403, 20012]);
});

test('an interaction is acknowledged once, within three seconds, with its own token', async (t) => {
  const { clock, call, run } = await open(t);
  const first = run();
  const wrong = await call('POST', callback, {
    params: { ...first, interaction_token: 'x' },
    body: deferral,
  });
  assert.deepEqual(verdict(wrong), [404, 10062]);
  const odd = await call('POST', callback, { params: first, body: { type: 99 } });
  assert.deepEqual(verdict(odd), [400, 50035]);
  await clock.advance(3_000);
  assert.equal((await call('POST', callback, { params: first, body: deferral })).status, 204);
  assert.deepEqual(verdict(await call('POST', callback, { params: first, body: deferral })), [400, 40060]);
  const late = run();
  await clock.advance(3_001);
  assert.deepEqual(verdict(await call('POST', callback, { params: late, body: deferral })), [404, 10062]);
});

test('a deferred reply shows that the bot thinks until it is edited, which is no edit for those who read it', async (t) => {
  const { sandbox, call, run } = await open(t);
  const params = run();
  const early = await call('PATCH', original, { params, body: { content: 'early' } });
  assert.deepEqual(verdict(early), [404, 10015]);
  await call('POST', callback, { params, body: deferral });
  const shown = () => sandbox.shown('dm', 'you').map(({ text, edited }) => [text, edited]);
  assert.deepEqual(shown(), [['thinking…', false]]);
  const patched = await call('PATCH', original, { params, token: 'none', body: { content: 'the answer' } });
  assert.equal(patched.status, 200);
  assert.deepEqual(shown(), [['the answer', false]]);
  await call('PATCH', original, { params, body: { content: 'another' } });
  await call('POST', webhook, { params, body: { content: 'and more' } });
  assert.deepEqual(shown(), [
    ['another', true],
    ['and more', false],
  ]);
});

test('an ephemeral answer is for one person, and who reads the sign reads what takes its place', async (t) => {
  const { sandbox, call } = await open(t);
  const { id, token } = sandbox.slash({ chat: 'room', user: 'you', name: 'help' });
  const params = {
    interaction_id: id,
    interaction_token: token,
    webhook_id: sandbox.botID,
    webhook_token: token,
  };
  await call('POST', callback, { params, body: { ...deferral, data: { flags: 64 } } });
  const texts = (user: 'you' | 'guest') => sandbox.shown('room', user).map(({ text }) => text);
  await call('POST', webhook, { params, body: { content: 'taken for the text of the sign' } });
  assert.deepEqual([texts('you'), texts('guest')], [['taken for the text of the sign'], []]);
  await call('DELETE', original, { params });
  await call('POST', webhook, { params, body: { content: 'for all' } });
  await call('POST', webhook, { params, body: { content: 'for one', flags: 64 } });
  assert.deepEqual([texts('you'), texts('guest')], [['for all', 'for one'], ['for all']]);
});

test('a token is refused after fifteen minutes, and one that was never given out at once', async (t) => {
  const { clock, call, run } = await open(t);
  const params = run();
  await call('POST', callback, { params, body: deferral });
  const edit = (token: string) =>
    call('PATCH', original, { params: { ...params, webhook_token: token }, body: { content: 'late' } });
  await clock.advance(15 * 60_000 - 1);
  assert.equal((await edit(params.webhook_token ?? '')).status, 200);
  await clock.advance(1);
  assert.deepEqual(verdict(await edit(params.webhook_token ?? '')), [401, 50027]);
  assert.deepEqual(verdict(await edit('never')), [401, 50027]);
});

test('no token is in the record of calls', async (t) => {
  const { sandbox, call, run } = await open(t);
  const params = run();
  await call('POST', callback, { params, body: deferral });
  await call('PATCH', original, { params, body: { content: 'x' } });
  const names = sandbox.calls().map(({ name }) => name);
  assert.deepEqual(names.slice(-2), [
    'POST /interactions/:id/:token/callback',
    'PATCH /webhooks/:id/:token/messages/@original',
  ]);
});

test('every answer about commands fits the OpenAPI description', async (t) => {
  const description = discordDescription();
  if (description === undefined) {
    t.skip('the folder with the platform specifications is not there');
    return;
  }
  const { sandbox, clock, call, answers, run } = await open(t);
  await call('GET', commands, { params: { application_id: sandbox.botID } });
  const params = run();
  await call('PATCH', original, { params, body: { content: 'early' } });
  await call('POST', callback, { params, body: deferral });
  await call('POST', callback, { params, body: deferral });
  await call('GET', original, { params });
  await call('POST', webhook, { params, body: { content: 'the answer' } });
  await call('POST', webhook, { params, body: { content: 'and more' } });
  await call('PATCH', original, { params, body: { content: 'changed' } });
  await call('PATCH', original, { params, body: {} });
  const inRoom = sandbox.slash({ chat: 'room', user: 'guest', name: 'help' });
  await call('POST', callback, {
    params: { interaction_id: inRoom.id, interaction_token: inRoom.token },
    body: { type: 4, data: { content: 'at once' } },
  });
  const single = sandbox.slash({ chat: 'room', user: 'guest', name: 'help' });
  const hidden = {
    ...params,
    interaction_id: single.id,
    interaction_token: single.token,
    webhook_token: single.token,
  };
  await call('POST', callback, { params: hidden, body: { ...deferral, data: { flags: 64 } } });
  await call('GET', original, { params: hidden });
  await call('PATCH', original, { params: hidden, body: { content: 'for you' } });
  await call('POST', webhook, { params: hidden, body: { content: 'more for you', flags: 64 } });
  await call('DELETE', original, { params: hidden });
  await call('DELETE', original, { params: hidden });
  await call('POST', webhook, { params: hidden, body: { content: 'for all' } });
  const app = { application_id: sandbox.botID };
  await call('POST', commands, {
    params: app,
    body: { name: 'launch', description: 'x', type: 4, handler: 2 },
  });
  await call('POST', commands, { params: app, body: { name: 'help', description: 'another', type: 1 } });
  await call('PUT', commands, { params: app, body: [{ name: 'help', description: 'x' }] });
  await clock.advance(15 * 60_000);
  await call('PATCH', original, { params, body: { content: 'late' } });
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(statuses, [
    ...[200, 200, 404, 204, 400, 200, 200, 200, 200, 400, 204],
    ...[204, 200, 200, 200, 204, 404, 200, 201, 200, 400, 401],
  ]);
  assert.deepEqual(
    answers.flatMap((answer) => description.complaints(answer)),
    [],
  );
});
