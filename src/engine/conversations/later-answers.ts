// Takes out of memory the later answers that repeat words which their author has taken back. The answers stay in their chats.
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { singleAudienceScope } from '#engine/memory-api/single-audience.ts';
import type { StoredRun } from '#engine/runs/tables/run-row.ts';
import type { LaterRun } from '#engine/runs/tables/run-rows.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import { quotedIn, withoutNotes } from '#engine/wire/channels/notes.ts';
import { parsePassage } from '#memory/types/block.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Entry } from '#memory/types/maintenance.ts';
import type { Scope } from '#memory/types/scope.ts';
import type { RunArchive } from './archive.ts';
import { forgetOwnWords, notedAudiences } from './forget-run.ts';

interface LaterAnswersOptions {
  tables: RunTables;
  memory: Pick<Memory, 'forget' | 'tellingWords'>;
  archive: Pick<RunArchive, 'changing'>;
  /** Resolves when the run has ended. */
  finished(runID: string): Promise<unknown>;
  log: Log;
}

/** What a message said, what it says now, and what was answered to the former words or came with them. */
export interface Change {
  was: string;
  now: string;
  answer: string;
}

/** Where words were that are gone, and since when; `runID` is of the run whose message had them. */
interface Origin {
  runID?: string;
  audience: string | undefined;
  since: number;
}

/** A run whose answer repeats them, with what it was asked. */
interface Repeating {
  runID: string;
  question: ReadonlySet<string>;
}

/** Words that are gone, by their stems, as they are written. */
type GoneWords = ReadonlyMap<string, string>;

export interface LaterAnswers {
  /** Takes answers back that came after a run and repeat what is gone of its message. */
  takeBack(run: StoredRun, change: Change): Promise<void>;
  /** The same for a message that another one quotes in this part; the answer to that other one too. */
  takeBackQuoted(quote: { id: string; messageID: string }): Promise<void>;
  /** The same for a note that is forgotten with the message that saved it. */
  takeBackNote(note: { text: string; at: number; audience: string }): Promise<void>;
  /** Whether an answer to several messages repeats what is gone of one of them, and the others, which are there `now`, do not say it. */
  isTold(text: string, change: Change): boolean;
}

/**
 * An answer tells of a message where it was shown it or what was made of it, or was given in the same place, and holds a word that is gone and that its own question has
 * not. Of the answer to the message, and of files that came with it, only names and numbers count: many other words are in any answer.
 */
export function createLaterAnswers(options: LaterAnswersOptions): LaterAnswers {
  const { tables, memory, archive, finished, log } = options;
  const { runs, conversation, events } = tables;
  const stemsOf = (text: string): Set<string> => new Set(memory.tellingWords(text).map(({ stem }) => stem));

  const goneOf = ({ was, now, answer }: Change): GoneWords => {
    const stays = stemsOf(now);
    const told = memory.tellingWords(answer).filter(({ particular }) => particular);
    const gone = [...memory.tellingWords(was), ...told].filter(({ stem }) => !stays.has(stem));
    return new Map(gone.map(({ stem, plain }) => [stem, plain]));
  };

  const repeats = (text: string, gone: GoneWords, question: ReadonlySet<string>): boolean =>
    memory.tellingWords(text).some(({ stem }) => gone.has(stem) && !question.has(stem));

  /** What a run was asked, without what its message quotes. */
  const questionOf = ({ userMessageID }: Pick<LaterRun, 'userMessageID'>): Set<string> =>
    stemsOf(
      conversation.parts
        .ofMessage(userMessageID)
        .map((part) => (part.type === 'text' ? withoutNotes(part.text) : ''))
        .join('\n'),
    );

  /** Later runs that repeat it, or repeat one that does. */
  const repeatingRuns = ({ runID, audience, since }: Origin, gone: GoneWords): Repeating[] => {
    const telling = runID === undefined ? [] : [runID];
    const plain = [...gone.values()];
    const found: Repeating[] = [];
    for (const later of runs.since(since)) {
      if (later.runID === runID) continue;
      const hasSeen = telling.some((each) => later.seenRuns.includes(each));
      // in the same room it may have been shown among what was just said there, of which nothing is stored
      const isThere = later.audience !== null && later.audience === audience;
      if (!hasSeen && !isThere && !holdsAny(later.recalled, plain)) continue;
      const question = questionOf(later);
      if (!repeats(`${later.text}\n${later.calls}`, gone, question)) continue;
      telling.push(later.runID);
      found.push({ runID: later.runID, question });
    }
    return found;
  };

  const takeBack = async (
    origin: Origin,
    gone: GoneWords,
    first: readonly Repeating[] = [],
  ): Promise<void> => {
    for (const repeating of [...first, ...repeatingRuns(origin, gone)])
      await archive.changing(repeating.runID, async () => {
        const later = runs.get(repeating.runID);
        if (later === undefined) return;
        const isTold = (text: string): boolean => repeats(text, gone, repeating.question);
        const { isOutdated, had } = await forgetTold(memory, later, isTold);
        // what somebody has forgotten is not archived again for a change of another message
        const archived = had || later.archived !== 'stored' ? undefined : later.archived;
        if (isOutdated) events.commit(() => runs.setOutdated(later.runID, archived));
      });
  };

  const takeBackSoon = async (
    origin: Origin,
    gone: GoneWords,
    first?: readonly Repeating[],
  ): Promise<void> => {
    if (gone.size === 0) return;
    const atWork = runs.allRunning().filter(({ runID }) => runID !== origin.runID);
    await takeBack(origin, gone, first);
    // a run at work may have been shown it, and what it answers is not known yet
    for (const { runID } of atWork)
      finished(runID)
        .then(() => takeBack(origin, gone))
        .catch((error: unknown) =>
          log.warn(
            { runID, error: errorMessage(error) },
            'memory may hold an answer that repeats what was taken back',
          ),
        );
  };
  const originOf = ({ runID, origin, startedAtMs }: StoredRun): Origin => ({
    runID,
    audience: origin?.audience,
    since: startedAtMs,
  });

  return {
    isTold: (text, change) => repeats(text, goneOf(change), new Set()),
    takeBack: (run, change) => takeBackSoon(originOf(run), goneOf(change)),
    async takeBackQuoted({ id, messageID }) {
      const run = runs.get(conversation.messages.get(messageID)?.runID ?? '');
      const note = conversation.parts.ofMessage(messageID).find((part) => part.id === id);
      if (run === undefined || note?.type !== 'text') return;
      const gone = goneOf({ was: quotedIn(note.text), now: '', answer: '' });
      const question = questionOf(run);
      const isTold = repeats(run.text, gone, question);
      await takeBackSoon(originOf(run), gone, isTold ? [{ runID: run.runID, question }] : []);
    },
    takeBackNote: ({ text, at, audience }) =>
      takeBackSoon({ audience, since: at }, goneOf({ was: text, now: '', answer: '' })),
  };
}

/** Whether the text holds one of these, which are in lower case. */
function holdsAny(text: string, plain: readonly string[]): boolean {
  const folded = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.some((word) => folded.includes(word));
}

/**
 * Forgets what memory has of one run and tells of the words that are gone: whether its exchange is among that, and whether memory had
 * anything of the run. An answer that tells of them goes from memory as a whole, also where memory does not have the line that does: later
 * it may be asked for words of another line.
 */
async function forgetTold(
  memory: Pick<Memory, 'forget'>,
  run: StoredRun,
  isTold: (text: string) => boolean,
): Promise<{ isOutdated: boolean; had: boolean }> {
  const audiences = notedAudiences(run);
  const isAnswerTold = run.outdated !== true && isTold(run.text);
  if (audiences.length === 0) return { isOutdated: isAnswerTold, had: false };
  const scope: Scope = { ...singleAudienceScope(), audiences };
  const selection = { run: run.runID };
  const by = { name: 'gateway', runID: run.runID };
  const shown = { scope, selection, mode: 'preview', samples: 'all', by } as const;
  const { samples, entries } = await memory.forget(shown);
  const told = samples.filter((entry) => isTold(wordsOf(entry)));
  const isWhole = isAnswerTold || told.some(({ source }) => source === 'exchange');
  // an exchange is in memory in pieces, and goes as a whole
  const ids = samples.flatMap((entry) =>
    told.includes(entry) || (isWhole && entry.source === 'exchange') ? [entry.id] : [],
  );
  const isMore = samples.length < entries;
  if (isWhole || isMore) await forgetOwnWords(memory, { samples, scope, by }, isTold);
  if (ids.length > 0 || isMore)
    await memory.forget({
      scope,
      selection: isMore ? selection : { ids },
      mode: 'forget',
      by,
      proof: 'none',
    });
  return { isOutdated: isWhole || isMore, had: entries > 0 };
}

/** What is said in an entry: the name of who said it was taken back by nobody. */
function wordsOf({ source, text, speaker }: Entry): string {
  if (source !== 'exchange') return text;
  const { userText, answered } = parsePassage(text, speaker);
  return `${userText}\n${answered}`;
}
