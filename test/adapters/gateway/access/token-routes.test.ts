// `/tokens` over HTTP, next to a gateway: who may call it, what it answers, and what it refuses with a message.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createTokenAdmin } from '#adapters/gateway/admission/tokens.ts';
import type { Gateway } from '#adapters/gateway/gateway.ts';
import { createIds } from '#base/ids.ts';
import type { TokenAdmin } from '#engine/wire/channels/channel-operations.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { openedLedger } from '../ledger/open-ledger.ts';
import { adminAsk } from './admin-ask.ts';

function open(t: TestContext, over: Partial<TokenAdmin> = {}) {
  const clock = createManualClock();
  const ledger = openedLedger(t);
  const account = { platform: 'discord' as const, userID: 'u1', shownAs: 'Ann' };
  ledger.persons.give(account, { name: 'Ann', role: 'guest', by: 'approved', at: 1 });
  const admin = { ...createTokenAdmin({ ledger, newId: createIds(clock), now: () => clock.now() }), ...over };
  let tokens: TokenAdmin | undefined = admin;
  const ask = adminAsk(() => (tokens === undefined ? undefined : ({ tokens } as Gateway)));
  return { ask, stop: () => (tokens = undefined) };
}

test('without the token of the server nothing is listed, made or revoked', async (t) => {
  const { ask } = open(t);
  for (const [method, path, body] of [
    ['GET', '/tokens', undefined],
    ['POST', '/tokens', { agent: 'scout' }],
    ['DELETE', '/tokens/tok_1', undefined],
  ] as const) {
    const refused = await ask(method, path, body, 'wrong');
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.retryable],
      [401, 'UNAUTHORIZED', false],
    );
  }
  assert.equal((await ask('GET', '/tokens')).text, '[]');
});

test('a token is made with its secret, listed without it, and revoked by its id', async (t) => {
  const { ask } = open(t);
  const made = await ask('POST', '/tokens', { person: 'Ann', readOnly: true, expiresInDays: 2 });
  assert.equal(made.status, 201);
  const { secret, token } = made.body as { secret: string; token: { id: string } };
  assert.match(secret, /^parley_[\w-]{43}$/);
  const listed = await ask('GET', '/tokens');
  assert.equal(listed.status, 200);
  assert.deepEqual(
    JSON.parse(listed.text).map(({ id, person, readOnly }: Record<string, unknown>) => [
      id,
      person,
      readOnly,
    ]),
    [[token.id, 'Ann', true]],
  );
  assert.ok(!listed.text.includes(secret));
  const revoked = await ask('DELETE', `/tokens/${token.id}`);
  assert.deepEqual([revoked.status, typeof revoked.body.revokedAtMs], [200, 'number']);
});

test('what is wrong is refused with its status, its code and a hint, and says whether to try again', async (t) => {
  const { ask, stop } = open(t);
  for (const [method, path, body, status, code] of [
    ['POST', '/tokens', { person: 'Nobody' }, 404, 'UNKNOWN_PERSON'],
    ['POST', '/tokens', {}, 400, 'INVALID_TOKEN_REQUEST'],
    ['POST', '/tokens', { agent: 'x', king: true }, 400, undefined],
    ['POST', '/tokens', { agent: '' }, 400, undefined],
    ['POST', '/tokens', { agent: 'a'.repeat(201) }, 400, undefined],
    ['POST', '/tokens', { person: 'a'.repeat(201) }, 400, undefined],
    ['POST', '/tokens', '{"agent":', 400, undefined],
    ['POST', '/tokens', ' '.repeat(1_048_577), 413, 'BODY_TOO_LARGE'],
    ['DELETE', '/tokens/tok_none', undefined, 404, 'UNKNOWN_TOKEN'],
  ] as const) {
    const refused = await ask(method, path, body);
    assert.equal(refused.status, status, refused.text);
    if (code !== undefined) assert.equal(refused.body.code, code);
    else assert.notEqual(refused.body.code, 'BODY_TOO_LARGE');
    assert.equal(refused.body.retryable, false);
  }
  stop();
  const starting = await ask('GET', '/tokens');
  assert.deepEqual([starting.status, starting.body.code, starting.body.retryable], [503, 'NOT_READY', true]);
});

test('a fault of the program is answered with a reference, and says nothing of itself', async (t) => {
  const { ask } = open(t, { list: () => Promise.reject(new TypeError('of the program')) });
  const { status, body, text } = await ask('GET', '/tokens');
  assert.deepEqual([status, body.code], [500, 'INTERNAL_ERROR']);
  assert.doesNotMatch(text, /of the program/);
});
