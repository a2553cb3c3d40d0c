// The platform's own surface for a growing answer, where it has one: opened once, finished once.
import type { StreamingSurface } from '#adapters/gateway/terms/channel.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import { msUntil } from '#base/clock.ts';
import type { PreviewMessages } from './preview-messages.ts';
import type { PreviewOptions } from './preview-types.ts';

type LiveUpdate = Awaited<ReturnType<StreamingSurface['update']>>;

interface LiveSurface {
  /** Whether the answer is shown on it now. */
  isUsed(): boolean;
  open(): void;
  /** Shows the text; a surface that refuses it is used no more. */
  update(text: string): Promise<LiveUpdate>;
  /** Milliseconds until it wants to be renewed; undefined when it is not used. */
  renewal(): number | undefined;
  /** It failed: what is shown stays, and nothing more goes there. */
  giveUp(): void;
  /** It ends with what it shows, and its message is edited from there. */
  leave(shown: string): Promise<void>;
  /** The preview is over, and this was its text. */
  close(shown: string): Promise<void>;
  exists(part: MessagePart): boolean;
}

/** The live draft or stream of one preview, opened at its first text; `ended` aborts when the preview ends. */
export function createLiveSurface(
  options: PreviewOptions,
  { messages, ended }: { messages: PreviewMessages; ended: AbortSignal },
): LiveSurface {
  const { channel, address, turnID, limiter, clock, log } = options;
  let used: StreamingSurface | undefined;
  let opened: StreamingSurface | undefined;
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

  return {
    isUsed: () => used !== undefined,
    open() {
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
          if (!ended.aborted) options.stoppedByUser();
        },
      });
      used = opened;
    },
    async update(text) {
      if (used === undefined) return 'refused';
      const update = await used.update(text);
      if (update === 'refused') {
        used = undefined;
        await messages.refused();
      }
      if (update === 'stopped by user') options.stoppedByUser();
      return update;
    },
    renewal() {
      const at = used?.renewAt();
      return at === undefined ? undefined : Math.max(0, msUntil(clock, at));
    },
    giveUp() {
      used = undefined;
    },
    async leave(shown) {
      const left = used;
      used = undefined;
      if (left !== undefined && shown !== '') await finish(left, shown);
    },
    async close(shown) {
      if (opened !== undefined) await finish(opened, shown);
      opened?.close?.();
    },
    exists: (part) => used?.exists?.(part) === true,
  };
}
