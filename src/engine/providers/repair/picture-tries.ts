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

/** Pictures of which it is looked for those that are refused: as many as go along where nothing is set. */
const maxLookedAt = 4;

/** For one answer of one model. `unreadable` are the pictures that are left out, by `fileID`. */
export function createPictureTries(unreadable: Set<string>) {
  /** Left out to see whether they are the ones. */
  let tried: readonly string[] = [];
  let untried: (readonly string[])[] | undefined;
  return {
    /**
     * Leaves out of the request, which `sent` gives as it goes out now, what the refusal is most likely about; always true. Without a word
     * about that each picture is left out alone, then each two of them, and so on, and in the end all.
     */
    leaveOut({ at, size, bytes = Number.POSITIVE_INFINITY }: PictureRefusal, sent: () => SentRequest): true {
      const named = at === undefined ? undefined : pictureAt(at, sent());
      for (const id of tried) unreadable.delete(id); // they were not all
      tried = [];
      const there = picturesIn(sent().messages);
      const bySize = there.toSorted((one, other) => bytesOf(other) - bytesOf(one));
      const sure = named ?? bySize.filter((picture) => bytesOf(picture) > bytes);
      // all of them together are too large: with each one less there is more room
      const gone = size === 'all' ? bySize.slice(0, 1) : sure;
      if (gone.length === 0) {
        untried ??= choicesOf((size === undefined ? there.toReversed() : bySize).map(fileID));
        tried = untried.shift() ?? [];
      } else untried = undefined; // without these it is looked for anew
      const left = gone.length > 0 ? gone : tried.length > 0 ? [] : there;
      for (const id of [...tried, ...left.map(fileID)]) unreadable.add(id);
      return true;
    },
  };
}

/** Each of the first pictures alone, then each two of them and so on, without all: the likeliest first. */
function choicesOf(ids: readonly string[]): (readonly string[])[] {
  const looked = [...new Set(ids)].slice(0, maxLookedAt);
  const choices: (readonly string[])[] = [[]];
  for (const id of looked) choices.push(...choices.map((choice) => [...choice, id]));
  const isSome = ({ length }: readonly string[]): boolean => length > 0 && length < ids.length;
  return choices.filter(isSome).toSorted((one, other) => one.length - other.length);
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
