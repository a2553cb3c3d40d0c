// Tells a program what people think of answers: one call of its address for each thumb, from a row that stays until the call is taken.
import type { Clock } from '#base/clock.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import { withTimeout } from '#base/waiting/async.ts';
import { retry, unlessAborted } from '#base/waiting/retry.ts';
import type { EventLog } from '#engine/events/event-log.ts';
import type { FeedbackCall, FeedbackRows } from '#engine/runs/tables/feedback-rows.ts';
import { signatureOf } from '#engine/schedules/hooks.ts';
import type { EventPayloads } from '#engine/wire/events/event.ts';

/** Where the calls go, and the secret that they are signed with; unsigned without one. */
export interface FeedbackWebhook {
  url: string;
  secret?: string | undefined;
}

export interface FeedbackCalls {
  /** One more to be made; called inside the commit of the feedback. */
  add(feedback: EventPayloads['session.run.feedback']): void;
  /** Makes the calls that wait. */
  nudge(): void;
  close(): Promise<void>;
}

/** For one answer to a call, in milliseconds. */
const answerMs = 10_000;
const pauses = { firstMs: 1_000, capMs: 600_000 };
/** A call that nobody took for so long is dropped, with a line in the log; in milliseconds. */
const keptMs = 3 * 24 * 3_600_000;
/** One that the program itself refuses for so long is dropped too, so that later ones do not wait for it; in milliseconds. */
const refusedMs = 600_000;
const refused = 'call_refused';

/** The calls over the rows, oldest first; none are made without a webhook. */
export function createFeedbackCalls(
  webhook: FeedbackWebhook | undefined,
  parts: { rows: FeedbackRows; events: Pick<EventLog, 'commit'>; clock: Clock; newId: NewId; log: Log },
): FeedbackCalls {
  const { rows, events, clock, newId, log } = parts;
  if (webhook === undefined) return { add() {}, nudge() {}, async close() {} };
  const ending = new AbortController();
  let working: Promise<void> | undefined;

  const post = async (call: FeedbackCall): Promise<void> => {
    const { id, body } = call;
    const answering = { clock, ms: answerMs, what: 'The answer to it', signal: ending.signal };
    const headers = {
      'content-type': 'application/json',
      'x-parley-event': id,
      ...signed(webhook, body, clock),
    };
    const { ok, status } = await withTimeout(answering, async (signal) => {
      const response = await fetch(webhook.url, { method: 'POST', headers, body, redirect: 'error', signal });
      await response.body?.cancel();
      return response;
    });
    // a program that is busy, or has a problem of its own, refuses nothing
    const isRefused = status >= 400 && status < 500 && ![408, 425, 429].includes(status);
    if (!ok) throw new ParleyError(isRefused ? refused : 'call_failed', `it answered ${status}`);
  };

  const work = async (): Promise<void> => {
    for (let call = rows.nextCall(); call !== undefined; call = rows.nextCall()) {
      const { id, atMs } = call;
      let refusedAt: number | undefined;
      const attempts = retry(
        { clock, pauses, signal: ending.signal },
        // what was forgotten in the meantime is not told
        async () => rows.nextCall()?.id === id && (await post(call)),
        (error, { attempt, waitMs }) => {
          const facts = { call: id, attempt, error: errorMessage(error) };
          if (codeOf(error) !== refused) refusedAt = undefined;
          else refusedAt ??= clock.now();
          const isRefused = refusedAt !== undefined && clock.now() - refusedAt > refusedMs;
          if (isRefused || clock.now() - atMs > keptMs) throw error;
          if (attempt === 1) log.warn(facts, 'the feedback webhook did not take a call; it is tried again');
          return waitMs;
        },
      );
      await attempts.catch((error: unknown) => {
        ending.signal.throwIfAborted();
        log.error({ call: id, error: errorMessage(error) }, 'a call of the feedback webhook was given up');
      });
      events.commit(() => rows.callDone(id));
    }
  };

  return {
    add(feedback) {
      const id = newId('evt');
      const body = JSON.stringify({ id, type: 'session.run.feedback', properties: feedback });
      const { runID, person } = feedback;
      rows.addCall({ id, runID, person, body, atMs: clock.now() });
    },
    nudge() {
      working ??= unlessAborted(ending.signal, work())
        // a disk that refuses is on the board of problems; the row stays for the next thumb or start
        .catch((error: unknown) => log.error({ error: errorMessage(error) }, 'the feedback webhook stopped'))
        .finally(() => {
          working = undefined;
        });
    },
    async close() {
      ending.abort();
      await working;
    },
  };
}

/** As webhooks that come in are signed: over TIMESTAMP.BODY, the time in seconds. */
function signed(
  { secret }: FeedbackWebhook,
  body: string,
  clock: Pick<Clock, 'now'>,
): Record<string, string> {
  if (secret === undefined) return {};
  const timestamp = String(Math.floor(clock.now() / 1_000));
  const signature = signatureOf(secret, `${timestamp}.${body}`);
  return { 'x-parley-timestamp': timestamp, 'x-parley-signature': `sha256=${signature}` };
}
