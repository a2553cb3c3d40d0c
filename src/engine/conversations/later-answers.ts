// Takes out of memory the later answers that repeat words which their author has taken back. The answers stay in their chats.
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { singleAudienceScope } from '#engine/memory-api/single-audience.ts';
import type { StoredRun } from '#engine/runs/tables/run-row.ts';
import type { LaterRun } from '#engine/runs/tables/run-rows.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import { quotedIn, withoutNotes } from '#engine/wire/channels/notes.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { Audience, Scope } from '#memory/types/scope.ts';
import type { RunArchive } from './archive.ts';

interface LaterAnswersOptions {
  tables: RunTables;
  memory: Pick<Memory, 'forget' | 'tellingWords'>;
  archive: Pick<RunArchive, 'changing'>;
  /** Resolves when the run has ended. */
  finished(runID: string): Promise<unknown>;
  log: Log;
}

/** What a message said, what it says now, and what was answered to the former words. */
interface Change {
  was: string;
  now: string;
  answer: string;
}

/** Words that are gone, by their stems, as they are written. */
type GoneWords = ReadonlyMap<string, string>;

export interface LaterAnswers {
  /** Takes answers back that came after a run and repeat what is gone of its message. */
  takeBack(run: StoredRun, change: Change): Promise<void>;
  /** The same for a message that another one quotes in this part; the answer to that other one too. */
  takeBackQuoted(quote: { id: string; messageID: string }): Promise<void>;
  /** Whether an answer to several messages repeats what is gone of one of them, and the others, which remain, do not say it. */
  isTold(was: string, answer: { text: string; remains: string }): boolean;
}

/** The audiences in which what a run noted may be. */
export function notedAudiences({ origin }: StoredRun): Audience[] {
  if (origin === undefined) return [];
  const linked = origin.kind === 'dm' ? origin.reach.audiences : [];
  const all = [origin.audience, ...linked.filter((each) => each.startsWith('person:'))];
  return all as Audience[]; // the form that the prompt's schema checks
}

/**
 * An answer tells of a message where it was shown it or what was made of it, or was given in the same place, and holds a word that is gone and that its own question has
 * not. Of the answer to the message only names and numbers count, as two answers have many other words in common.
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
  const repeatingRuns = (runID: string, gone: GoneWords): { runID: string; question: Set<string> }[] => {
    const telling = [runID];
    const audience = runs.get(runID)?.origin?.audience;
    const plain = [...gone.values()];
    const found: { runID: string; question: Set<string> }[] = [];
    for (const later of runs.after(runID)) {
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

  /** What memory has of one run and is of the words that are gone. */
  const forgetRepeated = async (run: StoredRun, gone: GoneWords, question: Set<string>): Promise<void> => {
    const audiences = notedAudiences(run);
    if (audiences.length === 0) return;
    const scope: Scope = { ...singleAudienceScope(), audiences };
    const selection = { run: run.runID };
    const by = { name: 'gateway', runID: run.runID };
    const { samples, entries } = await memory.forget({ scope, selection, mode: 'preview', by });
    const told = samples.filter(({ text }) => repeats(text, gone, question));
    const isWhole = told.some(({ source }) => source === 'exchange');
    // an exchange is in memory in pieces, and goes as a whole
    const ids = samples.flatMap((entry) =>
      told.includes(entry) || (isWhole && entry.source === 'exchange') ? [entry.id] : [],
    );
    const meant = samples.length < entries ? selection : { ids };
    if (ids.length > 0 || samples.length < entries)
      await memory.forget({ scope, selection: meant, mode: 'forget', by, proof: 'none' });
  };

  const takeBack = async (
    runID: string,
    gone: GoneWords,
    first: readonly { runID: string; question: Set<string> }[] = [],
  ): Promise<void> => {
    for (const repeating of [...first, ...repeatingRuns(runID, gone)])
      await archive.changing(repeating.runID, async () => {
        const later = runs.get(repeating.runID);
        if (later === undefined || later.outdated === true) return;
        await forgetRepeated(later, gone, repeating.question);
        events.commit(() => runs.setOutdated(later.runID));
      });
  };

  const takeBackSoon = async (
    runID: string,
    gone: GoneWords,
    first?: Parameters<typeof takeBack>[2],
  ): Promise<void> => {
    const atWork = runs.allRunning().filter((each) => each.runID !== runID);
    await takeBack(runID, gone, first);
    // a run at work may have been shown it, and what it answers is not known yet
    for (const { runID: id } of atWork)
      finished(id)
        .then(() => takeBack(runID, gone))
        .catch((error: unknown) =>
          log.warn(
            { runID: id, error: errorMessage(error) },
            'memory may hold an answer that repeats an amended message',
          ),
        );
  };

  return {
    isTold: (was, { text, remains }) => repeats(text, goneOf({ was, now: remains, answer: '' }), new Set()),
    async takeBack({ runID }, change) {
      const gone = goneOf(change);
      if (gone.size > 0) await takeBackSoon(runID, gone);
    },
    async takeBackQuoted({ id, messageID }) {
      const run = runs.get(conversation.messages.get(messageID)?.runID ?? '');
      const note = conversation.parts.ofMessage(messageID).find((part) => part.id === id);
      if (run === undefined || note?.type !== 'text') return;
      const gone = goneOf({ was: quotedIn(note.text), now: '', answer: '' });
      if (gone.size === 0) return;
      const question = questionOf(run);
      const isTold = repeats(run.text, gone, question);
      await takeBackSoon(run.runID, gone, isTold ? [{ runID: run.runID, question }] : []);
    },
  };
}

/** Whether the text holds one of these, which are in lower case. */
function holdsAny(text: string, plain: readonly string[]): boolean {
  const folded = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.some((word) => folded.includes(word));
}
