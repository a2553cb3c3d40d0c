// The sandbox as the demo sees it: say something, wait for what comes back, look at it as a person would.

import { type Clock, momentIn, msSince, msUntil, systemClock } from '#base/clock.ts';
import type { SandboxPlatform, SandboxServer, ShownMessage } from '#sandbox/contract.ts';
import type { Scene } from './story.ts';

/** A thread of the room, or a message in it that is answered. */
export interface PlaceInRoom {
  thread?: string;
  replyTo?: string;
}

export interface Stage {
  /** Says the scene's line, in the chat or at this place in it; resolves with what a later `answers` needs. */
  say(scene: Scene, place?: PlaceInRoom): Promise<{ before: number }>;
  /** What a later `answers` needs, before the first message. */
  mark(scene: Scene): { before: number };
  /** The bot's messages since then, oldest first. */
  answers(scene: Scene, since: { before: number }): ShownMessage[];
  /** Resolves once `fits` says so and nothing has changed for a while; false when that did not come within `withinMs`. */
  settled(scene: Scene, fits: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean>;
}

/** An answer that held still for this long is at its end, where nobody can be asked whether it is. */
const stillMs = 700;
/** The same where the program says itself that it has nothing left to do. */
const idleMs = 150;
const lookMs = 50;

/**
 * Plays scenes on the three simulated platforms and reads the answers there. `idle` says whether the program has nothing left to do; all
 * that is waited for, is waited for on `clock`.
 */
export function createStage(
  sandbox: Readonly<Record<SandboxPlatform, Pick<SandboxServer, 'shown' | 'say'>>>,
  idle?: () => Promise<boolean>,
  clock: Clock = systemClock,
): Stage {
  const quietMs = idle === undefined ? stillMs : idleMs;
  const server = ({ platform }: Scene) => sandbox[platform];
  const fromBot = (scene: Scene): ShownMessage[] =>
    server(scene)
      .shown(scene.chat, scene.user)
      .filter((message) => message.author === 'bot');
  return {
    async say(scene, place = {}) {
      const before = fromBot(scene).length;
      const { chat, user, text, files } = scene;
      await server(scene).say({
        chat,
        user,
        text,
        files,
        ...(chat === 'dm' ? {} : { mention: true }),
        ...place,
      });
      return { before };
    },
    mark: (scene) => ({ before: fromBot(scene).length }),
    answers: (scene, { before }) => fromBot(scene).slice(before),
    async settled(scene, fits, withinMs) {
      const until = momentIn(clock, withinMs);
      let face = '';
      let since = clock.monotonic();
      while (msUntil(clock, until) > 0) {
        await clock.sleep(lookMs);
        const now = JSON.stringify(fromBot(scene));
        if (now !== face) {
          face = now;
          since = clock.monotonic();
        } else if (msSince(clock, since) >= quietMs && (await fits()) && (await idle?.()) !== false) {
          // what came while it was asked is looked at once more
          if (JSON.stringify(fromBot(scene)) === face) return true;
        }
      }
      return false;
    },
  };
}
