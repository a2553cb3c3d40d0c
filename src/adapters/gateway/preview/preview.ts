// The growing answer, shown while it is written: on the platform's own surface or in messages that are edited.
import { setImmediate } from 'node:timers/promises';
import { type CallType, type ChannelFailure, settledMs } from '#adapters/gateway/terms/channel.ts';
import { type MonotonicMs, msSince } from '#base/clock.ts';
import { createWaker, waitAbandoned } from '#base/waiting/async.ts';
import { createFirstWords } from './first-words.ts';
import { createLiveSurface } from './live-surface.ts';
import { createPostedPreview, type PaintResult, type PreviewDraft, previewText } from './posted-preview.ts';
import { createPreviewMessages } from './preview-messages.ts';
import type { Preview, PreviewOptions } from './preview-types.ts';

/** An answer that is complete within this time appears at once and whole, without a preview. */
const firstAfterMs = 600;
/** Passing problems in a row after which a preview is given up. */
const maxTroubles = 3;
/** Nothing is looked at for longer than this without a new text. */
const longestWaitMs = 60_000;

/** A live preview; any problem with it ends the preview and never the run. */
export function createPreview(options: PreviewOptions): Preview {
  const { channel, address, turnID, limiter, clock, log } = options;
  const ended = new AbortController();
  const waker = createWaker();
  const messages = createPreviewMessages(turnID, options.ledger, clock);
  const draft: PreviewDraft = { text: '', progress: undefined, painted: '' };
  const live = createLiveSurface(options, { messages, ended: ended.signal });
  const posted = createPostedPreview(options, { draft, messages });
  const first = createFirstWords(options, {
    ...{ draft, waker, ended: ended.signal },
    isBegun: () => messages.any(),
  });
  let problems = 0;
  /** What the call that is in progress does. */
  let act: CallType = 'send';
  /** When an edit was lost: it may still be carried out, over whatever the message shows by then. */
  let lostAt: MonotonicMs | undefined;

  const take = (next: CallType): Promise<void> => {
    act = next;
    return limiter.take({ address, act, urgency: 'preview' }, ended.signal);
  };

  /** One step of the platform's own surface. */
  const update = async (): Promise<PaintResult> => {
    await take('live');
    const now = previewText(draft);
    const update = await live.update(now);
    if (update === 'shown') draft.painted = now;
    return update === 'stopped by user' ? 'over' : 'painted';
  };

  /** Whether the preview may continue after a failure; after a failure of a live surface it is post and edit. */
  const survives = async (failure: ChannelFailure): Promise<boolean> => {
    if (failure.maybeDelivered && messages.pending()) return false;
    if (!failure.maybeDelivered) await messages.refused();
    if (failure.kind === 'rate_limit') {
      limiter.hold({ address, act }, failure);
      if (failure.sameActOnly === true && !messages.any()) live.giveUp();
      return true;
    }
    problems += 1;
    if (live.isUsed()) {
      live.giveUp();
      return true;
    }
    return failure.kind === 'transient' && problems < maxTroubles;
  };

  /** Milliseconds until the live surface wants to be renewed; it never does before anything is shown. */
  const renewal = (): number =>
    draft.text.trim() === '' ? longestWaitMs : (live.renewal() ?? longestWaitMs);

  /** False as long as there is nothing to show, however long that takes: a loop that saw work in it would never let go. */
  const due = (): boolean => {
    const text = previewText(draft);
    return text !== '' && (text !== draft.painted || renewal() === 0);
  };

  const loop = async (): Promise<void> => {
    await clock.sleep(firstAfterMs, ended.signal);
    const said = await first.wait();
    // its message becomes the answer's: on a surface of the platform's own, nothing that was shown can be taken back
    if (said === 'notice') draft.text = options.stillWorking;
    else if (said === 'answer' && draft.progress === undefined && !messages.any()) live.open();
    for (;;) {
      while (!due()) await waker.wait(clock, renewal(), ended.signal);
      if (draft.progress !== undefined) await live.leave(draft.painted);
      try {
        await options.rendering?.add(() => setImmediate());
        const step = live.isUsed() ? await update() : await posted.paint(take);
        if (step === 'over') return;
        if (step === 'nothing new') continue;
        reportShown(options, previewText(draft));
        problems = 0;
      } catch (error) {
        // only the waits above end with the preview: a library that gives up a call has lost it, also when it is late
        if (error === waitAbandoned) throw error;
        const failure = channel.explain(error);
        if (act === 'edit' && failure.maybeDelivered) lostAt = clock.monotonic();
        log.debug({ turn: turnID, kind: failure.kind, words: failure.words }, 'preview failed');
        if (!(await survives(failure))) throw error;
      }
    }
  };

  const done = loop().catch((error: unknown) => {
    if (error === waitAbandoned) return;
    const { kind, words } = channel.explain(error);
    log.warn({ turn: turnID, kind, words }, 'preview ended early');
  });

  return {
    showProgress(next) {
      draft.progress = next;
      waker.wake();
    },
    hadButtons: posted.hadButtons,
    show(all) {
      draft.text = all;
      first.grew(all);
      waker.wake();
    },
    rest(waits) {
      first.rest(waits);
      waker.wake();
    },
    async stop() {
      ended.abort(waitAbandoned);
      await done;
      if (lostAt !== undefined) await clock.sleep(settledMs - msSince(clock, lostAt));
      await live.close(draft.text);
    },
    exists: (ordinal, part) =>
      lostAt === undefined &&
      // a surface that was left for post and edit does not know what was edited since
      (messages.exists(ordinal, part) || (ordinal === 0 && live.exists(part))),
  };
}

/** A notice says that there is no answer yet: the typing indicator that it takes down is needed at once. */
function reportShown({ typing, address, stillWorking }: PreviewOptions, text: string): void {
  if (text === stillWorking) typing.posted(address);
  else typing.grew(address);
}
