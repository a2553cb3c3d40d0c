// Commands that a guest says to the bot, one after the other, each with its reply. Not what they do.
import { systemClock } from '#base/clock.ts';
import type { Crowd } from '../stage/crowd.ts';

export interface ChatCommands {
  /** Runs the work unless other work is under way; `say` resolves with the reply. */
  alone(work: (say: (text: string) => Promise<string>) => Promise<void>): Promise<void>;
}

/** A reply survives deaths of the program and bad weather, which take their time, in milliseconds. */
const patienceMs = 120_000;
const betweenLooksMs = 100;

export function createChatCommands(crowd: Pick<Crowd, 'command' | 'replies'>): ChatCommands {
  let busy = false;
  const say = async (text: string): Promise<string> => {
    const before = crowd.replies().length;
    await crowd.command(text);
    const until = Date.now() + patienceMs;
    while (Date.now() < until) {
      const reply = crowd.replies()[before];
      if (reply !== undefined) return reply;
      await systemClock.sleep(betweenLooksMs);
    }
    throw new Error(`"${text}" had no reply within ${patienceMs / 1000} s`);
  };
  return {
    async alone(work) {
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
