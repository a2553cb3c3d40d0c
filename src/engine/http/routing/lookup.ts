// Finding what a request names; a miss is a refusal. Not access control.
import type { Engine, Run } from '#engine/wire/contract.ts';
import type { EngineService } from '#engine/wire/service.ts';
import type { WireSession } from '#engine/wire/sessions/message.ts';
import { ApiError, type ApiErrorOptions } from './refusal.ts';

/** Ours are about 30 characters long; anything much longer is not asked for. */
export const idPattern = /^[\w-]{1,100}$/;

/** The session with all that was written in it, or a 404 refusal. */
export async function sessionOr404(engine: EngineService, sessionID: string): Promise<WireSession> {
  const session = idPattern.test(sessionID) ? await engine.getSession(sessionID) : undefined;
  if (session !== undefined) return session;
  throw new ApiError(noSession);
}

/** The id of a session that is there, or a 404 refusal; nothing of what was written in it is read. */
export async function knownSession(engine: Engine, sessionID: string): Promise<string> {
  if (idPattern.test(sessionID) && (await engine.hasSession(sessionID))) return sessionID;
  throw new ApiError(noSession);
}

const noSession: ApiErrorOptions = {
  status: 404,
  code: 'SESSION_NOT_FOUND',
  message: 'There is no session with this id. GET /session lists them.',
};

/** The run, or a 404 refusal; a run of another session than the one named counts as missing. */
export async function runOf(engine: Engine, runID: string, sessionID: string | undefined): Promise<Run> {
  const run = idPattern.test(runID) ? await engine.getRun(runID) : undefined;
  if (run !== undefined && (sessionID === undefined || run.sessionID === sessionID)) return run;
  throw new ApiError({
    status: 404,
    code: 'RUN_NOT_FOUND',
    message:
      sessionID === undefined ? 'There is no run with this id.' : 'This session has no run with this id.',
  });
}
