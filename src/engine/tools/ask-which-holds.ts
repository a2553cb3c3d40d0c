// What contradicts a surer memory, as a question to the person: an open thread of the journal, in their chat and on their board.
import { errorMessage } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { JournalCaller } from '#memory/types/journal.ts';
import type { NoteResult, Standing } from '#memory/types/note.ts';

/** What was stored, by whom and for which project. */
export interface Stated {
  /** Who waits for the answer; where nobody is named, it is memory's own question. */
  agentID?: string | undefined;
  text: string;
  /** 1 when absent. */
  confidence?: number | undefined;
  key?: string | undefined;
  projectID?: string | undefined;
}

/**
 * Asks the person which of two memories holds, in the place of an earlier question about one of them. What is stored stays so when the question
 * cannot be noted: `hint` then says that it is the agent's to ask.
 */
export type AskWhichHolds = (
  caller: JournalCaller,
  saved: NoteResult,
  stated: Stated,
) => Promise<{ question?: string; answerWith?: AnswerCall; hint?: string }>;

/** The call that answers a question, but for its `holds`: the id of the memory that the person chose. */
interface AnswerCall {
  tool: 'update_session_element';
  arguments: { agentID: string; projectID?: string; elementID: string; action: 'resolved' };
}

/** Under this name are questions of callers that named none. */
const nobody = 'memory';
const [maxTitle, maxSide] = [200, 600];

/** Over the journal; `mayAsk` says whether the policy lets this caller note a thread. */
export function createAskWhichHolds(
  { journal }: Pick<Memory, 'journal'>,
  mayAsk: (caller: JournalCaller) => boolean,
): AskWhichHolds {
  return async (caller, saved, stated) => {
    if (!('id' in saved) || saved.contradicts === undefined) return {};
    const { id, contradicts } = saved;
    const unasked = 'Ask your person which of the two holds, and correct the other one.';
    if (!mayAsk(caller)) return { hint: unasked };
    const { agentID = nobody, text, confidence = 1, key, projectID } = stated;
    const asking = { ...caller, projectID, shownAs: agentID };
    try {
      const { id: question } = await journal.askWhichHolds(asking, {
        agentID,
        title: `Which holds of "${truncate(key ?? contradicts.text, maxTitle)}"?`,
        body: [sideOf(contradicts), sideOf({ id, text, confidence })]
          .map((side, index) => `${index + 1}. ${side}`)
          .join('\n'),
        records: [contradicts.id, id],
      });
      const there = { agentID, ...(projectID !== undefined && { projectID }), elementID: question };
      return {
        question,
        answerWith: { tool: 'update_session_element', arguments: { ...there, action: 'resolved' } },
      };
    } catch (error) {
      return { hint: `${unasked} It could not be left in their chat (${errorMessage(error)}).` };
    }
  };
}

/** One of the two: what it says, how sure it is, since when, and its id. */
function sideOf({ id, text, ...of }: Omit<Standing, 'at'> & Partial<Standing>): string {
  const since = of.at === undefined ? 'new' : `of ${new Date(of.at).toISOString().slice(0, 10)}`;
  return `${truncate(text, maxSide)} (${Math.round(of.confidence * 100)} % sure, ${since}, ${id})`;
}
