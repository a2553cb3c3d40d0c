// Finding what a request names; a miss is a refusal. Not access control.
import { codeOf } from '#base/errors.ts';
import type { Engine, Run } from '#engine/wire/contract.ts';
import { ApiError } from './refusal.ts';

/** Ours are about 30 characters long; anything much longer is not asked for. */
export const idPattern = /^[\w-]{1,100}$/;

/** The id of a session that is there, or a 404 refusal; nothing of what was written in it is read. */
export async function knownSession(engine: Engine, sessionID: string): Promise<string> {
  if (idPattern.test(sessionID) && (await engine.hasSession(sessionID))) return sessionID;
  throw new ApiError({
    status: 404,
    code: 'SESSION_NOT_FOUND',
    message: 'There is no session with this id. GET /session lists them.',
  });
}

/** The run, or a 404 refusal; a run of another session than the one named counts as missing. */
export async function runOf(engine: Engine, runID: string, sessionID: string | undefined): Promise<Run> {
  const run = idPattern.test(runID) ? await runIfAny(engine, runID) : undefined;
  if (run !== undefined && (sessionID === undefined || run.sessionID === sessionID)) return run;
  throw new ApiError({
    status: 404,
    code: 'RUN_NOT_FOUND',
    message:
      sessionID === undefined ? 'There is no run with this id.' : 'This session has no run with this id.',
  });
}

/** The run; undefined where there is none. */
export async function runIfAny(engine: Pick<Engine, 'getRun'>, runID: string): Promise<Run | undefined> {
  return engine.getRun({ runID }).catch((error: unknown) => {
    if (codeOf(error) === 'run_not_found') return undefined;
    throw error;
  });
}
