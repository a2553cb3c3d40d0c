// What a person has to know about an answer next to its words. With how they add up.
import { z } from 'zod';

const notices = [
  /** It was longer than the model may write: it ends in the middle. */
  'cut',
  /** The provider withheld the rest. */
  'filtered',
  /** The model sees no pictures: these of the message were left out. */
  'no pictures',
  /** Fewer pictures go along than there were, by the settings or what the model takes: these were left out. */
  'fewer pictures',
  /** The model could not read these pictures, or files that have no text for it. */
  'unreadable',
  /** The model refused what was said before: only the question was answered. */
  'no history',
] as const;

export const runNotice = z.object({
  code: z.enum(notices),
  /** The names of the files that it is about. */
  files: z.array(z.string()).optional(),
});
export type RunNotice = z.infer<typeof runNotice>;

/** Adds what a person has to know: of one kind as one, and nothing of the number of pictures where the model sees none. */
export function addNotice(notices: RunNotice[], notice: RunNotice): void {
  const isSame = ({ code }: RunNotice): boolean =>
    code === notice.code || (code === 'fewer pictures' && notice.code === 'no pictures');
  const files = [...notices.filter(isSame), notice].flatMap((each) => each.files ?? []);
  const others = notices.filter((each) => !isSame(each));
  const added = notice.files === undefined ? notice : { ...notice, files: [...new Set(files)] };
  notices.splice(0, notices.length, ...others, added);
}
