// Every REST call's way in and out: token, faults, rate limits, the route, refusals, the record. What routes do is theirs.
import type { HttpBindings } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import type { Clock } from '#base/clock.ts';
import type { FaultTarget } from '#sandbox/contract.ts';
import type { Faults } from '#sandbox/faults.ts';
import type { RateLimitCheck, RouteLimits } from './limits.ts';
import { noSuchRoute, Refusal, type RefusalBody, unauthorized } from './refusal.ts';

type Env = { Bindings: HttpBindings };

interface Api {
  clock: Clock;
  /** Whether an Authorization header is the bot's. */
  valid(authorization: string | undefined): boolean;
  faults: Faults;
  limiter: RouteLimits;
  routes: readonly Hono[];
  /** What is served next to the API, without a token. */
  files: Hono;
  /** Ends calls that are being slowed down. */
  signal: AbortSignal;
  /** Notes a call; status 0 is one whose answer was never sent. */
  record(name: string, status: number): void;
}

export function createApi(api: Api): Hono<Env> {
  const root = new Hono<Env>();
  root.use('/api/v10/*', asDiscord(api));
  for (const routes of api.routes) root.route('/api/v10', routes);
  root.route('/', api.files);
  root.notFound((c) => c.json(noSuchRoute().body, 404));
  root.onError((error, c) => {
    if (error instanceof Refusal) return c.json(error.body, error.status);
    return c.json({ message: '500: Internal Server Error', code: 0 }, 500);
  });
  return root;
}

function asDiscord({ clock, valid, faults, limiter, signal, record }: Api): MiddlewareHandler<Env> {
  return async (c, next) => {
    const route = routeOf(c.req.path);
    const { method } = c.req;
    const name = `${method} ${route}`;
    const answer = (verdict: RateLimitCheck): Response | undefined => {
      for (const [header, value] of Object.entries(verdict.headers)) c.header(header, value);
      if (verdict.refused === undefined) return undefined;
      record(name, 429);
      return c.json(rateLimited(verdict.refused), 429);
    };
    if (!hasItsOwnToken(route) && !valid(c.req.header('Authorization'))) {
      record(name, 401);
      throw unauthorized();
    }
    const fault = faults.take(targetOf(method, route));
    if (fault?.kind === 'rate_limit') return answer(limiter.exhausted(method, route, fault.retryAfterMs));
    if (fault?.kind === 'server_error') {
      record(name, 500);
      return c.json({ message: '500: Internal Server Error', code: 0 }, 500);
    }
    if (fault?.kind === 'slow') await clock.sleep(fault.delayMs, signal);
    const refused = route.startsWith('/interactions/')
      ? undefined
      : answer(limiter.take(method, route, majorOf(c.req.path)));
    if (refused !== undefined) return refused;
    await next();
    if (fault?.kind === 'lost_response') {
      record(name, 0);
      c.env.incoming.socket.destroy();
      return;
    }
    record(name, c.res.status);
  };
}

function rateLimited(refused: NonNullable<RateLimitCheck['refused']>): RefusalBody & { retry_after: number } {
  return {
    message: 'You are being rate limited.',
    code: 0,
    retry_after: Math.ceil(refused.retryAfterMs) / 1000,
    global: refused.scope === 'global',
  };
}

function pathOf(path: string): string {
  return path.replace(/^\/api\/v10/, '');
}

/** Whether the path carries a token of its own, so that the bot's is not asked for. */
function hasItsOwnToken(route: string): boolean {
  return route.startsWith('/interactions/') || route.startsWith('/webhooks/');
}

/** What a bucket is counted for besides its route: the channel, the guild, or the interaction's token. */
function majorOf(path: string): string {
  return /^\/(?:channels|guilds|webhooks\/\d+)\/([^/]+)/.exec(pathOf(path))?.[1] ?? '';
}

/** The path with `:id` for ids, `:token` for an interaction's token and `:emoji` for emoji. */
function routeOf(path: string): string {
  return pathOf(path)
    .replace(/\/reactions\/[^/]+/, '/reactions/:emoji')
    .replace(/\/%40original$/, '/@original')
    .replace(/^\/(interactions|webhooks)\/(\d+)\/[^/]+/, '/$1/$2/:token')
    .replace(/\/\d{15,20}(?=\/|$)/g, '/:id');
}

/** Which calls a fault's target means: the method and the route with `:id` in place of ids. */
function targetOf(method: string, route: string): FaultTarget | undefined {
  if (route === '/channels/:id/messages') return method === 'POST' ? 'send' : 'receive';
  if (route === '/channels/:id/messages/:id' && method === 'PATCH') return 'edit';
  if (route === '/webhooks/:id/:token/messages/@original' && method === 'PATCH') return 'edit';
  if (route === '/webhooks/:id/:token') return 'send';
  if (route === '/interactions/:id/:token/callback') return 'acknowledge';
  if (route === '/channels/:id/typing') return 'typing';
  return undefined;
}
