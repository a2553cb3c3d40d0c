// `/people` over HTTP, next to a gateway: who may call it, what it answers, and what it refuses with a message.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Gateway } from '#adapters/gateway/gateway.ts';
import type { Operation } from '#engine/operations/operation.ts';
import { peopleOperations } from '#engine/wire/channels/channel-operations.ts';
import type { Harness } from '../harness.ts';
import { message } from '../scripted-channel.ts';
import { adminAsk } from './admin-ask.ts';
import { codes, from, start } from './stranger-kit.ts';

type Ask = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; code?: string; text: string }>;

const routesOf = (gateway: () => Gateway | undefined): Ask => {
  const send = adminAsk(gateway);
  return async (method, path, body) => {
    const { status, text, body: answer } = await send(method, path, body);
    const isThis = (of: string): boolean => new RegExp(`^${of.replace(/:\w+/g, '[^/]+')}$`).test(path);
    const declared = Object.values<Operation>(peopleOperations).find(
      (one) => one.method === method && isThis(one.path),
    );
    if (status === 200 && text !== '{"ok":true}') declared?.output.parse(answer);
    return { status, text, ...(typeof answer.code === 'string' && { code: answer.code }) };
  };
};

/** A gateway with an owner of the config and as many strangers as wait with a code. */
async function open(t: TestContext, strangers: number): Promise<{ h: Harness; ask: Ask }> {
  const h = await start(t, { people: { boss: { role: 'owner', accounts: ['discord:u9'] } } });
  for (let number = 1; number <= strangers; number += 1) {
    await h.channel.sink.accept(message(`s${number}`, 'admit me', from(number)));
    await h.seen('a code', () => codes(h)[number - 1]);
  }
  return { h, ask: routesOf(() => h.gateway) };
}

test('without the token nothing is told, and before the gateway is there it says to try again', async () => {
  const send = adminAsk(() => undefined);
  for (const path of ['/people', '/people/boss'])
    assert.equal((await send('GET', path, undefined, 'wrong')).status, 401, path);
  const starting = await routesOf(() => undefined)('GET', '/people');
  assert.equal(starting.status, 503);
  assert.match(starting.text, /"retryable":true/);
});

test('a body is refused where a field is unknown, empty or too long, and a code that nobody has is not found', async (t) => {
  const { ask } = await open(t, 0);
  for (const body of [
    {},
    { code: '' },
    { code: 'x'.repeat(41) },
    { code: 'x', king: true },
    { code: 'x', role: 'king' },
  ])
    assert.equal((await ask('POST', '/people/approve', body)).status, 400, JSON.stringify(body));
  assert.equal((await ask('POST', '/people/deny', { code: '' })).status, 400);
  const long = await ask('POST', '/people/deny', { code: 'x', filler: 'y'.repeat(1_048_576) });
  assert.deepEqual([long.status, long.code], [413, 'BODY_TOO_LARGE']);
  for (const code of ['x', 'x'.repeat(40)])
    for (const path of ['/people/approve', '/people/deny']) {
      const answer = await ask('POST', path, { code });
      assert.deepEqual(
        [answer.status, answer.code, /"retryable":false/.test(answer.text)],
        [404, 'UNKNOWN_CODE', true],
      );
    }
});

test('someone is admitted, shown, given another role and removed, each once', async (t) => {
  const { h, ask } = await open(t, 1);
  const [code] = codes(h);
  assert.equal((await ask('POST', '/people/approve', { code, name: 'ann' })).status, 200);
  assert.equal(
    (await ask('POST', '/people/approve', { code, name: 'ann' })).status,
    404,
    'a code is good once',
  );
  assert.match((await ask('GET', '/people/ann')).text, /"role":"member".*discord.*"s1"/);
  assert.match((await ask('PATCH', '/people/ann', { role: 'guest' })).text, /"role":"guest"/);
  assert.equal((await ask('PATCH', '/people/boss', { role: 'guest' })).code, 'PERSON_IN_CONFIG');
  assert.equal((await ask('DELETE', '/people/ann/accounts/discord:s9')).code, 'UNKNOWN_ACCOUNT');
  assert.equal((await ask('DELETE', '/people/ann')).status, 200);
  assert.equal((await ask('DELETE', '/people/ann')).status, 404);
  assert.doesNotMatch((await ask('GET', '/people')).text, /"ann"/);
});

test('a second account of a person is admitted with the role that they have, and another role is refused', async (t) => {
  const { h, ask } = await open(t, 2);
  const [first, second] = codes(h);
  await ask('POST', '/people/approve', { code: first, name: 'ann', role: 'member' });
  const again = { code: second, name: 'ann', samePerson: true };
  const raised = await ask('POST', '/people/approve', { ...again, role: 'owner' });
  assert.deepEqual([raised.status, raised.code], [409, 'ROLE_DIFFERS']);
  assert.match(raised.text, /ann is known as member already/);
  assert.doesNotMatch((await ask('GET', '/people/ann')).text, /"s2"/, 'a refused code joins nothing');
  assert.equal((await ask('POST', '/people/approve', { ...again, role: 'member' })).status, 200);
  assert.match((await ask('GET', '/people/ann')).text, /"role":"member".*"s1".*"s2"/);
  const none = await ask('DELETE', '/people/ann/accounts/discord:s9');
  assert.match(none.text, /Choose one of discord:s1, discord:s2/);
  assert.equal((await ask('DELETE', '/people/ann/accounts/discord:s1')).status, 200);
  assert.doesNotMatch((await ask('GET', '/people/ann')).text, /"s1"/);
});
