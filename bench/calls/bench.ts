// `npm run bench:calls`: how many calls of each platform one answer costs. The last line is JSON with `ok`; it exits with 1 where a bound is missed.
import { createDiscordChannel } from '#adapters/discord/channel.ts';
import { createSlackChannel } from '#adapters/slack/channel.ts';
import { createTelegramChannel } from '#adapters/telegram/channel.ts';
import type { Clock } from '#base/clock.ts';
import { createDiscordSandbox } from '#sandbox/discord/server.ts';
import { createSlackSandbox } from '#sandbox/slack/server.ts';
import { createTelegramSandbox } from '#sandbox/telegram/server.ts';
import { quietLog } from '../../test/support/quiet-log.ts';
import { argumentsOf } from '../harness/arguments.ts';
import { conclude } from '../harness/conclude.ts';
import { type Case, type Counted, count } from './count.ts';

argumentsOf({
  name: 'bench:calls',
  about:
    'Counts how many calls of each platform one answer costs. The last line is JSON with `ok`; it exits with 1 where a bound is missed.',
  options: {},
});

const { log } = quietLog();

/** Discord's usual buckets ("Rate Limits"). */
const limits = { calls: 5, perMs: 5_000, global: 50 };

const opened = {
  discord: async (clock: Clock) => {
    const sandbox = await createDiscordSandbox({ clock, limits });
    const { url: apiUrl, tokens } = sandbox;
    return { sandbox, channel: createDiscordChannel({ token: tokens.bot, apiUrl, clock, log }) };
  },
  slack: async (clock: Clock) => {
    const sandbox = await createSlackSandbox({ clock });
    const { url: apiUrl, tokens } = sandbox;
    const channel = createSlackChannel({ botToken: tokens.bot, appToken: tokens.app, apiUrl, clock, log });
    return { sandbox, channel };
  },
  telegram: async (clock: Clock) => {
    const sandbox = await createTelegramSandbox({ clock });
    const { url: apiUrl, tokens } = sandbox;
    return { sandbox, channel: createTelegramChannel({ token: tokens.bot, apiUrl, clock, log }) };
  },
};

/** Most calls of an answer of 6,000 characters that is streamed for 30 s. */
const bounds = [
  { platform: 'slack', chat: 'dm', most: 14 },
  { platform: 'discord', chat: 'dm', most: 16 },
  { platform: 'discord', chat: 'room', most: 16 },
  { platform: 'telegram', chat: 'dm', most: 16 },
  { platform: 'telegram', chat: 'room', most: 16 },
] as const;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const named = ({ platform, chat, length, streamed }: Case): string =>
  `${platform.padEnd(10)}${chat.padEnd(6)}${String(length).padStart(6)}  ${streamed ? 'streamed' : 'whole   '}`;

const cases: Case[] = (['slack', 'discord', 'telegram'] as const).flatMap((platform) =>
  (['dm', 'room'] as const).flatMap((chat) =>
    [
      { length: 200, takesMs: 3_000 },
      { length: 6_000, takesMs: 30_000 },
    ].flatMap((size) => [true, false].map((streamed) => ({ platform, chat, streamed, ...size }))),
  ),
);

say(
  'Calls of one answer. 200 characters take the model 3 s, 6,000 take it 30 s. A call on the way takes some 25 ms.',
);
const counted: Counted[] = [];
for (const one of cases) {
  const result = await count(one, opened[one.platform]);
  counted.push(result);
  const by = Object.entries(result.by).map(([name, times]) => `${times} ${name}`);
  say(`${named(one)}${String(result.calls).padStart(4)}   ${by.join(', ')}`);
}

const missed = counted.flatMap((one) => {
  const bound = bounds.find(({ platform, chat }) => platform === one.platform && chat === one.chat);
  const over = one.length === 6_000 && one.streamed && bound !== undefined && one.calls > bound.most;
  return [
    ...(over ? [`${named(one)}: ${one.calls} calls, at most ${bound.most}`] : []),
    ...one.faults.map((fault) => `${named(one)}: ${fault}`),
  ];
});
conclude({ counted: counted.map(({ faults: _, ...one }) => one) }, missed);
