// The engine as a viewer has it: reads only, and of conversations only those of open rooms. All that is not named here is refused.

import { runIfAny } from '#engine/http/routing/lookup.ts';
import { ApiError } from '#engine/http/routing/refusal.ts';
import { runNotFound } from '#engine/runs/tables/run-row.ts';
import { unknownSession } from '#engine/sessions/sessions.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import type { EngineService } from '#engine/wire/service.ts';

/** The refusal of all that a viewer may not do. */
export function viewersRead(): ApiError {
  return new ApiError({
    status: 403,
    code: 'VIEWER_READS_ONLY',
    message: 'A viewer reads the conversations of open rooms, and changes nothing. Ask an owner.',
  });
}

/** What a viewer may call of the engine; direct messages and private rooms are as if they were not there. */
export function createViewerEngine(engine: EngineService): EngineService {
  const isOpen = async (sessionID: string | null): Promise<boolean> =>
    sessionID !== null &&
    (await engine.findSessions({ ids: [sessionID], open: true, limit: 1, offset: 0 })).total === 1;
  const openOnly = async <T extends { sessionID: string }>(all: readonly T[]): Promise<T[]> => {
    const seen = await Promise.all(all.map(({ sessionID }) => isOpen(sessionID)));
    return all.filter((_, index) => seen[index]);
  };
  const refuseClosed = async (sessionID: string): Promise<void> => {
    if (!(await isOpen(sessionID))) throw viewersRead();
  };
  /** To a viewer a conversation that is not open is one that is not there. */
  const missClosed = async (sessionID: string): Promise<void> => {
    if (!(await isOpen(sessionID))) throw unknownSession(sessionID);
  };
  const allowed: Partial<EngineService> = {
    hasSession: isOpen,
    async getSession(of) {
      await missClosed(of.sessionID);
      return engine.getSession(of);
    },
    findSessions: (filter) => engine.findSessions({ ...filter, open: true }),
    async sessionChildren({ sessionID, ...page }) {
      await refuseClosed(sessionID);
      return engine.findSessions({ parentID: sessionID, open: true, ...page });
    },
    async sessionMessages(of) {
      await missClosed(of.sessionID);
      return engine.sessionMessages(of);
    },
    async getRun(of) {
      const run = await engine.getRun(of);
      if (!(await isOpen(run.sessionID))) throw runNotFound(of.runID);
      return run;
    },
    listRuns: (filter) => engine.listRuns({ ...filter, open: true }),
    async runEvents(of) {
      const { sessionID } = await engine.getRun(of);
      if (!(await isOpen(sessionID))) throw runNotFound(of.runID);
      return engine.runEvents(of);
    },
    async activeRun(of) {
      await missClosed(of.sessionID);
      return engine.activeRun(of);
    },
    async activeBySession() {
      const open = await openOnly(await engine.activeRuns());
      return Object.fromEntries(open.map((run) => [run.sessionID, run]));
    },
    activeRuns: async () => openOnly(await engine.activeRuns()),
    permissions: async () => openOnly(await engine.permissions()),
    questions: async () => openOnly(await engine.questions()),
    usageSeries: (query) => engine.usageSeries(query),
    health: () => engine.health(),
    providers: (of) => engine.providers(of),
    events: (filter, signal) =>
      filter.sessionID === undefined && filter.runID === undefined
        ? openEvents(engine.events(filter, signal), isOpen)
        : eventsWhileOpen(engine, { filter, isOpen, signal }),
  };
  return new Proxy({} as EngineService, {
    get: (_, name) => Reflect.get(allowed, name) ?? (() => Promise.reject(viewersRead())),
  });
}

type IsOpen = (sessionID: string | null) => Promise<boolean>;

/**
 * The events of open conversations, and that rooms were opened or closed. Whether a conversation is open is asked for each event, since its
 * room may be closed at any time.
 */
async function* openEvents(events: AsyncIterable<EngineEvent>, isOpen: IsOpen): AsyncIterable<EngineEvent> {
  for await (const event of events)
    if (event.type === 'rooms.changed' || (await isOpen(event.envelope.session_id))) yield event;
}

/** The events of one conversation, until it is not open any more. */
async function* eventsWhileOpen(
  engine: EngineService,
  {
    filter,
    isOpen,
    signal,
  }: { filter: Parameters<EngineService['events']>[0]; isOpen: IsOpen; signal: AbortSignal },
): AsyncIterable<EngineEvent> {
  const ended = new AbortController();
  const within = AbortSignal.any([signal, ended.signal]);
  const [events, all] = [engine.events(filter, within), engine.events({}, within)];
  const sessionID = filter.sessionID ?? (await runIfAny(engine, filter.runID ?? ''))?.sessionID ?? null;
  const watching = (async () => {
    if (!(await isOpen(sessionID))) return;
    for await (const { type } of all) if (type === 'rooms.changed' && !(await isOpen(sessionID))) return;
  })().finally(() => ended.abort());
  watching.catch(() => undefined); // a stream that cannot know of a closed room ends
  try {
    for await (const event of events) {
      if (!(await isOpen(sessionID))) return;
      yield event;
    }
  } finally {
    ended.abort();
  }
}
