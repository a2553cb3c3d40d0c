// Commands that a guest says to the bot, one after the other, each with its reply.
import { systemClock } from '#base/clock.ts';
import type { LoadUsers } from '../harness/load-users.ts';

export interface ChatCommands {
  /** Runs the work unless other work is in progress; `say` resolves with the reply. */
  single(work: (say: (text: string) => Promise<string>) => Promise<void>): Promise<void>;
}

/** A reply survives deaths of the program and bad conditions, which take their time, in milliseconds. */
const timeoutMs = 120_000;
const betweenLooksMs = 100;

export function createChatCommands(users: Pick<LoadUsers, 'command' | 'replies'>): ChatCommands {
  let busy = false;
  const say = async (text: string): Promise<string> => {
    const before = users.replies().length;
    await users.command(text);
    const until = Date.now() + timeoutMs;
    while (Date.now() < until) {
      const reply = users.replies()[before];
      if (reply !== undefined) return reply;
      await systemClock.sleep(betweenLooksMs);
    }
    throw new Error(`"${text}" had no reply within ${timeoutMs / 1000} s`);
  };
  return {
    async single(work) {
      if (busy) return;
      busy = true;
      try {
        await work(say);
      } finally {
        busy = false;
      }
    },
  };
}
