// Tokens of persons and agents: who may have one, how long it holds, and what it reads.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createTokens } from '#adapters/gateway/admission/tokens.ts';
import { createIds } from '#base/ids.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { openedLedger } from '../ledger/open-ledger.ts';

const day = 24 * 60 * 60_000;

function stage(t: TestContext) {
  const clock = createManualClock();
  const ledger = openedLedger(t);
  ledger.persons.give(
    { platform: 'discord', userID: 'u1', shownAs: 'Ann' },
    { name: 'Ann', role: 'guest', by: 'approved', at: 1 },
  );
  const reading = { ofPerson: async () => ({ reach: { audiences: [], spaces: [] }, outsiders: false }) };
  const tokens = createTokens({
    ...{ ledger, reading, newId: createIds(clock), now: () => clock.now() },
    settled: async () => undefined,
  });
  return { clock, ledger, tokens };
}

test('a token is of a known person or of an agent, never of both or of neither', async (t) => {
  const { tokens } = stage(t);
  const person = await tokens.create({ person: 'Ann' });
  const agent = await tokens.create({ agent: 'scout', readOnly: true });
  assert.deepEqual(
    (await tokens.list()).map(({ id, readOnly, expiresAtMs }) => [id, readOnly, expiresAtMs]),
    [
      [person.token.id, false, undefined],
      [agent.token.id, true, undefined],
    ],
  );
  await assert.rejects(tokens.create({ person: 'Nobody' }), { code: 'unknown_person' });
  for (const request of [
    {},
    { person: 'Ann', agent: 'scout' },
    { agent: '' },
    { agent: 'a/b' },
    { agent: 'a'.repeat(81) },
  ])
    await assert.rejects(tokens.create(request), { code: 'invalid_token_request' }, JSON.stringify(request));
  await tokens.create({ agent: 'a'.repeat(80) });
});

test('a token holds for 1 to 3650 whole days, and is refused from its last moment on', async (t) => {
  const { tokens, clock } = stage(t);
  for (const expiresInDays of [0, -1, 1.5, 3_651, Number.NaN])
    await assert.rejects(tokens.create({ agent: 'scout', expiresInDays }), { code: 'invalid_token_request' });
  await tokens.create({ agent: 'scout', expiresInDays: 3_650 });
  const { secret, token } = await tokens.create({ agent: 'scout', expiresInDays: 1 });
  assert.equal(token.expiresAtMs, clock.now() + day);
  await clock.advance(day - 1);
  assert.ok('reader' in (await tokens.check(secret)));
  await clock.advance(1);
  const refused = await tokens.check(secret);
  assert.match('refusal' in refused ? refused.refusal : '', /^This token expired on /);
});

test('a use is noted once a minute, and a revoked or unknown token reads nothing', async (t) => {
  const { tokens, clock } = stage(t);
  const { secret, token } = await tokens.create({ person: 'Ann', readOnly: true });
  const usedAt = async () => (await tokens.list())[0]?.usedAtMs;
  const first = clock.now();
  const holder = await tokens.check(secret);
  assert.deepEqual(
    ['reader' in holder && holder.readOnly, 'reader' in holder && holder.agent],
    [true, undefined],
  );
  assert.equal(await usedAt(), first);
  await clock.advance(60_000);
  await tokens.check(secret);
  assert.equal(await usedAt(), first);
  await clock.advance(1);
  await tokens.check(secret);
  assert.equal(await usedAt(), clock.now());
  await tokens.revoke({ id: token.id });
  const revoked = await tokens.check(secret);
  assert.match('refusal' in revoked ? revoked.refusal : '', /^This token was revoked on /);
  for (const unknown of ['parley_none', secret.slice('parley_'.length), ''])
    assert.deepEqual(await tokens.check(unknown), { refusal: 'This token is not known here.' });
  await assert.rejects(tokens.revoke({ id: 'tok_none' }), { code: 'unknown_token' });
});

test('the token of a person who is not admitted any more reads nothing', async (t) => {
  const { tokens, ledger } = stage(t);
  ledger.persons.configure({ Ben: { role: 'guest', accounts: [] } }, 2);
  const { secret } = await tokens.create({ person: 'Ben' });
  const refused = await tokens.check(secret);
  assert.match('refusal' in refused ? refused.refusal : '', /not admitted any more, or has no account/);
});
