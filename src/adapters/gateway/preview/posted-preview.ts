// A preview as messages that are posted and then edited: one call at a time, for the first part that looks different.
import type { CallType } from '#adapters/gateway/terms/channel.ts';
import { healUnfinished } from '#adapters/text/heal.ts';
import { buttonsBelow } from './buttons-below.ts';
import type { Changed, PreviewMessages } from './preview-messages.ts';
import type { PreviewOptions, PreviewProgress } from './preview-types.ts';

/** The answer as far as it is known, and the text that the chat shows now. */
export interface PreviewDraft {
  text: string;
  progress: PreviewProgress | undefined;
  painted: string;
}

/** `nothing new`: no call was made, since what is shown looks the same; `over`: an outcome is unknown, and the outbox settles it. */
export type PaintResult = 'painted' | 'nothing new' | 'over';

interface PostedPreview {
  /** Posts or edits the first part that looks different now; `take` waits for a turn at the limiter. */
  paint(take: (act: CallType) => Promise<void>): Promise<PaintResult>;
  /** Whether buttons are, or were, below its messages. */
  hadButtons(): boolean;
}

/** In the place of a text that was shown and taken back. */
const nothingYet = '…';

/** The text of a preview with the progress below it. */
export function previewText({ text, progress, painted }: PreviewDraft): string {
  const shown = [text, progress?.markdown ?? ''].filter((each) => each.trim() !== '').join('\n\n');
  return shown === '' && painted !== '' ? nothingYet : shown;
}

/** Posts and edits the messages of one preview. */
export function createPostedPreview(
  options: Pick<PreviewOptions, 'channel' | 'address' | 'replyTo' | 'inReplies'>,
  { draft, messages }: { draft: PreviewDraft; messages: PreviewMessages },
): PostedPreview {
  const { channel, address } = options;
  let hadButtons = false;

  /** The parts of the text as it is now that are not shown yet. */
  const changes = (): Changed[] => {
    const parts = channel.render(healUnfinished(previewText(draft)));
    if (draft.progress !== undefined && draft.progress.choices.length > 0) hadButtons = true;
    return messages.changed(hadButtons ? buttonsBelow(parts, channel, draft.progress?.choices ?? []) : parts);
  };

  return {
    hadButtons: () => hadButtons,
    async paint(take) {
      const before = { text: previewText(draft), changed: changes() };
      const [first] = before.changed;
      if (first === undefined) {
        draft.painted = previewText(draft);
        return 'nothing new';
      }
      if (first.standing === 'unknown') return 'over'; // its outcome is unknown: the outbox settles it
      await take(first.standing === 'posted' ? 'edit' : 'send');
      // the text may have grown while the call waited: shown is what it is now
      const now = previewText(draft);
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
      if (changed.length === 1) draft.painted = now;
      return 'painted';
    },
  };
}
