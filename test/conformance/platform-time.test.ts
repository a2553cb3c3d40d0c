// Each channel knows its platform's own time, through its real client library, however wrong the clock of this machine is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { createSlackSandbox } from '#sandbox/slack/server.ts';
import { found } from '../support/found.ts';
import { connect, platforms } from './platforms.ts';

const hour = 3_600_000;
/** The header names whole seconds, and a busy machine takes its time. */
const toleranceMs = 20_000;

for (const platform of platforms)
  test(`${platform.name}: a message is dated by the clock that the channel reads from the answers, not by ours`, async (t) => {
    const server = await platform.sandbox();
    t.after(() => server.close());
    const ahead = { ...systemClock, now: () => systemClock.now() + hour };
    const one = await connect(platform, server, ahead);
    t.after(() => one.disconnect());
    const { id } = await server.say({ chat: 'dm', user: 'you', text: 'hello' });
    const event = await one.received(id);
    const now = one.channel.now?.();
    assert.ok(now !== undefined, 'it has heard from the platform');
    assert.ok(Number.isInteger(now), `${now} cannot be stored`);
    assert.ok(Math.abs(now - event.at) < toleranceMs, `${now - event.at} ms after it was written`);
  });

test('slack: a slash command, which Slack does not date, is dated by its clock when ours is an hour behind', async (t) => {
  const platform = platforms.find(({ name }) => name === 'slack');
  assert.ok(platform !== undefined);
  const server = await createSlackSandbox({ clock: systemClock });
  t.after(() => server.close());
  const behind = { ...systemClock, now: () => systemClock.now() - hour };
  const one = await connect(platform, server, behind);
  t.after(() => one.disconnect());
  server.slash({ chat: 'dm', user: 'you', command: '/parley', text: 'status' });
  const event = await found('the command', () => one.messages[0]);
  assert.ok(Math.abs(Date.now() - event.at) < toleranceMs, `${Date.now() - event.at} ms ago`);
});
