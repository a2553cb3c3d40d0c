// A thread in the Slack sandbox and live surfaces for answers in it, on a clock that the test moves. No test.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Channel, StreamingSurface } from '#adapters/gateway/terms/channel.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { type Fixture, type FixtureOptions, fixture } from './fixture.ts';

export const room: Address = {
  platform: 'slack',
  account: 'T0SANDBOX/U0PARLEY0',
  space: 'T0SANDBOX',
  chat: 'C0ROOM000',
  kind: 'channel',
};
export const minute = 60_000;

export interface Stage extends Omit<Fixture, 'channel'> {
  channel: Channel;
  clock: ManualClock;
  address: Address;
  /** A live surface for an answer in this thread. */
  open(channel?: Channel): { live: StreamingSurface; posted: string[]; stops: number };
  /** Texts of the bot's messages in the room. */
  texts(): string[];
  /** Names of the calls so far that stream. */
  streamed(): string[];
}

/** A room with one mention to answer in its thread; the clock is the channel's and the sandbox's. */
export async function stage(t: TestContext, options: FixtureOptions = {}): Promise<Stage> {
  const clock = createManualClock();
  const made = await fixture(t, {
    ...options,
    sandbox: { clock, pingMs: 0, ...options.sandbox },
    channel: { clock, ...options.channel },
  });
  const { sandbox } = made;
  const { id } = await sandbox.say({ chat: 'room', user: 'you', text: 'hello', mention: true });
  const address = { ...room, thread: id };
  let answers = 0;
  return {
    ...made,
    clock,
    address,
    open(channel = made.channel) {
      const posted: string[] = [];
      answers += 1;
      const opened = { posted, stops: 0 };
      const live = channel.live?.({
        address,
        actor: 'T0SANDBOX/U0YOU0000',
        key: `a${answers}`,
        messages: {
          intend: async () => `a${answers}k${posted.length}`,
          posted: async (ts) => void posted.push(ts),
        },
        stopped: () => {
          opened.stops += 1;
        },
      });
      assert.ok(live !== undefined, 'there is a stream for this thread');
      return Object.assign(opened, { live });
    },
    texts: () =>
      sandbox.shown('room', 'you').flatMap(({ author, text }) => (author === 'bot' ? [text.trim()] : [])),
    streamed: () =>
      sandbox.calls().flatMap(({ name }) => (name.endsWith('Stream') ? [name.slice(5, -6)] : [])),
  };
}

/** A live surface as `channel.live` gives it, for someone else or elsewhere; its messages are forgotten. */
export function aside(channel: Channel, over: { address: Address; actor?: string; stopped?: () => void }) {
  return channel.live?.({
    actor: 'T0SANDBOX/U0YOU0000',
    key: 'k',
    messages: { intend: async () => 'k', posted: async () => {} },
    stopped: () => {},
    ...over,
  });
}

/** Updates until all of the text is shown, or the surface has had enough. */
export async function show(live: StreamingSurface, text: string): Promise<string> {
  for (let outcome = await live.update(text); ; outcome = await live.update(text))
    if (outcome !== 'more') return outcome;
}
