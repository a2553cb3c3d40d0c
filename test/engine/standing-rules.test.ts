// Permission for a tool: by policy, by a rule, or by asking; what each answer says, and which calls it does not permit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPermissions } from '#engine/permissions/permissions.ts';
import { createRuleRows } from '#engine/permissions/rule-rows.ts';
import { ann, minute, openRequests } from './support/requests-kit.ts';

test('a permission is permanent for one agent and one tool, the policy comes first, and people are asked where they can be', async (t) => {
  const { database, events, process, clock, newId, rows } = openRequests(t);
  const requests = process();
  const rules = createRuleRows(database);
  const policy = { tools: {}, channels: {} };
  const permissions = createPermissions({ policy, requests, rules, events, clock, newId });
  const call = (more: object = {}) => ({
    ...{ sessionID: 'ses_1', runID: 'run_1', userMessageID: 'msg_1', messageID: 'msg_2', callID: 'call_1' },
    ...{ agent: 'main', tool: 'shell', args: {}, ...more },
  });
  const ask = (how: { verdict: 'allow' | 'ask' | 'deny'; canAsk?: boolean }, more: object = {}) =>
    permissions.authorize(call(more), { canAsk: true, signal: new AbortController().signal, ...how });
  assert.deepEqual(await ask({ verdict: 'deny' }), {
    status: 'denied',
    error: 'The tool shell may not be used here.',
  });
  assert.deepEqual(await ask({ verdict: 'allow', canAsk: false }), { status: 'granted' });
  assert.match(JSON.stringify(await ask({ verdict: 'ask', canAsk: false })), /nobody can be asked here/);
  assert.deepEqual(rows.all(), []);
  const replies: unknown[] = [];
  for (const [reply, by] of [
    ['allow', ann],
    ['deny', ann],
    ['reject', undefined],
    ['always', ann],
  ] as const) {
    const decided = ask({ verdict: 'ask' });
    const id = rows.pending()[0]?.id ?? '';
    const { rule, ...given } = permissions.reply(id, reply, by);
    replies.push([given.reply, rule?.tool, rule?.by?.name, await decided]);
  }
  assert.deepEqual(replies, [
    ['once', undefined, undefined, { status: 'granted' }],
    ['reject', undefined, undefined, { status: 'denied', error: 'Ann did not allow the tool shell.' }],
    ['reject', undefined, undefined, { status: 'denied', error: 'The person did not allow the tool shell.' }],
    ['always', 'shell', 'Ann', { status: 'granted' }],
  ]);
  assert.deepEqual(await ask({ verdict: 'ask', canAsk: false }), { status: 'granted' });
  assert.equal((await ask({ verdict: 'ask', canAsk: false }, { tool: 'write' })).status, 'denied');
  assert.equal((await ask({ verdict: 'ask', canAsk: false }, { agent: 'other' })).status, 'denied');
  assert.equal((await ask({ verdict: 'deny' })).status, 'denied');
  const [rule] = permissions.rules();
  permissions.removeRule(rule?.id ?? '');
  assert.equal((await ask({ verdict: 'ask', canAsk: false })).status, 'denied');
  assert.throws(() => permissions.removeRule(rule?.id ?? ''), { code: 'rule_not_found' });
  const expired = ask({ verdict: 'ask' }, { args: 'other' });
  await clock.advance(10 * minute);
  assert.deepEqual(await expired, { status: 'denied', error: 'Nobody allowed the tool shell in time.' });
});
