// An engine whose runs end when the test says so; it keeps what it was asked, as the real one does across restarts.

import type { Engine, Run } from '#engine/wire/contract.ts';
import type { Delivery } from '#engine/wire/run-operations.ts';
import type { Amendment, ForgottenTurns, RoomStates } from '#engine/wire/runs/amendment.ts';
import type { Artifact } from '#engine/wire/runs/artifact.ts';
import type { RunFeedback } from '#engine/wire/runs/feedback.ts';
import type { PromptBody } from '#engine/wire/runs/prompt.ts';
import { uploadUrl } from '#engine/wire/runs/upload-url.ts';
import type { WireSession } from '#engine/wire/sessions/message.ts';
import { createScriptedCommands, type ScriptedCommands } from './scripted-commands.ts';
import { createScriptedEvents } from './scripted-events.ts';
import { createScriptedRequests, type ScriptedRequests } from './scripted-requests.ts';
import { noSchedules } from './scripted-schedules.ts';

interface ScriptedRun {
  run: Run;
  key: string | undefined;
  body: PromptBody;
  ended: Promise<Run>;
  end(run: Run): void;
}

export interface ScriptedEngine extends Engine, ScriptedCommands, ScriptedRequests {
  runs: ScriptedRun[];
  deliveries: Delivery[];
  /** What became of messages that runs answer, in the order in which it was reported. */
  amendments: (Amendment & { runID: string })[];
  /** What people think of answers, as it was told. */
  feedback: (RunFeedback & { runID: string })[];
  /** Messages that an import may have brought into memory, and that were changed or deleted. */
  forgottenTurns: ForgottenTurns[];
  /** Ids of memories whose messages were deleted. */
  forgottenNotes: string[];
  /** Which rooms were opened or closed, in that order. */
  roomStates: RoomStates['rooms'];
  /** What places are called, by their keys, as it was told. */
  placeNames: Map<string, string>;
  sessions: WireSession[];
  /** Streams text of a run that is in progress. */
  say(runID: string, delta: string): void;
  /** The same over a connection that is lost: nobody hears it. */
  sayUnheard(runID: string, delta: string): void;
  /** What a connection that is made again begins with: all that is being written. */
  sayAgain(runID: string): void;
  complete(runID: string, text: string, artifacts?: Artifact[]): void;
  fail(runID: string, message: string): void;
  /** The clock by which it dates what runs ask is so far ahead of the others'; 0 at first. */
  clockAheadMs: number;
  /** What a restart after a kill leaves: every running run is interrupted. */
  interruptAll(): void;
  /** Texts of every prompt, in order. */
  prompts(): string[][];
}

export function createScriptedEngine(answer?: (texts: string[]) => string): ScriptedEngine {
  const runs: ScriptedRun[] = [];
  const deliveries: Delivery[] = [];
  const amendments: ScriptedEngine['amendments'] = [];
  const feedback: ScriptedEngine['feedback'] = [];
  const roomStates: ScriptedEngine['roomStates'] = [];
  const placeNames: ScriptedEngine['placeNames'] = new Map();
  const forgottenNotes: string[] = [];
  const forgottenTurns: ScriptedEngine['forgottenTurns'] = [];
  const sessions: WireSession[] = [];
  const { announce, notify, events } = createScriptedEvents();
  const find = (runID: string): ScriptedRun => {
    const found = runs.find(({ run }) => run.runID === runID);
    if (found === undefined) throw new Error(`no run ${runID}`);
    return found;
  };
  const end = (runID: string, change: Partial<Run>): void => {
    const scripted = find(runID);
    Object.assign(scripted.run, change);
    scripted.end(scripted.run);
  };
  const texts = (body: PromptBody): string[] =>
    body.parts.map((part) => (part.type === 'text' ? part.text : part.url));

  const engine: ScriptedEngine = {
    clockAheadMs: 0,
    ...createScriptedCommands(sessions),
    ...noSchedules,
    ...createScriptedRequests({
      announce,
      sessionOf: (runID) => find(runID).run.sessionID,
      clockAheadMs: () => engine.clockAheadMs,
    }),
    events,
    runs,
    deliveries,
    sessions,
    async createSession(input) {
      const session: WireSession = {
        id: `ses_${sessions.length + 1}`,
        title: input?.title ?? '',
        time: { created: 0, updated: 0 },
        messages: [],
      };
      sessions.push(session);
      return session;
    },
    hasSession: async (id) => sessions.some((session) => session.id === id),
    async prompt(sessionID, body, options) {
      const same = runs.findLast(({ key }) => key !== undefined && key === options?.idempotencyKey);
      if (same !== undefined && !(same.run.status === 'interrupted' && options?.retryInterrupted === true)) {
        return { status: 'replayed', runID: same.run.runID, messageID: 'msg' };
      }
      const active = runs.find(({ run }) => run.sessionID === sessionID && run.status === 'running');
      if (active !== undefined) {
        return {
          status: 'conflict',
          activeRun: { runID: active.run.runID, startedAtMs: 0, lastActivityAtMs: 0 },
        };
      }
      const runID = `run_${runs.length + 1}`;
      let finish: (run: Run) => void = () => {};
      const ended = new Promise<Run>((resolve) => {
        finish = resolve;
      });
      const run: Run = { runID, sessionID, status: 'running', startedAtMs: 0, text: '' };
      runs.push({ run, key: options?.idempotencyKey, body, ended, end: finish });
      if (answer !== undefined) end(runID, { status: 'completed', text: answer(texts(body)) });
      return { status: 'started', runID, messageID: 'msg' };
    },
    keepUpload: async ({ path }) => uploadUrl(path),
    transcribe: async () => ({ status: 'off' }),
    artifactFile: async ({ path }) => path,
    takesFile: async ({ mime }) => mime.startsWith('image/'),
    getRun: async ({ runID }) => find(runID).run,
    async finished(runID, signal) {
      const aborted = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      return Promise.race([find(runID).ended, aborted]);
    },
    async cancel(sessionID) {
      const active = runs.find(({ run }) => run.sessionID === sessionID && run.status === 'running');
      if (active === undefined) return false;
      end(active.run.runID, { status: 'cancelled' });
      return true;
    },
    async cancelRun(runID) {
      if (find(runID).run.status !== 'running') return false;
      end(runID, { status: 'cancelled' });
      return true;
    },
    async delivered(delivery) {
      deliveries.push(delivery);
    },
    amendments,
    async amend(amendment) {
      amendments.push(amendment);
    },
    feedback,
    async noteFeedback(given) {
      feedback.push(given);
    },
    deleteAnswer: async () => {},
    forgottenTurns,
    async forgetTurns(turns) {
      forgottenTurns.push(turns);
    },
    forgottenNotes,
    async forgetNote({ memoryID }) {
      forgottenNotes.push(memoryID);
    },
    roomStates,
    async setRooms({ rooms }) {
      roomStates.push(...rooms);
    },
    placeNames,
    async setPlaceNames({ names }) {
      for (const { place, name } of names) placeNames.set(place, name);
    },
    health: async () => ({ ready: true, version: 'test', model: 'scripted', activeRuns: 0 }),
    close: async () => {},
    say(runID, delta) {
      const { run } = find(runID);
      run.text += delta;
      notify(run, { delta, offset: run.text.length - delta.length });
    },
    sayUnheard(runID, delta) {
      find(runID).run.text += delta;
    },
    sayAgain(runID) {
      const { run } = find(runID);
      notify(run, { delta: run.text, offset: 0 });
    },
    complete: (runID, text, artifacts) =>
      end(runID, { status: 'completed', text, ...(artifacts && { artifacts }) }),
    fail: (runID, message) =>
      end(runID, {
        status: 'error',
        text: '',
        failure: { category: 'provider', code: 'SCRIPTED', message, ref: 'ref_1' },
      }),
    interruptAll() {
      for (const { run } of runs) if (run.status === 'running') end(run.runID, { status: 'interrupted' });
    },
    prompts: () => runs.map(({ body }) => texts(body)),
  };
  return engine;
}
