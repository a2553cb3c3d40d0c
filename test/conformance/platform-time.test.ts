// Each channel knows its platform's own time, through its real client library, however wrong the clock of this machine is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
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
    assert.ok(now !== undefined, 'it has heard the platform');
    assert.ok(Math.abs(now - event.at) < toleranceMs, `${now - event.at} ms after it was said`);
  });
