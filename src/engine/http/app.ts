// The HTTP face of the engine, and of channels without one, as a Hono app each: guards, routes, refusals, in this order.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { ActiveProblem } from '#base/active-problems.ts';
import type { Clock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import type { MaskSecrets } from '#base/secrets.ts';
import type { ServiceOf } from '#engine/operations/operation.ts';
import type { ChannelReports } from '#engine/wire/channels/channel-report.ts';
import type { UploadStorage } from '#engine/wire/channels/upload-storage.ts';
import type { Engine } from '#engine/wire/contract.ts';
import type { DescribedRoute } from '#engine/wire/described-route.ts';
import { gatewayMemoryOperations, memoryOperations } from '#engine/wire/memory/memory-operations.ts';
import { type OperatorService, operatorOperations } from '#engine/wire/operator/operator-operations.ts';
import type { StatusProvider } from '#engine/wire/operator/overview.ts';
import type { SignIn, SignIns } from '#engine/wire/operator/sign-in.ts';
import { activeRunOperations, runOperations } from '#engine/wire/run-operations.ts';
import {
  agentOperations,
  providerOperations,
  usageOperations,
} from '#engine/wire/runs/provider-operations.ts';
import { permissionOperations, questionOperations } from '#engine/wire/runs/request-operations.ts';
import {
  firingOperations,
  hookOperations,
  scheduleOperations,
} from '#engine/wire/schedules/schedule-operations.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { contentOperations, placeOperations } from '#engine/wire/sessions/content-operations.ts';
import { sessionOperations } from '#engine/wire/sessions/session-operations.ts';
import { missionOperations, teamOperations } from '#engine/wire/teams/team-operations.ts';
import { docPageRoute } from './document/doc-page.ts';
import { openApiOf, openApiRoute } from './document/openapi.ts';
import { type Asker, createAuditedEngine } from './guards/audited-engine.ts';
import { createCheckBearer } from './guards/bearer.ts';
import { createBrowserStreams } from './guards/browser-streams.ts';
import { guardHost, guardOrigin, guardPassword, guardToken } from './guards/guards.ts';
import { takeSignedIn } from './guards/signed-in.ts';
import { createViewerEngine, viewersRead } from './guards/viewer-engine.ts';
import { logRequests } from './request-log.ts';
import { hookRoute } from './routes/hook-routes.ts';
import { channelsRoute } from './routes/operator/channels-route.ts';
import { createHealthHandler } from './routes/operator/health-route.ts';
import { overviewRoutes } from './routes/operator/overview-routes.ts';
import {
  currentRoute,
  openSignInRoutes,
  signInDocument,
  signInRoutes,
} from './routes/operator/sign-in-routes.ts';
import { readerRoute } from './routes/reader-route.ts';
import { artifactRoute } from './routes/runs/artifact-route.ts';
import { type EventStreamSource, eventRoutes } from './routes/runs/event-route.ts';
import { promptRoutes } from './routes/runs/prompt-routes.ts';
import { uploadRoutes } from './routes/runs/upload-routes.ts';
import { operationRoutes } from './routing/operation-routes.ts';
import { ApiError, createApiErrorOf, refusalResponse } from './routing/refusal.ts';
import { addRoutes, type HttpEnv, type Route } from './routing/route.ts';

interface ChannelsAppOptions {
  /** Called for its health only. */
  engine: Pick<Engine, 'health'>;
  token: string;
  /** Takes secrets out of what a refusal says; nothing when absent. */
  mask?: MaskSecrets | undefined;
  /** The `host:port` values that requests may be addressed to, asked at each request (the port may be known late). */
  hosts: () => readonly string[];
  /** Origins of other pages that may call us, like `https://desk.example`; none by default. */
  origins?: readonly string[] | undefined;
  clock: Clock;
  log: Log;
  version: string;
  /** How the channels stand, asked at each request; none by default. */
  channels?: ChannelReports | undefined;
  /** What stands in the way of the whole program, asked at each request. */
  problems?: (() => readonly ActiveProblem[]) | undefined;
  /** Who knows the status of all of it; `/status` and `/metrics` are refused when absent. */
  overseer?: StatusProvider | undefined;
  /** Browsers that may come with a cookie in place of the token; none when absent. */
  signIns?: SignIns | undefined;
  /** The configuration, the log and backups, for owners. */
  operator?: OperatorService | undefined;
  /** Whether the platforms are simulated here. */
  sandbox?: boolean | undefined;
  /** Further routes for owners. */
  more?: readonly Route[] | undefined;
  /** Routes of `extra` that the document shows. */
  described?: readonly DescribedRoute[] | undefined;
  /** Gets every request that no route of Parley has, without the token: it brings its own guard. */
  extra?: Hono | undefined;
}

interface HttpAppOptions extends ChannelsAppOptions {
  engine: EngineService;
  /** Where files of channels in other processes are stored; refused when absent. */
  uploads?: UploadStorage | undefined;
}

/**
 * The routes of the engine. Every request must be addressed to one of `hosts()` and come from no foreign page; all but
 * `GET /global/health` and what `extra` answers need the token. Whatever is refused has the envelope
 * `{error, code, retryable}`. Throws a ParleyError `token_invalid` for a blank token.
 */
export function createHttpApp(options: HttpAppOptions): Hono<HttpEnv> {
  const { engine, uploads, clock, version, channels = () => [], overseer } = options;
  return faceOf(options, ({ newId, refusalOf, asker, streams }, as) =>
    routesOf(as === 'viewer' ? createViewerEngine(engine) : createAuditedEngine(engine, asker, clock), {
      ...{ clock, newId, version, refusalOf, streams, channels, overseer },
      uploads: as === 'viewer' ? undefined : uploads,
    }),
  );
}

/** The face of channels that run apart from their engine: the status, behind the same guards. */
export function createChannelsApp(options: ChannelsAppOptions): Hono<HttpEnv> {
  return faceOf(options, () => [
    channelsRoute(options.channels ?? (() => [])),
    ...overviewRoutes(options.overseer),
  ]);
}

/** What the routes of a face are made with. */
type FaceParts = Pick<EventStreamSource, 'newId' | 'refusalOf' | 'streams'> & {
  asker: () => Asker | undefined;
};

/** The guards, then the routes, the document of them, and the refusals. */
function faceOf(
  options: ChannelsAppOptions,
  routed: (by: FaceParts, as: SignIn['role']) => Route[],
): Hono<HttpEnv> {
  const { engine, hosts, clock, log, version, channels = () => [], problems = () => [], signIns } = options;
  const origins = options.origins ?? [];
  const newId = createIds(clock);
  const refusalOf = createApiErrorOf({ log, newId, mask: options.mask });
  const checkBearer = createCheckBearer(options.token);
  const withToken = guardToken(checkBearer);

  const askers = new AsyncLocalStorage<Asker>();
  const streams = createBrowserStreams(signIns);
  const asker = (): Asker | undefined => askers.getStore();

  const app = new Hono<HttpEnv>();
  app.onError((error, c) => refusalResponse(refusalOf(error, c.get('requestId'))));
  app.use(...logRequests({ log, clock }), plainAnswers, guardHost(hosts), guardOrigin({ hosts, origins }));
  if (origins.length > 0) app.use(corsFor(origins));
  const health = createHealthHandler({ engine, checkBearer, channels, problems, version, clock, log });
  app.get('/global/health', health);
  const routes = [
    currentRoute(version, options.sandbox === true),
    ...(signIns === undefined ? [] : signInRoutes(signIns)),
    ...(options.operator === undefined ? [] : operatorRoutes(options.operator, asker)),
    ...routed({ newId, refusalOf, asker, streams }, 'owner'),
    ...(options.more ?? []),
  ];
  if (signIns !== undefined) {
    const viewers = viewersApp(
      [
        currentRoute(version, options.sandbox === true),
        ...routed({ newId, refusalOf, asker, streams }, 'viewer'),
      ],
      (error, request) => refusalResponse(refusalOf(error, request)),
    );
    const asOwner = <T>({ name }: SignIn, answer: () => T): T =>
      askers.run({ name, noted: new Set() }, answer);
    const open = openSignInRoutes({ signIns, hosts, clock });
    viewers.route('/', open);
    app.use(takeSignedIn({ signIns, token: options.token, hosts, viewers, asOwner }));
    app.route('/', open);
  }
  const others = [...(signIns === undefined ? [] : signInDocument), ...(options.described ?? [])];
  const page = docPageRoute(() => openApiOf([...routes, ...others, page, json], version));
  const json = openApiRoute([...routes, ...others, page], version);
  const isOpen = (route: Route): boolean => route.open === true;
  addRoutes(app, routes.filter(isOpen), (_, next) => next());
  addRoutes(app, [...routes.filter((route) => !isOpen(route)), json], withToken);
  addRoutes(app, [page], guardPassword(checkBearer));
  if (options.extra !== undefined)
    app.use(passTo(options.extra, (error) => refusalResponse(refusalOf(error))));
  app.all('*', withToken, () => {
    throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'There is no such route.' });
  });
  return app;
}

function operatorRoutes(operator: OperatorService, asker: () => Asker | undefined): Route[] {
  const { setSecret, ...others } = operatorOperations;
  const noted: ServiceOf<{ setSecret: typeof setSecret }> = {
    setSecret: (change) => operator.setSecret(change, { by: asker()?.name ?? 'operator' }),
  };
  return [
    ...operationRoutes(others, operator, 'service'),
    ...operationRoutes({ setSecret }, noted, 'service'),
  ];
}

/** What a viewer may ask: all that reads, through an engine that shows open rooms only, and searches of memory. */
function viewersApp(
  routes: readonly Route[],
  refusal: (error: Error, request: string | undefined) => Response,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.onError((error, c) => refusal(error, c.get('requestId')));
  // metrics name rooms, closed ones too
  for (const { method, path, handle } of routes)
    if (method === 'GET' && path !== '/metrics') app.get(path, handle);
  app.notFound(() => {
    throw viewersRead();
  });
  return app;
}

/** Every route behind the token; a path without parameters comes before one that would take it for an id. */
function routesOf(
  engine: EngineService,
  rest: Omit<EventStreamSource, 'engine'> & {
    channels: ChannelReports;
    uploads: UploadStorage | undefined;
    overseer: StatusProvider | undefined;
  },
): Route[] {
  const source = { engine, ...rest };
  return [
    ...operationRoutes({ ...runOperations, ...activeRunOperations, ...usageOperations }, engine, 'runs'),
    ...operationRoutes({ ...sessionOperations, ...placeOperations }, engine, 'sessions'),
    ...promptRoutes(engine, source),
    ...operationRoutes({ ...permissionOperations, ...questionOperations }, engine, 'requests'),
    ...operationRoutes({ ...teamOperations, ...missionOperations }, engine, 'teams'),
    artifactRoute(engine),
    ...uploadRoutes(rest.uploads),
    ...eventRoutes(source),
    readerRoute(engine),
    ...operationRoutes(
      { ...contentOperations, ...gatewayMemoryOperations, ...memoryOperations },
      engine,
      'memory',
    ),
    ...operationRoutes(
      { ...scheduleOperations, ...firingOperations, ...hookOperations },
      engine,
      'schedules',
    ),
    hookRoute(engine),
    ...operationRoutes({ ...providerOperations, ...agentOperations }, engine, 'service'),
    channelsRoute(rest.channels),
    ...overviewRoutes(rest.overseer),
  ];
}

/** Answers are not cached, and not guessed to be something else than they say. */
const plainAnswers: MiddlewareHandler = async (c, next) => {
  await next();
  c.res.headers.set('x-content-type-options', 'nosniff');
  if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store');
};

function corsFor(origins: readonly string[]): MiddlewareHandler {
  return cors({
    origin: [...origins],
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: [
      'authorization',
      'content-type',
      'idempotency-key',
      'x-tandem-idempotency-key',
      'last-event-id',
    ],
    exposeHeaders: ['x-parley-run-id', 'x-tandem-run-id', 'idempotent-replayed', 'x-total-count'],
    maxAge: 600,
  });
}

/** Lets `extra` answer what it has a route for, and nothing of it touch the other routes. */
function passTo(extra: Hono, onError: (error: Error) => Response): MiddlewareHandler {
  const unclaimed = new WeakSet<Response>();
  const shell = new Hono().route('/', extra).onError(onError);
  shell.notFound(() => {
    const response = new Response(null, { status: 404 });
    unclaimed.add(response);
    return response;
  });
  return async (c, next) => {
    const response = await shell.fetch(c.req.raw, c.env);
    if (!unclaimed.has(response)) return response;
    await next();
  };
}
