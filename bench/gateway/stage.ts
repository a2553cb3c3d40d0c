// The platforms' side of the measurement: three sandbox servers with load users, in this process, and the way to ask as one of them.
import { performance } from 'node:perf_hooks';
import { systemClock } from '#base/clock.ts';
import { createDiscordSandbox } from '#sandbox/discord/server.ts';
import type { LoadUserAnswer } from '#sandbox/load-users.ts';
import { createSlackSandbox } from '#sandbox/slack/server.ts';
import { createTelegramSandbox } from '#sandbox/telegram/server.ts';

export const platforms = ['discord', 'telegram', 'slack'] as const;
export type PlatformName = (typeof platforms)[number];

/** One person's direct message with the bot. */
export interface Chat {
  platform: PlatformName;
  person: number;
}

export interface Stage {
  urls: Record<PlatformName, string>;
  tokens: Record<string, string>;
  /** This many chats, spread evenly over the platforms. */
  chats(count: number): Chat[];
  /**
   * Says it and resolves with the milliseconds from the moment before the platform delivers it until the bot's message for which
   * `isFinal` holds has arrived. Rejects after `withinMs`.
   */
  ask(chat: Chat, question: Question): Promise<number>;
  close(): Promise<void>;
}

export interface Question {
  text: string;
  /** Any message is final when absent. */
  isFinal?: (answer: LoadUserAnswer) => boolean;
  withinMs: number;
}

/** Discord's sandbox counts calls, and would refuse at the pace of a benchmark. */
const noLimits = { calls: 1e9, perMs: 1000, global: 1e9 };

/** Starts the servers with `users` further people on each. */
export async function openStage(users: number): Promise<Stage> {
  const clock = systemClock;
  const servers = {
    discord: await createDiscordSandbox({ clock, users, limits: noLimits }),
    telegram: await createTelegramSandbox({ clock, users }),
    slack: await createSlackSandbox({ clock, users, rates: 'none' }),
  };
  const waiting = new Map<string, (answer: LoadUserAnswer) => void>();
  for (const platform of platforms) {
    servers[platform].users.onAnswer((answer) => waiting.get(`${platform} ${answer.person}`)?.(answer));
  }
  return {
    urls: { discord: servers.discord.url, telegram: servers.telegram.url, slack: servers.slack.url },
    tokens: {
      DISCORD_BOT_TOKEN: servers.discord.tokens.bot,
      TELEGRAM_BOT_TOKEN: servers.telegram.tokens.bot,
      SLACK_BOT_TOKEN: servers.slack.tokens.bot,
      SLACK_APP_TOKEN: servers.slack.tokens.app ?? '',
    },
    chats: (count) =>
      Array.from({ length: count }, (_, at) => ({
        platform: platforms[at % platforms.length] as PlatformName, // the remainder is a place in the list
        person: Math.floor(at / platforms.length),
      })),
    ask({ platform, person }, { text, isFinal = () => true, withinMs }) {
      const key = `${platform} ${person}`;
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.delete(key);
          reject(new Error(`No answer came on ${key} within ${withinMs} ms to ${JSON.stringify(text)}.`));
        }, withinMs);
        const startedAt = performance.now();
        waiting.set(key, (answer) => {
          if (!isFinal(answer)) return;
          const ms = performance.now() - startedAt;
          clearTimeout(late);
          waiting.delete(key);
          resolve(ms);
        });
        servers[platform].users.say(person, text);
      });
    },
    async close() {
      await Promise.all(platforms.map((platform) => servers[platform].close()));
    },
  };
}
