// Requests to the operator's operations, through the face of the channels: guards, routes and refusals as they are served.
import type { Gateway } from '#adapters/gateway/gateway.ts';
import { adminRoutes } from '#app/compose/admin-routes.ts';
import { createChannelsApp } from '#engine/http/app.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { quietLog } from '../../../support/quiet-log.ts';

interface Answered {
  status: number;
  text: string;
  /** Of an answer in JSON. */
  body: Record<string, unknown>;
}

/** Asks with the right token unless another is given; `gateway` is asked at each request. */
export function adminAsk(gateway: () => Pick<Gateway, 'accessAdmin' | 'tokens'> | undefined) {
  const app = createChannelsApp({
    engine: { health: async () => ({ ready: true, model: 'none', activeRuns: 0, version: '1' }) },
    ...{ token: 'right', hosts: () => ['localhost'], version: '1' },
    ...{ clock: createManualClock(), log: quietLog('silent').log },
    more: adminRoutes(() => gateway() as Gateway | undefined), // of which these parts are asked
  });
  return async (method: string, path: string, body?: unknown, token = 'right'): Promise<Answered> => {
    const headers = {
      host: 'localhost',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    };
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const answer = await app.request(`http://localhost${path}`, { method, headers, ...sent });
    const text = await answer.text();
    return { status: answer.status, text, body: /^[[{]/.test(text) ? JSON.parse(text) : {} };
  };
}
