// An engine in memory whose runs begin and end when the test says so: the other side of the HTTP routes. Not an engine.

import type { Clock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { defined } from '#base/json.ts';
import { runNotFound } from '#engine/runs/tables/run-row.ts';
import { unknownSession } from '#engine/sessions/sessions.ts';
import type { Run } from '#engine/wire/contract.ts';
import {
  type EngineEvent,
  type EventPayloads,
  type EventType,
  isDurable,
} from '#engine/wire/events/event.ts';
import type { PromptBody } from '#engine/wire/runs/prompt.ts';
import type { EngineService } from '#engine/wire/service.ts';
import type { WireSession } from '#engine/wire/sessions/message.ts';

type Draft = { [T in EventType]: { type: T; properties: EventPayloads[T] } }[EventType];
type Filter = Parameters<EngineService['events']>[0];

interface Reader {
  filter: Filter;
  queue: EngineEvent[];
  failure?: unknown;
  ended: boolean;
  wake: () => void;
}

export interface ScriptedEngine extends EngineService {
  /** Passes an event to the readers whose filter it fits; durable ones get a position and are kept. */
  emit(draft: Draft): EngineEvent;
  /** Ends a run with its event. */
  finish(runID: string): void;
  /** Marks a run as one that its process left behind. */
  interrupt(runID: string): void;
  /** How many readers of events are subscribed now. */
  readers(): number;
  /** How many events wait for their readers. */
  queued(): number;
  /** The subscription of every reader fails with this error after what is queued. */
  failReaders(error: unknown): void;
  /** Every following call throws this. */
  breakWith(error: unknown): void;
  /** The prompts that started a run. */
  prompts: { sessionID: string; body: PromptBody; key: string | undefined }[];
}

export function createScriptedEngine(clock: Clock): ScriptedEngine {
  const newId = createIds(clock);
  const sessions = new Map<string, WireSession>();
  const runs = new Map<string, Run>();
  const byKey = new Map<string, string>();
  const saved: EngineEvent[] = [];
  const readers = new Set<Reader>();
  const prompts: ScriptedEngine['prompts'] = [];
  let broken: { error: unknown } | undefined;

  const messageOf = (runID: string): string => runID.replace('run', 'msg');
  const check = (): void => {
    if (broken !== undefined) throw broken.error;
  };
  const emit = (draft: Draft): EngineEvent => {
    const { properties } = draft;
    const event: EngineEvent = {
      ...draft,
      envelope: {
        event_id: newId('evt'),
        seq: isDurable(draft) ? saved.length + 1 : null,
        schema_version: 1,
        occurred_at_ms: clock.now(),
        session_id: 'sessionID' in properties ? properties.sessionID : null,
        run_id: 'runID' in properties ? properties.runID : null,
      },
    };
    if (isDurable(event)) saved.push(event);
    for (const reader of readers) {
      if (!fits(reader.filter, event)) continue;
      reader.queue.push(event);
      reader.wake();
    }
    return event;
  };
  const end = (runID: string, status: 'completed' | 'cancelled'): boolean => {
    const run = runs.get(runID);
    if (run?.status !== 'running') return false;
    runs.set(runID, { ...run, status, finishedAtMs: clock.now() });
    emit({
      type: 'session.run.finished',
      properties: { sessionID: run.sessionID, runID, finishedAtMs: clock.now(), status },
    });
    return true;
  };
  const active = (sessionID: string): Run | undefined =>
    [...runs.values()].find((run) => run.sessionID === sessionID && run.status === 'running');

  const existing = (sessionID: string): WireSession => {
    const session = sessions.get(sessionID);
    if (session === undefined) throw unknownSession(sessionID);
    return session;
  };
  const cancel = async (sessionID: string): Promise<boolean> => {
    check();
    const run = active(sessionID);
    return run !== undefined && end(run.runID, 'cancelled');
  };

  const scripted: Partial<ScriptedEngine> = {
    prompts,
    emit,
    finish: (runID) => void end(runID, 'completed'),
    interrupt(runID) {
      const run = runs.get(runID);
      if (run !== undefined) runs.set(runID, { ...run, status: 'interrupted' });
    },
    readers: () => readers.size,
    queued: () => [...readers].reduce((sum, { queue }) => sum + queue.length, 0),
    failReaders(error) {
      for (const reader of readers) {
        reader.failure = error;
        reader.wake();
      }
    },
    breakWith(error) {
      broken = { error };
    },
    takesFile: async () => false,
    async createSession({ title = 'New session', model: _, ...input }) {
      check();
      const time = { created: clock.now() / 1000, updated: clock.now() / 1000 };
      const session: WireSession = { ...defined(input), id: newId('ses'), title, time, messages: [] };
      sessions.set(session.id, session);
      return session;
    },
    async findSessions({ limit, offset }) {
      check();
      const all = [...sessions.values()].reverse();
      return { sessions: all.slice(offset, offset + limit), total: all.length };
    },
    async getSession({ sessionID }) {
      check();
      return existing(sessionID);
    },
    async sessionMessages({ sessionID }) {
      check();
      return { messages: existing(sessionID).messages };
    },
    async hasSession(sessionID) {
      check();
      return sessions.has(sessionID);
    },
    async messages(sessionID) {
      check();
      return sessions.get(sessionID)?.messages ?? [];
    },
    async prompt(sessionID, body, { idempotencyKey: key, retryInterrupted } = {}) {
      check();
      const known = key === undefined ? undefined : runs.get(byKey.get(key) ?? '');
      const again = known?.status === 'interrupted' && retryInterrupted === true;
      if (known !== undefined && !again)
        return { status: 'replayed', runID: known.runID, messageID: messageOf(known.runID) };
      const busy = active(sessionID);
      if (busy !== undefined) {
        const { runID, startedAtMs } = busy;
        return { status: 'conflict', activeRun: { runID, startedAtMs, lastActivityAtMs: clock.now() } };
      }
      const runID = known?.runID ?? newId('run');
      if (key !== undefined) byKey.set(key, runID);
      runs.set(runID, { runID, sessionID, status: 'running', startedAtMs: clock.now(), text: '' });
      prompts.push({ sessionID, body, key });
      emit({ type: 'session.run.started', properties: { sessionID, runID, startedAtMs: clock.now() } });
      return { status: 'started', runID, messageID: messageOf(runID) };
    },
    async getRun({ runID }) {
      check();
      const run = runs.get(runID);
      if (run === undefined) throw runNotFound(runID);
      return run;
    },
    findRun: async (key) => runs.get(byKey.get(key) ?? ''),
    async finished(runID) {
      const run = runs.get(runID);
      if (run === undefined || run.status === 'running') throw new Error('the test must end the run first');
      return run;
    },
    cancel,
    async stopSession({ sessionID }) {
      existing(sessionID);
      return { ok: true, cancelled: await cancel(sessionID) };
    },
    delivered: async () => undefined,
    events(filter, signal) {
      check();
      const { afterSeq } = filter;
      const old = afterSeq === undefined ? [] : saved.slice(afterSeq).filter((event) => fits(filter, event));
      const reader: Reader = { filter, queue: [...old], ended: signal.aborted, wake: () => undefined };
      return read(reader, { readers, signal });
    },
    async health() {
      check();
      const activeRuns = [...runs.values()].filter(({ status }) => status === 'running').length;
      return { ready: true, version: '0', model: 'scripted', activeRuns };
    },
    close: async () => undefined,
  };
  return new Proxy(scripted as ScriptedEngine, {
    get: (known, name) => Reflect.get(known, name) ?? (name === 'then' ? undefined : refuse),
  });
}

/** What is not scripted is tested with the real engine (service-kit.ts). */
async function refuse(): Promise<never> {
  throw new Error('not scripted: test this against the real engine');
}

function fits(filter: Filter, { envelope }: EngineEvent): boolean {
  if (filter.sessionID !== undefined && envelope.session_id !== filter.sessionID) return false;
  return filter.runID === undefined || envelope.run_id === filter.runID;
}

function read(
  reader: Reader,
  owner: { readers: Set<Reader>; signal: AbortSignal },
): AsyncIterable<EngineEvent> {
  const { readers, signal } = owner;
  const leave = (): void => {
    reader.ended = true;
    readers.delete(reader);
    reader.wake();
  };
  if (!reader.ended) readers.add(reader);
  signal.addEventListener('abort', leave, { once: true });
  async function* events(): AsyncGenerator<EngineEvent> {
    try {
      while (!reader.ended) {
        const event = reader.queue.shift();
        if (event !== undefined) yield event;
        else if (reader.failure !== undefined) throw reader.failure;
        else {
          await new Promise<void>((resolve) => {
            reader.wake = resolve;
          });
        }
      }
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  }
  return events();
}
