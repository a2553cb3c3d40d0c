// An engine whose runs end when the test says so; it retains what it was asked, as the real one does across restarts.

import { ParleyError } from '#base/errors.ts';
import type { Amendment, ForgottenTurns, RoomStates } from '#engine/wire/amendment.ts';
import type { Artifact } from '#engine/wire/artifact.ts';
import type { Delivery, Engine, Run } from '#engine/wire/contract.ts';
import type { EngineEvent } from '#engine/wire/event.ts';
import type { WireSession } from '#engine/wire/message.ts';
import type { PromptBody } from '#engine/wire/prompt.ts';
import type { PermissionRequest, Question, QuestionRequest } from '#engine/wire/request.ts';
import { uploadUrl } from '#engine/wire/upload-url.ts';
import { createScriptedCommands, type ScriptedCommands } from './scripted-commands.ts';
import { noSchedules } from './scripted-schedules.ts';

interface ScriptedRun {
  run: Run;
  key: string | undefined;
  body: PromptBody;
  /** It has called a tool: it is not begun again for its words only. */
  hasActed: boolean;
  ended: Promise<Run>;
  end(run: Run): void;
}

export interface ScriptedEngine extends Engine, ScriptedCommands {
  runs: ScriptedRun[];
  deliveries: Delivery[];
  /** What happened to messages that runs answer, in the order in which it was written. */
  amendments: (Amendment & { runID: string })[];
  /** Messages that an import may have brought into memory, and that were changed or deleted. */
  forgottenTurns: ForgottenTurns[];
  /** Ids of memories whose messages were deleted. */
  forgottenNotes: string[];
  /** Which rooms were opened or closed, in that order. */
  roomStates: RoomStates['rooms'];
  sessions: WireSession[];
  /** Streams text of a run that is in progress. */
  say(runID: string, delta: string): void;
  /** The same over a connection that is lost: nobody hears it. */
  sayUnheard(runID: string, delta: string): void;
  /** What a connection that is made again begins with: all that is being written. */
  sayAgain(runID: string): void;
  /** A run has called a tool. */
  act(runID: string): void;
  complete(runID: string, text: string, artifacts?: Artifact[]): void;
  fail(runID: string, message: string): void;
  /** A run asks for approval to use a tool; again under the same id when it was begun again. */
  askLeave(runID: string, id: string, args?: unknown): void;
  askQuestions(runID: string, id: string, questions: Question[]): void;
  /** The clock by which it dates what runs ask is so far ahead of the others'; 0 at first. */
  clockAheadMs: number;
  /** Ends what is asked without an answer. */
  expire(id: string): void;
  /** Every answer that came, in order. */
  replies: { id: string; reply: string | string[] | null; by: string | undefined }[];
  /** What a restart after a kill leaves: every running run is interrupted. */
  interruptAll(): void;
  /** Texts of every prompt, in order. */
  prompts(): string[][];
}

export function createScriptedEngine(answer?: (texts: string[]) => string): ScriptedEngine {
  const runs: ScriptedRun[] = [];
  const deliveries: Delivery[] = [];
  const amendments: ScriptedEngine['amendments'] = [];
  const roomStates: ScriptedEngine['roomStates'] = [];
  const forgottenNotes: string[] = [];
  const forgottenTurns: ScriptedEngine['forgottenTurns'] = [];
  const sessions: WireSession[] = [];
  const listeners = new Set<(event: EngineEvent) => void>();
  const waiting = new Map<string, PermissionRequest | QuestionRequest>();
  const replies: ScriptedEngine['replies'] = [];
  const asked = (runID: string) => ({
    sessionID: find(runID).run.sessionID,
    runID,
    requestedAtMs: Date.UTC(2026, 0, 2, 3, 4, 5) + engine.clockAheadMs,
    expiresAtMs: Date.UTC(2026, 0, 2, 3, 19, 5) + engine.clockAheadMs, // 15 minutes after the manual clock begins
  });
  const announce = (event: Pick<EngineEvent, 'type' | 'properties'>, sessionID: string): void => {
    const envelope = { event_id: 'evt', seq: 1, schema_version: 1, occurred_at_ms: 0 };
    const whole = { ...event, envelope: { ...envelope, session_id: sessionID, run_id: null } };
    for (const listener of [...listeners]) listener(whole as EngineEvent); // type and properties belong together
  };
  const settle = (id: string, status: 'answered' | 'expired'): void => {
    const request = waiting.get(id);
    if (request === undefined)
      throw new ParleyError('request_settled', 'This request has expired: nobody answered in time.');
    waiting.delete(id);
    const { sessionID, runID } = request;
    const properties =
      'requestID' in request
        ? { sessionID, runID, requestID: id, status }
        : { sessionID, runID, id, ok: true, status };
    announce(
      { type: 'requestID' in request ? 'permission.replied' : 'question.replied', properties } as EngineEvent, // as above
      sessionID,
    );
  };

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

  const notify = ({ runID, sessionID }: Run, piece: { delta: string; offset: number }): void => {
    const part = { id: 'prt_1', sessionID, messageID: 'msg_2', type: 'text' as const };
    const envelope = {
      event_id: 'evt',
      seq: null,
      schema_version: 1 as const,
      occurred_at_ms: 0,
      session_id: sessionID,
      run_id: runID,
    };
    for (const listener of [...listeners])
      listener({ type: 'message.part.updated', properties: { sessionID, runID, part, ...piece }, envelope });
  };

  const engine: ScriptedEngine = {
    clockAheadMs: 0,
    ...createScriptedCommands(sessions),
    ...noSchedules,
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
      const how = options?.retryInterrupted;
      const mayRepeat =
        how === 'words only' ? !runs.some(({ key, hasActed }) => key === same?.key && hasActed) : how;
      if (same !== undefined && !(same.run.status === 'interrupted' && mayRepeat === true)) {
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
      runs.push({ run, key: options?.idempotencyKey, body, hasActed: false, ended, end: finish });
      if (answer !== undefined) end(runID, { status: 'completed', text: answer(texts(body)) });
      return { status: 'started', runID, messageID: 'msg' };
    },
    keepUpload: async ({ path }) => uploadUrl(path),
    transcribe: async () => ({ status: 'off' }),
    artifactFile: async ({ path }) => path,
    takesFile: async ({ mime }) => mime.startsWith('image/'),
    getRun: async (runID) => runs.find(({ run }) => run.runID === runID)?.run,
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
    async amend(runID, amendment) {
      amendments.push({ runID, ...amendment });
    },
    forgottenTurns,
    async forgetTurns(turns) {
      forgottenTurns.push(turns);
    },
    forgottenNotes,
    async forgetNote({ memoryID }) {
      forgottenNotes.push(memoryID);
    },
    roomStates,
    async setRooms(rooms) {
      roomStates.push(...rooms);
    },
    async *events(filter, signal) {
      const queue: EngineEvent[] = [];
      let wake: () => void = () => {};
      const listener = (event: EngineEvent): void => {
        queue.push(event);
        wake();
      };
      listeners.add(listener);
      signal.addEventListener('abort', () => wake(), { once: true });
      try {
        while (!signal.aborted) {
          const event = queue.shift();
          if (event === undefined) {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          } else if (event.envelope.session_id === filter.sessionID) yield event;
        }
      } finally {
        listeners.delete(listener);
      }
    },
    permissions: async () => [...waiting.values()].filter((one) => 'requestID' in one),
    questions: async () => [...waiting.values()].filter((one) => 'questions' in one),
    async replyPermission(id, { reply, by }) {
      settle(id, 'answered');
      replies.push({ id, reply, by: by?.name });
      return { reply: reply === 'always' ? 'always' : reply === 'reject' ? 'reject' : 'once' };
    },
    async replyQuestion(id, { answer, by }) {
      settle(id, 'answered');
      replies.push({ id, reply: answer, by: by?.name });
      return { id };
    },
    replies,
    askLeave(runID, id, args = { url: 'https://example.org' }) {
      const request = { ...asked(runID), requestID: id, agent: 'parley', tool: 'web_fetch', args };
      waiting.set(id, { ...request, actionDigest: 'd' });
      announce(
        { type: 'permission.asked', properties: { ...request, actionDigest: 'd' } },
        request.sessionID,
      );
    },
    askQuestions(runID, id, questions) {
      const request = { ...asked(runID), id, questions };
      waiting.set(id, request);
      const tool = { callID: 'c', messageID: 'm' };
      announce(
        { type: 'question.asked', properties: { ...request, messageID: 'm', tool } },
        request.sessionID,
      );
    },
    expire: (id) => settle(id, 'expired'),
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
    act(runID) {
      find(runID).hasActed = true;
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
