// Calls of the client as a channel makes them: again while the engine is out of reach, or given up soon where someone waits.
import type { ActiveProblems } from '#base/active-problems.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { anySignal } from '#base/waiting/async.ts';
import { retry } from '#base/waiting/retry.ts';
import { ParleyClientError } from '#engine/client/request.ts';
import { toConnectionError } from './handshake.ts';
import type { Link } from './link.ts';

export interface RemoteCalls {
  /** Calls until the engine has answered; what it refuses is thrown as a ParleyError with the engine's own code. */
  call<T>(signal: AbortSignal | undefined, work: (within: { signal: AbortSignal }) => Promise<T>): Promise<T>;
  /** What the work gives; undefined where it throws a ParleyError with one of these codes. */
  unless<T>(codes: readonly string[], work: Promise<T>): Promise<T | undefined>;
  /** A command is answered by the engine of this moment: one that is out of reach, or failing, is not waited for. */
  atOnce<T>(work: () => Promise<T>): Promise<T>;
}

/** A call that fails in passing is made again after so long. */
const pauses = { firstMs: 100, capMs: 10_000 };
/** Attempts at a call for which someone waits. */
const maxAtOnce = 3;
/** Refusals that concern the way to the engine and not what was asked of it. */
const ofTheWay = new Set(['UNAUTHORIZED', 'HOST_NOT_ALLOWED', 'NOT_FOUND', 'UNKNOWN']);

/** Refusals that may pass, but not while someone waits: the engine has tried for long enough. */
const ofTheWork = new Set(['SUMMARY_FAILED']);

/** The calls over one link; all of them end with `closing`. */
export function createRemoteCalls(options: {
  baseUrl: string;
  link: Pick<Link, 'up' | 'status'>;
  closing: AbortSignal;
  clock: Clock;
  log: Log;
  problems: ActiveProblems;
}): RemoteCalls {
  const { baseUrl, link, closing, clock, log, problems } = options;
  /** It can be reached, and says that it cannot do it now: its disk is full, say. */
  const refusing = `${baseUrl}, which answers`;
  const unreachable = (cause?: unknown): ParleyError =>
    new ParleyError('engine_unreachable', `The engine at ${baseUrl} cannot be reached.`, { cause });

  return {
    async call<T>(
      signal: AbortSignal | undefined,
      work: (within: { signal: AbortSignal }) => Promise<T>,
    ): Promise<T> {
      using within = anySignal(closing, signal);
      const made = async (): Promise<T> => {
        await link.up(within.signal);
        const result = await work(within);
        problems.clear(refusing);
        return result;
      };
      return await retry({ clock, pauses, signal: within.signal }, made, (error, { attempt, waitMs }) => {
        if (!isPassing(error)) throw error instanceof ParleyClientError ? refusal(error) : error;
        if (error instanceof ParleyClientError) problems.note(refusing, toConnectionError(error, baseUrl));
        log.warn({ attempt, waitMs, words: errorMessage(error) }, 'a call to the engine is made again');
        return undefined;
      });
    },
    async unless<T>(codes: readonly string[], work: Promise<T>): Promise<T | undefined> {
      try {
        return await work;
      } catch (error) {
        if (error instanceof ParleyError && codes.includes(error.code)) return undefined;
        throw error;
      }
    },
    async atOnce<T>(work: () => Promise<T>): Promise<T> {
      if (link.status().state !== 'up') throw unreachable();
      return retry({ clock, pauses, signal: closing }, work, (error, { attempt }) => {
        if (!isPassing(error)) throw error instanceof ParleyClientError ? refusal(error) : error;
        if (attempt >= maxAtOnce) throw unreachable(error);
        return undefined;
      });
    },
  };
}

/** Whether the same call may succeed later: the connection broke, or the engine says so, or something between us and it answered. */
function isPassing(error: unknown): boolean {
  if (error instanceof ParleyClientError && ofTheWork.has(error.code)) return false;
  if (error instanceof ParleyClientError)
    return ((error.status === 0 || error.status >= 500) && error.retryable) || ofTheWay.has(error.code);
  // `fetch failed` and `terminated` have the socket's error as their cause; an answer that was cut is no JSON
  if (error instanceof TypeError) return error.cause !== undefined;
  return (
    error instanceof SyntaxError ||
    (error instanceof DOMException && /^(Timeout|Abort)Error$/.test(error.name))
  );
}

/** What the engine refused, as the engine in one process throws it. */
function refusal(cause: ParleyClientError): ParleyError {
  return new ParleyError(cause.code.toLowerCase(), cause.message, { ...cause, cause });
}
