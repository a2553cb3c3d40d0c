// `GET /global/health`: is the process alive, and is everything that should be ready so. Nothing secret, since it needs no token.
import type { Context } from 'hono';
import type { ActiveProblem } from '#base/active-problems.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import { noQuery, parseQuery } from '#base/json.ts';
import type { Log } from '#base/log/log.ts';
import type { CheckBearer } from '#engine/http/guards/bearer.ts';
import {
  type ChannelReport,
  type ChannelReports,
  isChannelWell,
} from '#engine/wire/channels/channel-report.ts';
import type { Engine } from '#engine/wire/contract.ts';

interface HealthOptions {
  engine: Pick<Engine, 'health'>;
  checkBearer: CheckBearer;
  channels: ChannelReports;
  /** What stands in the way of the whole program now. */
  problems: () => readonly ActiveProblem[];
  version: string;
  clock: Clock;
  log: Log;
}

/**
 * Always 200 while the process answers, but for a query, which it does not take: `healthy` says that it is alive; `ready` that the engine takes prompts, no disk
 * refuses and every channel that is switched on is connected. Who has the token also sees the model, the active runs,
 * each channel with the age of what it last brought in, and what is failing.
 */
export function createHealthHandler(options: HealthOptions) {
  const { engine, checkBearer, version, log } = options;
  return async (c: Context): Promise<Response> => {
    parseQuery(c.req.url, noQuery);
    try {
      const { ready, model, activeRuns } = await engine.health();
      const channels = options.channels().filter(({ enabled }) => enabled);
      const problems = options.problems();
      const all = ready && problems.length === 0 && channels.every(isChannelWell);
      const inner = checkBearer(c.req.header('authorization'))
        ? { model, activeRuns, channels: agesOf(channels, options.clock.now()), problems }
        : {};
      return c.json({ healthy: true, ready: all, version, ...inner });
    } catch (error) {
      log.warn({ error: errorMessage(error) }, 'the engine could not report its health');
      return c.json({ healthy: true, ready: false, version });
    }
  };
}

function agesOf(channels: readonly ChannelReport[], now: number): Record<string, unknown> {
  return Object.fromEntries(
    channels.map(({ name, state, lastInboundMs }) => [
      name,
      {
        ready: state === 'ready',
        lastInboundAgeMs: lastInboundMs === undefined ? null : now - lastInboundMs,
      },
    ]),
  );
}
