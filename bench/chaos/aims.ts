// When to kill: waits for a moment of the wanted kind and holds it open until the blow.

import { systemClock } from '#base/clock.ts';
import { isAbort } from '#base/waiting/async.ts';
import type { Random } from '../harness/random.ts';
import { platforms, type Stage } from '../harness/stage.ts';
import type { Call, CallKind } from '../harness/tap.ts';

export const aims = [
  'any moment',
  'send done, answer held',
  'send in progress, done later',
  'edit in progress, done later',
  'just after a receipt',
  'middle of an archive',
  'just after a message',
  'while an answer streams',
  'accepted, not confirmed',
  'while it starts',
] as const;
export type Aim = (typeof aims)[number];

export interface Moment {
  /** Whether the blow is to wait until the program, stopped for a look, is found in this state. */
  state: 'any' | 'archiving' | 'unconfirmed';
  /**
   * Lets go of what was held; calls that were in progress take effect after some time. Resolves when they have: a platform
   * that carries out a dead program's call only after its next start has looked can be reconciled by nobody.
   */
  release(): Promise<void>;
}

/** Longest wait for an opportunity; after it, any moment will do. */
const timeoutMs = 4_000;

/** All aims in turn, each time in another order: a run of twice as many kills has each of them twice. */
export function createAims(random: Random): () => Aim {
  let deck: Aim[] = [];
  return () => {
    if (deck.length === 0) deck = [...aims];
    const [aim = 'any moment'] = deck.splice(random.int(0, deck.length - 1), 1);
    return aim;
  };
}

/** Resolves when it is time; what is held stays held until `release`. `said` resolves when the next message was written. */
export async function takeAim(
  aim: Aim,
  { stage, random, said }: { stage: Stage; random: Random; said: () => Promise<void> },
): Promise<Moment> {
  const held = Promise.withResolvers<void>();
  const laterMs = random.int(0, 900);
  const underWay: Call[] = [];
  const release = async (): Promise<void> => {
    held.resolve();
    const until = Date.now() + timeoutMs;
    while (underWay.some(({ effect }) => effect === 'pending') && Date.now() < until)
      await systemClock.sleep(20);
  };
  /** The first call of this kind at this stage; calls that are to be held are held from then on. */
  const caught = (
    kind: CallKind,
    at: 'asked' | 'done' | 'answered',
    hold: 'hold' | 'let pass',
  ): Promise<void> =>
    new Promise((resolve) => {
      let first: Call | undefined;
      const stops = platforms.map((platform) =>
        stage.taps[platform].watch((call, now) => {
          if (call.kind !== kind || now !== at || (at === 'done' && call.effect !== 'done')) return undefined;
          if (first !== undefined && first !== call) return undefined;
          first = call;
          resolve();
          if (hold === 'let pass') return undefined;
          underWay.push(call);
          return held.promise.then(() => systemClock.sleep(at === 'asked' ? laterMs : 0));
        }),
      );
      void held.promise.then(() => {
        for (const stop of stops) stop();
      });
    });
  /** From this moment polls are held, so that nothing that is accepted can be confirmed. */
  const holdPolls = (): void => {
    const stop = stage.taps.telegram.watch((call, now) =>
      call.kind === 'poll' && now === 'asked' ? held.promise : undefined,
    );
    void held.promise.then(stop);
  };
  const timeout = new AbortController();
  const timedOut = systemClock.sleep(timeoutMs, timeout.signal).catch((error: unknown) => {
    if (!isAbort(error, timeout.signal)) throw error;
  });
  const sleep = (low: number, high: number): Promise<void> => systemClock.sleep(random.int(low, high));
  const opportunity = async (): Promise<Moment['state']> => {
    switch (aim) {
      case 'any moment':
        await sleep(0, 1500);
        return 'any';
      case 'send done, answer held':
        await caught('send', 'done', 'hold');
        await sleep(0, 30);
        return 'any';
      case 'send in progress, done later':
        await caught('send', 'asked', 'hold');
        await sleep(0, 30);
        return 'any';
      case 'edit in progress, done later':
        await caught('edit', 'asked', 'hold');
        await sleep(0, 30);
        return 'any';
      case 'just after a receipt':
        await caught('send', 'answered', 'let pass');
        await sleep(0, 12);
        return 'any';
      case 'middle of an archive':
        await caught('send', 'answered', 'let pass');
        return 'archiving';
      case 'just after a message':
        await said();
        await sleep(0, 25);
        return 'any';
      case 'while an answer streams': {
        await new Promise<void>((resolve) => {
          const stop = stage.model.onSlow(resolve);
          void held.promise.then(stop);
        });
        await sleep(100, 1800);
        return 'any';
      }
      case 'accepted, not confirmed':
        holdPolls();
        return 'unconfirmed';
      case 'while it starts':
        await sleep(50, 1300);
        return 'any';
    }
  };
  const state = await Promise.race([opportunity(), timedOut]);
  timeout.abort();
  return { state: state ?? 'any', release };
}
