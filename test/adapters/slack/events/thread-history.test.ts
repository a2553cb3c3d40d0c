// What was written in Slack before a message: how often Slack is asked, and what it is not asked again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { createSlackChannel } from '#adapters/slack/channel.ts';
import { createSlackSandbox } from '#sandbox/slack/server.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { quietLog } from '../../../support/quiet-log.ts';

test('while Slack has said that it will refuse, a room is not asked for again', async (t) => {
  const clock = createManualClock();
  const slack = await createSlackSandbox({ clock });
  t.after(() => slack.close());
  const { log } = quietLog();
  const channel = createSlackChannel({ botToken: slack.tokens.bot, apiUrl: slack.url, clock, log });
  const { id } = await slack.say({ chat: 'room', user: 'guest', text: 'The lift is broken' });
  const last = await slack.say({ chat: 'room', user: 'you', text: 'what now?' });
  const room: Address = {
    platform: 'slack',
    account: 'T0SANDBOX/U0BOT',
    space: 'T0SANDBOX',
    chat: 'C0ROOM000',
    kind: 'channel',
  };
  const before = { nativeID: last.id, limit: 40 };
  const { signal } = new AbortController();
  const asked = (): number => slack.calls().filter(({ name }) => name === 'conversations.history').length;
  slack.inject({ kind: 'rate_limit', target: 'receive', times: 1, retryAfterMs: 60_000 });
  assert.deepEqual(await channel.earlier?.(room, before, signal), []);
  assert.deepEqual(await channel.earlier?.(room, before, signal), []);
  assert.equal(asked(), 1);
  await clock.advance(60_000);
  const said = await channel.earlier?.(room, before, signal);
  assert.deepEqual(
    said?.map(({ nativeID, text }) => [nativeID, text]),
    [[id, 'The lift is broken']],
  );
  assert.equal(asked(), 2);
});
