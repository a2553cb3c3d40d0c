// Which picture of a request is left out where a model refuses one: the one that its words name, else each in turn. Not how many it takes.
import type { FilePart, ModelMessage } from 'ai';
import { soundMessages } from '#engine/providers/sdk/sound-messages.ts';
import { fileID, isPicture, picturesIn } from './acceptable.ts';
import type { PictureAt, Refusal } from './refusal.ts';

type PictureRefusal = Omit<Extract<Refusal, { kind: 'picture' }>, 'kind'>;

interface SentRequest {
  system: string;
  messages: ModelMessage[];
}

/** Pictures that are left out alone, one after another, to find the one that is refused. */
const maxAlone = 4;

/** For one answer of one model. `unreadable` are the pictures that are left out, by `fileID`. */
export function createPictureTries(unreadable: Set<string>) {
  /** Left out to see whether it is the one. */
  let alone: string | undefined;
  let untried: string[] | undefined;
  return {
    /** Leaves out of the request, which `sent` gives as it goes out now, what the refusal is most likely about; always true. */
    leaveOut({ at, size, bytes = Number.POSITIVE_INFINITY }: PictureRefusal, sent: () => SentRequest): true {
      const named = at === undefined ? undefined : pictureAt(at, sent());
      if (alone !== undefined) unreadable.delete(alone); // it was not the one
      alone = undefined;
      const there = picturesIn(sent().messages);
      const bySize = there.toSorted((one, other) => bytesOf(other) - bytesOf(one));
      const sure = named ?? bySize.filter((picture) => bytesOf(picture) > bytes);
      // all of them together are too large: with each one less there is more room
      const gone = size === 'all' ? bySize.slice(0, 1) : sure;
      if (gone.length === 0) {
        untried ??= (size === undefined ? there.toReversed() : bySize).slice(0, maxAlone).map(fileID);
        alone = untried.shift();
      }
      if (alone !== undefined) unreadable.add(alone);
      else for (const picture of gone.length > 0 ? gone : there) unreadable.add(fileID(picture));
      return true;
    },
  };
}

/** The picture at a place of the request; undefined where there is none. */
function pictureAt({ message, part, isCounted }: PictureAt, sent: SentRequest): FilePart[] | undefined {
  const messages = soundMessages(sent.messages);
  const offset = sent.system === '' ? 0 : 1;
  // a proxy may pass on the words of a server that counts otherwise
  for (const index of isCounted ? [message - offset, message] : [message, message - offset]) {
    const content = messages[index]?.content;
    const found = content === undefined || typeof content === 'string' ? undefined : content[part];
    if (found?.type === 'file' && isPicture(found)) return [found];
  }
  return undefined;
}

function bytesOf({ data }: FilePart): number {
  return typeof data === 'string' ? Math.floor((data.length * 3) / 4) : 0;
}
