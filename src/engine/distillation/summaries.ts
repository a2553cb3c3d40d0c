// Makes the summary that stands for the older part of a conversation: on request, and after a run that had to leave messages out.

import type { Clock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { truncate } from '#base/text.ts';
import { withTimeout } from '#base/waiting/async.ts';
import { type Context, fullnessOf, withinWindow } from '#engine/context/build.ts';
import {
  foldOf,
  plainSummary,
  summaryChars,
  summaryPrompt,
  summarySystemOf,
  transcriptOf,
} from '#engine/context/compaction.ts';
import type { HistoryLimits } from '#engine/context/history.ts';
import { askForText, type CallContext } from '#engine/providers/call-model.ts';
import { detailsOf, failureOf } from '#engine/providers/calls/failure.ts';
import type { Provider } from '#engine/providers/provider.ts';
import type { RunTables } from '#engine/runs/tables/run-tables.ts';
import { type Sessions, unknownSession, updatedEvent } from '#engine/sessions/sessions.ts';
import type { StoredSummary } from '#engine/sessions/summary-rows.ts';
import type { StoredMessage } from '#engine/sessions/wire-shapes.ts';
import type { SessionSummary, SummaryRequest } from '#engine/wire/sessions/summary.ts';
import { areChanged, type Flush } from './flush.ts';

export interface Summaries {
  /**
   * Summarizes all but the newest exchange. With nothing new to summarize it gives the existing summary; a ParleyError
   * `nothing_to_summarize` when there is none, `summary_failed` when the model gave none. A key that made a summary gives
   * that one again; `idempotency_key_reused` when that was in another session. `keep` says what is to be in it above all.
   */
  summarize(sessionID: string, how?: SummaryRequest): Promise<SessionSummary>;
  /**
   * Summarizes a conversation that nobody writes in now, where what is not summarized takes over half of the history that its model is sent; a quarter of
   * the history stays unchanged. Resolves with whether there is a new summary; throws `summary_failed` as `summarize` does.
   */
  compactIdle(sessionID: string): Promise<boolean>;
  /**
   * After a run, in the background: flushes the conversation to memory where it is nearly full, and makes room where the prompt left
   * messages out; half of the history then stays unchanged.
   */
  afterRun(sessionID: string, sent: Pick<Context, 'leftOut' | 'fullness' | 'bounds'>): void;
  /** Ends what it is doing. */
  close(): Promise<void>;
}

interface SummariesOptions {
  tables: RunTables;
  sessions: Sessions;
  /** The model that answers in a session, as its newest run had it. */
  providerOf(sessionID: string): Provider;
  calls: CallContext;
  limits: HistoryLimits;
  flush: Flush;
  clock: Clock;
  log: Log;
}

/** For one summary. */
const longestMs = 120_000;
/** Messages that are looked at; older ones are only counted. */
const maxMessages = 2_000;
/** Runs whose recalled passages count as shown where the summary is. */
const maxRuns = 100;

interface Making {
  /** What bounds the conversation in a prompt. */
  bounds: HistoryLimits;
  /** How much of the conversation stays as it is. */
  save: HistoryLimits;
  /** Only the flush of what would go, which the conversation is not shortened for yet. */
  flushOnly?: boolean | undefined;
  idempotencyKey?: string | undefined;
  keep?: string | undefined;
}

/** The summaries over the tables; one at a time in each session. */
export function createSummaries(options: SummariesOptions): Summaries {
  const { tables, sessions, providerOf, clock, log } = options;
  const { summaries } = tables.conversation;
  const closing = new AbortController();
  const underWay = new Map<string, Promise<SessionSummary | undefined>>();

  const make = async (sessionID: string, making: Making): Promise<SessionSummary | undefined> => {
    const { bounds, save, flushOnly = false, idempotencyKey, keep } = making;
    const known = idempotencyKey === undefined ? undefined : summaries.ofKey(idempotencyKey);
    if (known?.sessionID === sessionID) return known;
    if (known !== undefined)
      throw new ParleyError(
        'idempotency_key_reused',
        'This key made the summary of another session. Use a new one.',
      );
    const before = summaries.newest(sessionID);
    const { messages, older } = await sessions.recent(sessionID, { limit: maxMessages });
    const fresh = foldOf(messages, save).folded;
    // an earlier summary may lack what is to be kept: its messages are read once more
    const again = keep !== undefined && before !== undefined;
    const all = again
      ? await sessions.recent(sessionID, { limit: maxMessages, summarized: 'too' })
      : { messages, older };
    const folded = again ? foldOf(all.messages, save).folded : fresh;
    const last = folded.at(-1);
    if (last === undefined) return before;
    // every shortening comes through here, so that memory has what should last before the model no longer sees it
    await options.flush.flush(sessionID, fresh, closing.signal);
    closing.signal.throwIfAborted();
    // a message that was edited or deleted in the meantime is in `folded` with its former words
    if (areChanged(tables, folded)) return make(sessionID, making);
    if (flushOnly) return before;
    const provider = providerOf(sessionID);
    const transcript = transcriptOf(folded, bounds);
    const isOffline = provider.providerID === 'offline';
    const text = isOffline
      ? plainSummary(again ? undefined : before, folded)
      : await withTimeout({ clock, ms: longestMs, what: 'The summary', signal: closing.signal }, (signal) =>
          written(options, {
            ...{ sessionID, provider, signal },
            ...{ system: summarySystemOf(keep), prompt: summaryPrompt(before, transcript) },
          }),
        );
    const made: StoredSummary = {
      sessionID,
      text: truncate(text, summaryChars),
      ...countsOf({
        before,
        covered: (again ? 0 : (before?.messages ?? 0)) + all.older + folded.length,
        shown: folded.length - (isOffline ? 0 : transcript.omittedMessages),
      }),
      lastMessageID: last.id,
      runIDs: [...(before?.runIDs ?? []), ...runsOf(folded)].slice(-maxRuns),
      model: { providerID: provider.providerID, modelID: provider.modelID },
      createdAtMs: clock.now(),
      idempotencyKey,
    };
    // as above, while the model wrote
    if (areChanged(tables, folded)) return make(sessionID, making);
    return tables.events.commit((record) => {
      const session = tables.conversation.sessions.get(sessionID);
      if (session === undefined) throw unknownSession(sessionID);
      summaries.insert(made);
      record(updatedEvent(session));
      return summaries.newest(sessionID);
    });
  };
  const once = (sessionID: string, making: Making): Promise<SessionSummary | undefined> => {
    const before = underWay.get(sessionID) ?? Promise.resolve(undefined);
    const made = before.catch(() => undefined).then(() => make(sessionID, making));
    underWay.set(sessionID, made);
    const forget = (): void => {
      if (underWay.get(sessionID) === made) underWay.delete(sessionID);
    };
    made.then(forget, forget);
    return made;
  };

  return {
    async summarize(sessionID, { idempotencyKey, keep } = {}) {
      if (!(await sessions.has(sessionID))) throw unknownSession(sessionID);
      const bounds = await boundsIn(options, sessionID);
      const save = { ...bounds, historyMessages: 2 };
      const made = await once(sessionID, { bounds, save, idempotencyKey, keep });
      if (made !== undefined) return publicSummary(made);
      throw new ParleyError('nothing_to_summarize', 'This session has no more than one exchange.');
    },
    async compactIdle(sessionID) {
      if (closing.signal.aborted) return false;
      const bounds = await boundsIn(options, sessionID);
      const { messages, summary } = await sessions.recent(sessionID, { limit: bounds.historyMessages + 1 });
      if (fullnessOf(messages, bounds) <= 0.5) return false;
      const made = await once(sessionID, { bounds, save: shareOf(bounds, 4) });
      return made?.lastMessageID !== summary?.lastMessageID;
    },
    afterRun(sessionID, { leftOut, fullness, bounds }) {
      if (closing.signal.aborted || underWay.has(sessionID)) return;
      if (leftOut === 0 && !options.flush.isDue(sessionID, fullness)) return;
      once(sessionID, { bounds, save: shareOf(bounds, 2), flushOnly: leftOut === 0 }).catch(
        (error: unknown) => {
          // The prompt still says how many messages it does not show.
          if (!closing.signal.aborted)
            log.warn({ sessionID, error: errorMessage(error) }, 'a conversation could not be summarized');
        },
      );
    },
    async close() {
      closing.abort(new ParleyError('engine_closed', 'The engine is closed.'));
      await Promise.allSettled(underWay.values());
    },
  };
}

/** The limits as the history of the session's model has them. */
async function boundsIn(
  { providerOf, calls, limits }: SummariesOptions,
  sessionID: string,
): Promise<HistoryLimits> {
  const provider = providerOf(sessionID);
  const { contextTokens } = (await calls.learned()).known(provider);
  return withinWindow(limits, { contextTokens, historyTokens: provider.historyTokens });
}

/** How many messages a summary stands for, and how many of the oldest its author saw neither now nor in the summary before. */
function countsOf({
  before,
  covered,
  shown,
}: {
  before: SessionSummary | undefined;
  covered: number;
  shown: number;
}): Pick<SessionSummary, 'messages' | 'unseen'> {
  const hidden = covered - shown;
  const { messages = 0, unseen = 0 } = before ?? {};
  return { messages: covered, unseen: Math.min(unseen, hidden) + Math.max(0, hidden - messages) };
}

/** One part of so many of a history. */
function shareOf({ historyMessages, historyChars }: HistoryLimits, parts: number): HistoryLimits {
  return {
    historyMessages: Math.max(2, Math.floor(historyMessages / parts)),
    historyChars: Math.floor(historyChars / parts),
  };
}

/** The summary as the model writes it; its tokens count with the session's newest run. */
async function written(
  { tables, calls, log }: SummariesOptions,
  {
    sessionID,
    provider,
    system,
    prompt,
    signal,
  }: { sessionID: string; provider: Provider; system: string; prompt: string; signal: AbortSignal },
): Promise<string> {
  let text: string;
  try {
    const answer = await askForText({ provider, system, prompt, signal }, calls);
    const { usage } = answer;
    const run = tables.runs.newest(sessionID);
    if (usage !== undefined && run !== undefined)
      tables.events.commit(() => tables.usage.add(run.runID, usage));
    text = answer.text.trim();
  } catch (cause) {
    signal.throwIfAborted();
    log.warn({ sessionID, error: detailsOf(cause) }, 'the model gave no summary');
    throw new ParleyError('summary_failed', failureOf(cause).sentence, { cause });
  }
  if (text !== '') return text;
  throw new ParleyError('summary_failed', 'The model ended without any text.');
}

/** A summary as clients see it. */
function publicSummary({
  runIDs: _,
  idempotencyKey: _key,
  ...summary
}: SessionSummary & Partial<Pick<StoredSummary, 'runIDs' | 'idempotencyKey'>>): SessionSummary {
  return summary;
}

function runsOf(messages: readonly StoredMessage[]): string[] {
  return [...new Set(messages.flatMap(({ role, runID }) => (role === 'assistant' ? (runID ?? []) : [])))];
}
