// Asking people in the middle of a run: durable, answered at most once, ended with a message when nobody answers.
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { EventLog, RecordEvent } from '#engine/events/event-log.ts';
import type { Answerer, Question } from '#engine/wire/runs/request.ts';
import { repliedEvent, requestEvent } from './request-events.ts';
import type { RequestingCall, RequestRows, StoredRequest } from './request-rows.ts';
import { createRequestTimers } from './request-timers.ts';

/** The result of a request. */
type RequestReply =
  | { status: 'answered'; reply: string | string[] | null; by?: Answerer | undefined }
  | { status: 'expired' };

export interface Requests {
  /**
   * Asks and waits. A run that was started again finds what its predecessor had asked, answered or not. Throws the signal's
   * reason; the request then ends too, unless it is to outlive this process.
   */
  ask(
    asking: RequestingCall & { kind: StoredRequest['kind']; questions?: Question[] | undefined },
    signal: AbortSignal,
  ): Promise<RequestReply>;
  /**
   * Answers a pending request, once. The same answer by the same person again changes nothing and is no error: the reply to
   * the first may have been lost. A ParleyError `request_not_found` or `request_settled` otherwise.
   */
  answer(
    id: string,
    kind: StoredRequest['kind'],
    answer: {
      reply: string | string[] | null;
      by?: Answerer | undefined;
      also?: (request: StoredRequest) => void;
    },
  ): StoredRequest;
  pending(kind: StoredRequest['kind']): StoredRequest[];
  /** Ends what a message's run has asked and no longer waits for; inside the caller's transaction. */
  drop(userMessageID: string, record: RecordEvent): void;
  /** Ends what expired while the process was away, and watches over what did not. */
  resume(): void;
  close(): void;
}

interface RequestsOptions {
  rows: RequestRows;
  events: EventLog;
  clock: Clock;
  newId: NewId;
  /** How long a request waits for its answer; in rooms no longer than `room`. */
  waitMs: Readonly<Record<StoredRequest['kind'] | 'room', number>>;
  /** True for the reasons of a signal that a request outlives: the process ends, and the run will be started again. */
  outlives(reason: unknown): boolean;
  /** Told that a request expired for which no run waited: the run that its process left behind can go on without the answer. */
  expiredAlone?: (() => void) | undefined;
}

/** The requests over their table. */
export function createRequests(options: RequestsOptions): Requests {
  const { rows, events, clock, newId, waitMs, outlives, expiredAlone } = options;
  const waiting = new Map<string, (reply: RequestReply) => void>();
  /** What expired in this process while no run waited for it, as the run that goes on will ask for it. */
  const unheard = new Set<string>();

  const settled = (id: string, reply: RequestReply): void => {
    timers.stop(id);
    waiting.get(id)?.(reply);
    waiting.delete(id);
  };
  const expire = (request: StoredRequest): boolean => {
    const expired = events.commit((record) => {
      if (!rows.settle(request.id, { state: 'expired', at: clock.now() })) return false;
      record(repliedEvent(request, { status: 'expired' }));
      return true;
    });
    if (expired) settled(request.id, { status: 'expired' });
    return expired;
  };
  const timers = createRequestTimers(clock, (request) => {
    const isAlone = !waiting.has(request.id);
    if (!expire(request) || !isAlone) return;
    unheard.add(callOf(request));
    expiredAlone?.();
  });

  const made = (
    kind: StoredRequest['kind'],
    asked: RequestingCall & Pick<StoredRequest, 'digest' | 'questions'>,
  ): StoredRequest => {
    const now = clock.now();
    const forMs = asked.inRoom === true ? Math.min(waitMs[kind], waitMs.room) : waitMs[kind];
    return {
      ...asked,
      id: newId('req'),
      kind,
      state: 'pending',
      requestedAtMs: now,
      expiresAtMs: now + forMs,
    };
  };

  return {
    async ask({ kind, questions, ...asking }, signal) {
      signal.throwIfAborted();
      const digest = callDigest(asking.tool, asking.args);
      const begun = events.commit((record): { request: StoredRequest } | { reply: RequestReply } => {
        const known = rows.open(asking.userMessageID, kind, digest);
        if (known?.state === 'answered' && rows.take(known.id)) {
          return { reply: { status: 'answered', reply: known.reply ?? null, by: known.by } };
        }
        if (known === undefined && unheard.delete(callOf({ ...asking, kind, digest })))
          return { reply: { status: 'expired' } };
        const request =
          known === undefined ? made(kind, { ...asking, digest, questions }) : { ...known, ...asking };
        if (known === undefined) rows.insert(request);
        else rows.attach(known.id, asking);
        record(requestEvent(request));
        return { request };
      });
      if ('reply' in begun) return begun.reply;
      const { request } = begun;
      timers.watch(request);
      return new Promise<RequestReply>((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(request.id);
          timers.stop(request.id);
          if (!outlives(signal.reason)) {
            events.commit((record) => {
              if (rows.settle(request.id, { state: 'dropped', at: clock.now() }))
                record(repliedEvent(request, { status: 'dropped' }));
            });
          }
          reject(signal.reason);
        };
        signal.addEventListener('abort', leave);
        waiting.set(request.id, (reply) => {
          signal.removeEventListener('abort', leave);
          resolve(reply);
        });
      });
    },
    answer(id, kind, { reply, by, also = () => {} }) {
      const request = rows.get(id);
      if (request === undefined || request.kind !== kind) throw notFound(kind, id);
      if (isSameAnswer(request, { reply, by })) return request;
      // a process that slept over the time has had no timer fire yet
      if (request.state === 'pending' && timers.isOver(request)) expire(request);
      events.commit((record) => {
        const done = rows.settle(id, { state: 'answered', reply, by, at: clock.now() });
        if (!done) throw alreadySettled(rows.get(id) ?? request);
        if (waiting.has(id)) rows.take(id);
        also(request);
        record(repliedEvent(request, { status: 'answered', reply }));
      });
      settled(id, { status: 'answered', reply, by });
      return rows.get(id) ?? request;
    },
    pending: (kind) => rows.pending().filter((request) => request.kind === kind),
    drop(userMessageID, record) {
      for (const request of rows.pendingOf(userMessageID)) {
        if (!rows.settle(request.id, { state: 'dropped', at: clock.now() })) continue;
        record(repliedEvent(request, { status: 'dropped' }));
        events.afterCommit(() => timers.stop(request.id));
      }
    },
    resume() {
      for (const request of rows.pending()) {
        if (timers.isOver(request)) expire(request);
        else timers.watch(request);
      }
    },
    close: timers.close,
  };
}

/** The same for the call of a run and of the run that resumes it. */
function callOf({ userMessageID, kind, digest }: Pick<StoredRequest, 'userMessageID' | 'kind' | 'digest'>) {
  return `${kind} ${userMessageID} ${digest}`;
}

/** Whether that person gave that answer before. Nobody in particular is never the same person. */
function isSameAnswer(
  request: StoredRequest,
  { reply, by }: { reply: string | string[] | null; by?: Answerer | undefined },
): boolean {
  if (request.state !== 'answered' && request.state !== 'taken') return false;
  if (by === undefined || request.by?.person !== by.person) return false;
  return JSON.stringify(request.reply ?? null) === JSON.stringify(reply);
}

/** What a permission is for: exactly this tool with exactly these arguments. */
export function callDigest(tool: string, args: unknown): string {
  return createHash('sha256')
    .update(`${tool}\n${JSON.stringify(sorted(args))}`)
    .digest('hex');
}

/** The same value with the keys of its objects in order, so that equal arguments have one digest. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

function notFound(kind: string, id: string): ParleyError {
  return new ParleyError('request_not_found', `There is no ${kind} request ${JSON.stringify(id)}.`, {
    hint: 'List what is pending.',
  });
}

function alreadySettled({ kind, state, by }: StoredRequest): ParleyError {
  const who = by === undefined ? '' : ` by ${by.name}`;
  const words = {
    pending: 'is being answered',
    answered: `was answered already${who}`,
    taken: `was answered already${who}`,
    expired: 'has expired: nobody answered in time',
    dropped: 'is no longer needed: its run has ended',
  };
  return new ParleyError('request_settled', `This ${kind} request ${words[state]}.`);
}
