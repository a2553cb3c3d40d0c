import {
  type CallType,
  type ChannelFailure,
  type StreamingSurface,
  settledMs,
} from '#adapters/gateway/channel.ts';
import { healUnfinished } from '#adapters/text/heal.ts';
import { createWaker, waitAbandoned } from '#base/async.ts';
import { type MonotonicMs, msSince, msUntil } from '#base/clock.ts';
import { yieldToEventLoop } from '#base/yield-to-event-loop.ts';
import { buttonsBelow } from './buttons-below.ts';
import { type Changed, createPreviewMessages } from './preview-messages.ts';
import type { Preview, PreviewOptions, Progress } from './preview-types.ts';

/** An answer that is complete within this time appears at once and whole, without a preview. */
const firstAfterMs = 600;
/** So does one that is complete so soon after its first words, however long the model thought before. */
const wordsAloneMs = 250;
/** Without a word for so long, an answer looks forgotten: typing indicators are small, and some chats have none. */
const silentMs = 60_000;
/** Passing problems in a row after which a preview is given up. */
const maxTroubles = 3;
/** Nothing is looked at for longer than this without a new text. */
const longestWaitMs = 60_000;

/** `nothing new`: no call was made, since what is shown looks the same. */
type Step = 'painted' | 'nothing new' | 'over';

/** A live preview; any problem with it ends the preview and never the run. */
export function createPreview(options: PreviewOptions): Preview {
  const { channel, address, turnID, limiter, clock, log } = options;
  const ended = new AbortController();
  const waker = createWaker();
  const messages = createPreviewMessages(turnID, options.ledger);
  let live: StreamingSurface | undefined;
  let text = '';
  let progress: Progress | undefined;
  let hadButtons = false;
  let wordsSince: MonotonicMs | undefined;
  let silentSince = clock.monotonic();
  let resting = false;
  let painted = '';
  let problems = 0;
  /** What the call that is in progress does. */
  let act: CallType = 'send';
  /** When an edit was lost: it may still be carried out, over whatever the message shows by then. */
  let lostAt: MonotonicMs | undefined;

  /** The parts of the text as it is now that are not shown yet. */
  const changes = (): Changed[] => {
    const parts = channel.render(healUnfinished(whole()));
    if (progress !== undefined && progress.choices.length > 0) hadButtons = true;
    return messages.changed(hadButtons ? buttonsBelow(parts, channel, progress?.choices ?? []) : parts);
  };
  const whole = (): string =>
    [text, progress?.markdown ?? ''].filter((each) => each.trim() !== '').join('\n\n');

  const take = (next: CallType): Promise<void> => {
    act = next;
    return limiter.take({ address, act, urgency: 'preview' }, ended.signal);
  };

  /** One step of post and edit: the first part that looks different now. */
  const paint = async (): Promise<Step> => {
    await yieldToEventLoop(); // many chats that are due at one moment are not all rendered in it
    const before = { text: whole(), changed: changes() };
    const [first] = before.changed;
    if (first === undefined) {
      painted = whole();
      return 'nothing new';
    }
    if (first.standing === 'unknown') return 'over'; // its outcome is unknown: the outbox settles it
    await take(first.standing === 'posted' ? 'edit' : 'send');
    // the text may have grown while the call waited: shown is what it is now
    const now = whole();
    const changed = now === before.text ? before.changed : changes();
    const next = changed.find(({ ordinal }) => ordinal === first.ordinal);
    if (next === undefined) return 'painted';
    if (next.standing === 'posted') await channel.edit(address, next.nativeID, next.part);
    else {
      const key = await messages.intend(next.ordinal);
      const replyTo = next.ordinal === 0 || options.inReplies ? options.replyTo : undefined;
      const { nativeID } = await channel.send(address, next.part, { key, replyTo });
      await messages.posted(next.ordinal, nativeID);
    }
    messages.shows(next.ordinal, next.part);
    if (changed.length === 1) painted = now;
    return 'painted';
  };

  /** One step of the platform's own surface. */
  const update = async (surface: StreamingSurface): Promise<Step> => {
    await yieldToEventLoop();
    await take('live');
    const now = text;
    switch (await surface.update(now)) {
      case 'shown':
        painted = now;
        return 'painted';
      case 'more':
        return 'painted';
      case 'refused':
        live = undefined;
        await messages.refused();
        return 'painted';
      case 'stopped by user':
        options.stoppedByUser();
        return 'over';
    }
  };

  /** Whether the preview may continue after a failure; after a failure of a live surface it is post and edit. */
  const survives = async (failure: ChannelFailure): Promise<boolean> => {
    if (failure.maybeDelivered && messages.pending()) return false;
    if (!failure.maybeDelivered) await messages.refused();
    if (failure.kind === 'rate_limit') {
      limiter.hold({ address, act }, failure);
      if (live !== undefined && failure.sameActOnly === true && !messages.any()) live = undefined;
      return true;
    }
    problems += 1;
    if (live !== undefined) {
      live = undefined;
      return true;
    }
    return failure.kind === 'transient' && problems < maxTroubles;
  };

  /** Milliseconds until the live surface wants to be renewed; it never does before anything is shown. */
  const renewal = (): number => {
    const at = live?.renewAt();
    return at === undefined || text.trim() === '' ? longestWaitMs : Math.max(0, msUntil(clock, at));
  };

  /** False as long as there is nothing to show, however long that takes: a loop that saw work in it would never let go. */
  const due = (): boolean => whole() !== '' && (whole() !== painted || renewal() === 0);

  const firstWords = async (): Promise<'answer' | 'notice' | 'progress'> => {
    while (wordsSince === undefined) {
      if (progress !== undefined) return 'progress';
      const isQuiet = resting || !options.notices || messages.any();
      const left = isQuiet ? longestWaitMs : silentMs - msSince(clock, silentSince);
      if (left <= 0) return 'notice';
      await waker.wait(clock, left, ended.signal);
    }
    await clock.sleep(wordsAloneMs - msSince(clock, wordsSince), ended.signal);
    return 'answer';
  };

  const loop = async (): Promise<void> => {
    await clock.sleep(firstAfterMs, ended.signal);
    const said = await firstWords();
    // its message becomes the answer's: on a surface of the platform's own, nothing that was shown can be taken back
    if (said === 'notice') text = options.stillWorking;
    else if (said === 'answer' && progress === undefined && !messages.any()) live = openLive();
    for (;;) {
      while (!due()) await waker.wait(clock, renewal(), ended.signal);
      if (progress !== undefined) await leaveLive();
      try {
        const step = live === undefined ? await paint() : await update(live);
        if (step === 'over') return;
        if (step === 'nothing new') continue;
        options.typing.grew(address);
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

  let opened: StreamingSurface | undefined;
  const openLive = (): StreamingSurface | undefined => {
    opened = channel.live?.({
      address,
      actor: options.actor,
      key: messages.key(0),
      messages: {
        intend: () => messages.intend(messages.next()),
        posted: (nativeID) => messages.posted(messages.next(), nativeID),
      },
      stopped() {
        // the button of an answer that is over must not end the next one
        if (!ended.signal.aborted) options.stoppedByUser();
      },
    });
    return opened;
  };

  const done = loop().catch((error: unknown) => {
    if (error === waitAbandoned) return;
    const { kind, words } = channel.explain(error);
    log.warn({ turn: turnID, kind, words }, 'preview ended early');
  });

  let finished = false;
  const finish = async (surface: StreamingSurface, shown: string): Promise<void> => {
    if (finished || surface.finish === undefined) return;
    finished = true;
    // inside a rate limit nothing is called: the last edit takes the message as it finds it
    if (!limiter.tryTake({ address, act: 'live', urgency: 'final' })) return;
    try {
      await surface.finish(shown);
    } catch (error) {
      const failure = channel.explain(error);
      if (failure.kind === 'rate_limit') limiter.hold({ address, act: 'live' }, failure);
      log.debug({ turn: turnID, kind: failure.kind, words: failure.words }, 'live surface not finished');
    }
  };

  /** The surface ends with what it shows, and its message is edited from there. */
  const leaveLive = async (): Promise<void> => {
    if (live === undefined) return;
    const left = live;
    live = undefined;
    if (painted !== '') await finish(left, painted);
  };

  return {
    showProgress(next) {
      progress = next;
      waker.wake();
    },
    hadButtons: () => hadButtons,
    show(all) {
      text = all;
      if (wordsSince === undefined && text.trim() !== '') wordsSince = clock.monotonic();
      waker.wake();
    },
    rest(waits) {
      resting = waits;
      silentSince = clock.monotonic();
      waker.wake();
    },
    async stop() {
      ended.abort(waitAbandoned);
      await done;
      if (lostAt !== undefined) await clock.sleep(settledMs - msSince(clock, lostAt));
      if (opened !== undefined) await finish(opened, text);
      opened?.close?.();
    },
    exists: (ordinal, part) =>
      lostAt === undefined &&
      // a surface that was left for post and edit does not know what was edited since
      (messages.exists(ordinal, part) || (ordinal === 0 && live?.exists?.(part) === true)),
  };
}
