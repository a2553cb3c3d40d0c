// The answer while it is being written: posted, then edited, throttled, and never counted as delivered.
import type { Address } from '#adapters/gateway/address.ts';
import type { Channel } from '#adapters/gateway/channel.ts';
import type { Turns } from '#adapters/gateway/ledger/turns.ts';
import { createWaker, isAbort } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Limiter } from './limiter.ts';

export interface Preview {
  /** The whole text so far; shown when the platform's pace allows. */
  show(text: string): void;
  /** Shows nothing more; resolves when no call is under way. */
  stop(): Promise<void>;
}

export interface PreviewOptions {
  turnID: string;
  address: Address;
  replyTo: string | undefined;
  channel: Channel;
  turns: Turns;
  limiter: Limiter;
  clock: Clock;
  log: Log;
}

/** An answer that is complete within this time appears at once and whole, without a preview. */
const firstAfterMs = 600;

/** The send key of a turn's preview; at most 25 characters (Discord's limit of a nonce). */
export function previewKey(turnID: string, ordinal: number): string {
  return `p${turnID.slice(-20)}${ordinal}`;
}

/** A live preview; any trouble with it ends the preview and never the run. */
export function createPreview(options: PreviewOptions): Preview {
  const { channel, address, turns, turnID, limiter, clock, log } = options;
  const ended = new AbortController();
  const waker = createWaker();
  const gapMs = channel.caps.editGapMs[address.kind];
  const shown = new Map<number, string>();
  let text = '';

  const posted = new Map(turns.previews(turnID).map((row) => [row.ordinal, row.nativeID]));

  const paint = async (): Promise<void> => {
    const parts = channel.render(text);
    for (const [ordinal, part] of parts.entries()) {
      if (ended.signal.aborted) return;
      const face = JSON.stringify(part.body);
      if (shown.get(ordinal) === face) continue;
      const nativeID = posted.get(ordinal);
      if (nativeID !== undefined) await channel.edit(address, nativeID, part);
      else if (posted.has(ordinal))
        return; // its outcome is unknown since a restart: the outbox settles it
      else {
        const key = previewKey(turnID, ordinal);
        turns.intendPreview(turnID, { ordinal, key });
        const receipt = await channel.send(address, part, { key, replyTo: options.replyTo });
        turns.previewPosted(turnID, { ordinal, nativeID: receipt.nativeID });
        posted.set(ordinal, receipt.nativeID);
      }
      shown.set(ordinal, face);
      await clock.sleep(gapMs, ended.signal);
    }
  };

  const loop = async (): Promise<void> => {
    await clock.sleep(firstAfterMs, ended.signal);
    for (let painted = ''; ; ) {
      if (text === painted) await waker.wait(clock, 60_000, ended.signal);
      await limiter.free(address, ended.signal);
      painted = text;
      if (text.trim() === '') continue;
      try {
        await paint();
      } catch (error) {
        if (isAbort(error, ended.signal)) throw error;
        const failure = channel.explain(error);
        if (failure.kind !== 'rate_limit') throw error;
        limiter.hold(address, failure);
      }
    }
  };

  const done = loop().catch((error: unknown) => {
    if (isAbort(error, ended.signal)) return;
    const { kind, words } = channel.explain(error);
    log.warn({ turn: turnID, kind, words }, 'preview ended early');
  });

  return {
    show(whole) {
      text = whole;
      waker.wake();
    },
    async stop() {
      ended.abort();
      await done;
    },
  };
}
