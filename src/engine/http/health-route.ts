// `GET /global/health`: is the process alive, and is the engine ready. Nothing secret, since it needs no token.
import type { Context } from 'hono';
import { wordsOf } from '#base/errors.ts';
import type { Log } from '#base/log.ts';
import type { Engine } from '#engine/wire/contract.ts';
import type { CheckBearer } from './bearer.ts';

export interface HealthOptions {
  engine: Engine;
  checkBearer: CheckBearer;
  version: string;
  log: Log;
}

/**
 * Always 200 while the process answers: `healthy` says that it is alive, `ready` that the engine takes prompts. Who
 * has the token also sees the model and the number of active runs.
 */
export function createHealthHandler({ engine, checkBearer, version, log }: HealthOptions) {
  return async (c: Context): Promise<Response> => {
    try {
      const { ready, model, activeRuns } = await engine.health();
      const inner = checkBearer(c.req.header('authorization')) ? { model, activeRuns } : {};
      return c.json({ healthy: true, ready, version, ...inner });
    } catch (error) {
      log.warn({ error: wordsOf(error) }, 'the engine could not tell its health');
      return c.json({ healthy: true, ready: false, version });
    }
  };
}
