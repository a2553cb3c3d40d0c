// The people in the chats: who says what where, and what was written so far. Not when, and not what becomes of it.
import type { SandboxPlatform } from '#sandbox/contract.ts';
import type { Sent, Stood } from './account.ts';
import type { Random } from './random.ts';
import { laneOf, places, platforms, type Stage } from './stage.ts';

export interface LoadUsers {
  sent: readonly (Sent & { id: string })[];
  /** Says the next message somewhere. */
  say(): Promise<void>;
  /** Says one message in each chat, so that the bot knows all of them; at most `most`. */
  greet(most: number): Promise<void>;
  /** How many commands were written. */
  readonly commands: number;
  /** Says a command about memory as a guest, in a direct message on Discord, where nothing may be said twice. */
  command(text: string): Promise<void>;
  /** What the bot replied to commands, oldest first. */
  replies(): string[];
}

/** What the bot says to a command about memory; no answer of the model says it. */
const commandReply =
  /I will remember that|Exactly this was deleted here|Permanently deleted|There is nothing with the ID|matches \d+ IDs/;

/** True for the reply to a command. */
export function isReply({ platform, lane, text }: Pick<Stood, 'platform' | 'lane' | 'text'>): boolean {
  return platform === 'discord' && lane === laneOf('dm', 'guest') && commandReply.test(text);
}

type Place = (typeof places)[number];

/** Words of an answer that needs about three messages, by the platforms' limits. */
const longWords: Readonly<Record<SandboxPlatform, number>> = { discord: 500, telegram: 1000, slack: 2800 };

/** Of many threads the newest are written in. */
const threadsInUse = 20;

/** People who talk as the generator says. */
export function createLoadUsers(stage: Stage, random: Random): LoadUsers {
  const sent: (Sent & { id: string })[] = [];
  /** Slack threads in which the bot has answered. */
  const threads: string[] = [];

  const request = (platform: SandboxPlatform): string => {
    const token = `tok${String(sent.length + 1).padStart(5, '0')}x${random.int(0x1000, 0xffff).toString(16)}`;
    const long = random.chance(0.08) ? longWords[platform] : random.int(8, 60);
    const slow = random.chance(0.2) ? ` slow ${random.int(300, 2500)}` : '';
    return `Please answer ${token} long ${long}${slow}`;
  };

  const sayAt = async (platform: SandboxPlatform, { chat, users }: Place): Promise<void> => {
    const server = stage.sandbox[platform];
    const user = random.pick(users);
    const text = request(platform);
    const token = /tok\w+/.exec(text)?.[0] ?? '';
    const known = platform === 'slack' && chat === 'room' ? answeredThreads() : [];
    const thread =
      known.length > 0 && random.chance(0.4) ? known[random.int(0, known.length - 1)] : undefined;
    // in a thread that it takes part in, the bot answers without being named
    const mention = chat !== 'dm' && (thread === undefined || random.chance(0.5));
    const { id } = await server.say({
      chat,
      user,
      text,
      mention,
      ...(thread === undefined ? {} : { thread }),
    });
    const opens = platform === 'slack' && chat !== 'dm' && thread === undefined;
    if (opens && chat === 'room') threads.push(id);
    sent.push({ token, platform, id, lane: laneOf(chat, user, opens ? id : thread) });
  };

  const answeredThreads = (): string[] => {
    const shown = stage.sandbox.slack.shown('room', 'you');
    const answered = new Set(shown.flatMap(({ author, thread }) => (author === 'bot' ? [thread] : [])));
    return threads.slice(-threadsInUse).filter((thread) => answered.has(thread));
  };

  let commands = 0;
  return {
    sent,
    get commands() {
      return commands;
    },
    async command(text) {
      commands += 1;
      await stage.sandbox.discord.say({ chat: 'dm', user: 'guest', text, mention: false });
    },
    replies: () =>
      stage
        .existed()
        .filter(isReply)
        .map(({ text }) => text),
    say: () => sayAt(random.pick(platforms), random.pick(places as [Place, ...Place[]])),
    async greet(most) {
      for (const place of places)
        for (const platform of platforms) if (sent.length < most) await sayAt(platform, place);
    },
  };
}
