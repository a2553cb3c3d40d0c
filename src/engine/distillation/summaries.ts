// Makes the summary that stands for the older part of a conversation: on request, and after a run that had to leave messages out.

import type { Clock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { truncate } from '#base/text.ts';
import { withTimeout } from '#base/waiting/async.ts';
import type { Context } from '#engine/context/build.ts';
import {
  foldOf,
  plainSummary,
  summaryChars,
  summaryPrompt,
  summarySystem,
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
import type { SessionSummary } from '#engine/wire/sessions/summary.ts';
import { areChanged, type Flush } from './flush.ts';

export interface Summaries {
  /**
   * Summarizes all but the newest exchange. With nothing new to summarize it gives the existing summary; a ParleyError
   * `nothing_to_summarize` when there is none, `summary_failed` when the model gave none. A key that made a summary gives
   * that one again; `idempotency_key_reused` when that was in another session.
   */
  summarize(sessionID: string, how?: { idempotencyKey?: string | undefined }): Promise<SessionSummary>;
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
  /** How much of the conversation stays as it is. */
  save: HistoryLimits;
  /** Only the flush of what would go, which the conversation is not shortened for yet. */
  flushOnly?: boolean | undefined;
  idempotencyKey?: string | undefined;
}

/** The summaries over the tables; one at a time in each session. */
export function createSummaries(options: SummariesOptions): Summaries {
  const { tables, sessions, providerOf, limits, clock, log } = options;
  const { summaries } = tables.conversation;
  const closing = new AbortController();
  const underWay = new Map<string, Promise<SessionSummary | undefined>>();

  const make = async (
    sessionID: string,
    { save, flushOnly = false, idempotencyKey }: Making,
  ): Promise<SessionSummary | undefined> => {
    const known = idempotencyKey === undefined ? undefined : summaries.ofKey(idempotencyKey);
    if (known?.sessionID === sessionID) return known;
    if (known !== undefined)
      throw new ParleyError(
        'idempotency_key_reused',
        'This key made the summary of another session. Use a new one.',
      );
    const before = summaries.newest(sessionID);
    const { messages, older } = await sessions.recent(sessionID, { limit: maxMessages });
    const { folded } = foldOf(messages, save);
    const last = folded.at(-1);
    if (last === undefined) return before;
    // every shortening comes through here, so that memory has what should last before the model no longer sees it
    await options.flush.flush(sessionID, folded, closing.signal);
    closing.signal.throwIfAborted();
    // a message that was edited or deleted in the meantime is in `folded` with its former words
    if (areChanged(tables, folded)) return make(sessionID, { save, flushOnly, idempotencyKey });
    if (flushOnly) return before;
    const provider = providerOf(sessionID);
    const transcript = transcriptOf(folded);
    const text =
      provider.providerID === 'offline'
        ? plainSummary(before, folded)
        : await withTimeout({ clock, ms: longestMs, what: 'The summary', signal: closing.signal }, (signal) =>
            written(options, { sessionID, provider, prompt: summaryPrompt(before, transcript), signal }),
          );
    const made: StoredSummary = {
      sessionID,
      text: truncate(text, summaryChars),
      messages: (before?.messages ?? 0) + older + folded.length,
      unseen:
        (before?.unseen ?? 0) + older + (provider.providerID === 'offline' ? 0 : transcript.omittedMessages),
      lastMessageID: last.id,
      runIDs: [...(before?.runIDs ?? []), ...runsOf(folded)].slice(-maxRuns),
      model: { providerID: provider.providerID, modelID: provider.modelID },
      createdAtMs: clock.now(),
      idempotencyKey,
    };
    // as above, while the model wrote
    if (areChanged(tables, folded)) return make(sessionID, { save, flushOnly, idempotencyKey });
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
    async summarize(sessionID, { idempotencyKey } = {}) {
      if (!(await sessions.has(sessionID))) throw unknownSession(sessionID);
      const made = await once(sessionID, { save: { ...limits, historyMessages: 2 }, idempotencyKey });
      if (made !== undefined) return publicSummary(made);
      throw new ParleyError('nothing_to_summarize', 'This session has no more than one exchange.');
    },
    afterRun(sessionID, { leftOut, fullness, bounds }) {
      if (closing.signal.aborted || underWay.has(sessionID)) return;
      if (leftOut === 0 && !options.flush.isDue(sessionID, fullness)) return;
      const save = {
        historyMessages: Math.max(2, Math.floor(bounds.historyMessages / 2)),
        historyChars: Math.floor(bounds.historyChars / 2),
      };
      once(sessionID, { save, flushOnly: leftOut === 0 }).catch((error: unknown) => {
        // The prompt still says how many messages it does not show.
        if (!closing.signal.aborted)
          log.warn({ sessionID, error: errorMessage(error) }, 'a conversation could not be summarized');
      });
    },
    async close() {
      closing.abort(new ParleyError('engine_closed', 'The engine is closed.'));
      await Promise.allSettled(underWay.values());
    },
  };
}

/** The summary as the model writes it; its tokens count with the session's newest run. */
async function written(
  { tables, calls, log }: SummariesOptions,
  {
    sessionID,
    provider,
    prompt,
    signal,
  }: { sessionID: string; provider: Provider; prompt: string; signal: AbortSignal },
): Promise<string> {
  let text: string;
  try {
    const answer = await askForText({ provider, system: summarySystem, prompt, signal }, calls);
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
