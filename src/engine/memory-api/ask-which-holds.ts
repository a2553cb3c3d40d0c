// What contradicts a surer memory, as a question to the person: an open thread of the journal, in their chat and on their board.
import { errorMessage } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { JournalCaller } from '#memory/types/journal.ts';
import type { NoteResult, Standing } from '#memory/types/note.ts';

/** What was stored, by whom and for which project. */
interface Stated {
  /** Who waits for the answer; where nobody is named, it is memory's own question. */
  agentID?: string | undefined;
  text: string;
  /** 1 when absent. */
  confidence?: number | undefined;
  key?: string | undefined;
  projectID?: string | undefined;
}

/**
 * Asks the person which of two memories holds, in the place of an earlier question about the same key; where a word settled it, that question is
 * resolved. What is stored stays so when the question cannot be noted: `hint` then says that it is the agent's to ask.
 */
export type AskWhichHolds = (
  caller: JournalCaller,
  saved: NoteResult,
  stated: Stated,
) => Promise<{ question?: string; hint?: string }>;

/** Under this name are questions of callers that named none. */
const nobody = 'memory';
/** Open threads that are looked through for an earlier question. */
const maxLooked = 1_000;
const [maxTitle, maxSide] = [200, 600];

/** Over the journal; `mayAsk` says whether the policy lets this caller note a thread. */
export function createAskWhichHolds(
  { journal }: Pick<Memory, 'journal'>,
  mayAsk: (caller: JournalCaller) => boolean,
): AskWhichHolds {
  return async (caller, saved, stated) => {
    if (!('id' in saved)) return {};
    const { contradicts, settled } = saved;
    if ((contradicts ?? settled) === undefined) return {};
    const unasked = { hint: 'Ask your person which of the two holds, and correct the other one.' };
    if (!mayAsk(caller)) return contradicts === undefined ? {} : unasked;
    const { agentID = nobody, text, confidence = 1, key, projectID } = stated;
    const about = key ?? contradicts?.text ?? text;
    const title = `Which holds of "${truncate(about, maxTitle)}"?`;
    const there = { ...caller, projectID, shownAs: agentID };
    const own = new Set<string>([caller.where.audience, ...(caller.own ?? [])]);
    try {
      const note = contradicts === undefined ? `Settled: ${truncate(text, maxSide)}` : 'Asked again.';
      const action = contradicts === undefined ? 'resolved' : 'dropped';
      const { items } = await journal.listEntries(there, {
        ...{ kinds: ['thread'], statuses: ['open', 'parked'], limit: maxLooked },
        ...(projectID !== undefined && { projectID }),
      });
      const earlier = items.filter(
        (item) =>
          item.title.toLowerCase() === title.toLowerCase() &&
          own.has(item.audience) &&
          (item.projectID === null) === (projectID === undefined),
      );
      for (const { id } of earlier) await journal.settleEntry(there, { id, action, note });
      if (contradicts === undefined) return {};
      const body = [sideOf(contradicts), sideOf({ id: saved.id, text, confidence })].join('\n');
      const { id: question } = await journal.noteElement(there, { agentID, kind: 'thread', title, body });
      return { question };
    } catch (error) {
      return contradicts === undefined
        ? {}
        : { hint: `${unasked.hint} It could not be left in their chat (${errorMessage(error)}).` };
    }
  };
}

/** One of the two: what it says, how sure it is, since when, and its id. */
function sideOf({ id, text, ...of }: Omit<Standing, 'at'> & Partial<Standing>): string {
  const since = of.at === undefined ? 'new' : `of ${new Date(of.at).toISOString().slice(0, 10)}`;
  return `- ${truncate(text, maxSide)} (${Math.round(of.confidence * 100)} % sure, ${since}, ${id})`;
}
