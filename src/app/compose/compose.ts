// Wires the house together: memory, engine, gateway, HTTP, in one process or in two. With compose/ the one place that sees the inside of every layer.
import { join } from 'node:path';
import type { Gateway } from '#adapters/gateway/gateway.ts';
import type { LookTimes } from '#adapters/gateway/readers/looks.ts';
import { isReadBy } from '#app/config/changed-keys.ts';
import type { Reloaded } from '#app/config/live-config.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { artifactCopiesFolder } from '#app/home/folders.ts';
import { modelText } from '#app/settings/model.ts';
import { refuseExposed } from '#app/settings/sandbox-exposure.ts';
import { storageOf } from '#app/settings/storage.ts';
import { createMetrics } from '#app/telemetry/metrics.ts';
import type { Clock } from '#base/clock.ts';
import { withTimeout } from '#base/waiting/async.ts';
import { createChannelsApp } from '#engine/http/app.ts';
import type { ModelClient } from '#engine/providers/calls/model-call.ts';
import type { RemoteEngine } from '#engine/remote/remote-engine.ts';
import type { ChannelReport } from '#engine/wire/channels/channel-report.ts';
import type { StatusProvider } from '#engine/wire/operator/overview.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { channelReports, reportsElsewhere } from './channel-reports.ts';
import { createDamageNotice } from './damage-notice.ts';
import { followEngineDamage } from './engine-damage.ts';
import { followConfig } from './follow-config.ts';
import { openChannels } from './open-channels.ts';
import { openEngine } from './open-engine.ts';
import type { Storage } from './open-storage.ts';
import { createOverview, createRoomUse, type Overseen } from './overview.ts';
import {
  foreignToken,
  lockHomeFor,
  openProcessContext,
  ownToken,
  type ProcessContext,
  startUploadRetention,
} from './process-context.ts';
import { startRetention } from './retention.ts';
import type { Sandbox } from './sandbox.ts';
import { serve, serveEngine } from './serve.ts';

/** A part of Parley that runs in this process. */
export interface RunningInstance {
  /** Where it listens. */
  url: string;
  /** Absolute path of its config file. */
  configFile: string;
  /** Reads that file again; see live-config.ts. */
  reload(): Promise<Reloaded>;
  /** Parks or finishes what runs, then closes everything; safe to call twice. */
  close(): Promise<void>;
}

export interface RunningEngine extends RunningInstance {
  /** Where the engine's token is, or undefined when the environment gave it. */
  tokenFile: string | undefined;
}

export interface RunningChannels extends RunningInstance {
  gateway: Gateway;
  /** How far the engine is reached. */
  engine: Pick<RemoteEngine, 'status' | 'onChange'>;
}

export interface Parley extends RunningEngine {
  /** Which model answers, as text. */
  model(): Promise<string>;
  /** A link that signs one browser in to the console as an owner, within five minutes. */
  consoleLink(): string;
  gateway: Gateway;
}

/** The pause between two pieces of an offline answer in the sandbox, so that streaming is seen. */
const sandboxDeltaMs = 12;

/**
 * Starts everything in this process; resolves once the engine listens and the channels begin to connect. Undoes itself when a step
 * fails. Several in one process may share what asks providers: `models`, which none of them closes.
 */
export async function startParley(
  given: LoadedConfig,
  options: {
    clock: Clock;
    sandbox?: Sandbox | undefined;
    models?: ModelClient | undefined;
    /** Of looks at platforms for who may read what. */
    looks?: LookTimes | undefined;
  },
): Promise<Parley> {
  const { clock, sandbox, models, looks } = options;
  const adapt = sandbox?.configure ?? ((config) => config);
  const config = adapt(given.config);
  const loaded = { ...given, config, environment: { ...given.environment, ...sandbox?.environment } };
  if (sandbox !== undefined) refuseExposed(config.engine);
  await using stack = new AsyncDisposableStack();
  await lockHomeFor(stack, loaded, 'engine');
  await lockHomeFor(stack, loaded, 'channels');
  const { token, tokenFile } = await ownToken(loaded);
  const context = await openProcessContext(stack, { loaded, clock, token, adapt });
  const deltaMs = sandbox === undefined ? 0 : sandboxDeltaMs;
  // simulated platforms are this process's own, and nobody else can lead an account there
  const storage = sandbox === undefined ? await sharedStorage(context) : undefined;
  const { engine, memory, damage } = await openEngine(context, { deltaMs, models, memory: storage?.memory });
  const channelSet = await openChannels(context, { looks, storage });
  const channels = (): ChannelReport[] => channelReports(channelSet.gateway());
  let server: Awaited<ReturnType<typeof serveEngine>> | undefined;
  const model = async (): Promise<string> => modelText((await engine.health()).model);
  if (sandbox !== undefined)
    channelSet.routes.route(
      '/',
      sandbox.control({
        hosts: () => [...(server?.hosts ?? [])],
        consolePath: () => server?.consolePath() ?? '/console',
        ...{ model, serverToken: token, signal: context.ending.signal },
      }),
    );
  server = await serveEngine(context, {
    engine,
    channels,
    overseer: oversee(context, {
      engine,
      memory,
      storage,
      channels,
      gateway: channelSet.gateway,
      mcp: channelSet.mcp,
    }),
    described: channelSet.described,
    more: channelSet.more,
    extra: channelSet.routes,
    sandbox: sandbox !== undefined,
  });
  startUploadRetention(context);
  const gateway = channelSet.open(engine, () => loaded.config.gateway.shutdownSeconds);
  followConfig(context, { engine, gateway, deltaMs });
  startRetention(context, { engine, gateway, memory });
  gateway.start();
  damage.by(gateway.tellOwners);
  const { url, consolePath } = server;
  const consoleLink = (): string => url + consolePath();
  return { url, tokenFile, gateway, model, consoleLink, ...reloading(context), close: owned(stack) };
}

/** Starts only the engine and its memory: channels reach it over HTTP. Undoes itself when a step fails. */
export async function startEngine(given: LoadedConfig, { clock }: { clock: Clock }): Promise<RunningEngine> {
  const loaded = { ...given };
  await using stack = new AsyncDisposableStack();
  await lockHomeFor(stack, loaded, 'engine');
  const { token, tokenFile } = await ownToken(loaded);
  const isOurs = (key: string): boolean => isReadBy('engine', key);
  const context = await openProcessContext(stack, { loaded, clock, token, isOurs });
  // without channels it has nothing to lead
  const storage = loaded.config.storage.memory === 'shared' ? await sharedStorage(context) : undefined;
  const { engine, memory } = await openEngine(context, { deltaMs: 0, memory: storage?.memory });
  const channels = reportsElsewhere;
  const overseer = oversee(context, { engine, memory, channels });
  const { url } = await serveEngine(context, { engine, channels, overseer });
  startUploadRetention(context);
  startRetention(context, { engine, memory });
  followConfig(context, { engine });
  stack.defer(() => letRunsEnd(engine, { clock, ms: loaded.config.gateway.shutdownSeconds * 1000 }));
  return { url, tokenFile, ...reloading(context), close: owned(stack) };
}

/** Waits for the runs of this moment, at most so long: the people get their answers from the next engine. */
async function letRunsEnd(engine: EngineService, { clock, ms }: { clock: Clock; ms: number }): Promise<void> {
  const limit = { clock, ms, what: 'The end of the runs' };
  await withTimeout(limit, async (signal) => {
    const active = await engine.activeRuns();
    await Promise.allSettled(active.map(({ runID }) => engine.finished(runID, signal)));
  }).catch(() => undefined); // what is not done by then is interrupted, and begun again
}

/**
 * Starts only the channels, for the engine at `baseUrl`, which is waited for when nothing answers there; throws with a message
 * when something else is wrong with it. Without `tokenFile` the environment's token counts, then the home folder's.
 */
export async function startChannels(
  given: LoadedConfig,
  { clock, baseUrl, tokenFile }: { clock: Clock; baseUrl: string; tokenFile?: string | undefined },
): Promise<RunningChannels> {
  const loaded = { ...given };
  const { home, config } = loaded;
  await using stack = new AsyncDisposableStack();
  const token = await foreignToken(loaded, tokenFile);
  await lockHomeFor(stack, loaded, 'channels');
  const isOurs = (key: string): boolean => isReadBy('channels', key);
  const context = await openProcessContext(stack, { loaded, clock, token, isOurs });
  const { secrets, log, version, problems } = context;
  const folder = join(home, artifactCopiesFolder);
  // one process has no use for it, and starts without loading it
  const { connectEngine } = await import('#engine/remote/remote-engine.ts');
  const engine = await connectEngine({ baseUrl, token, version, folder, secrets, clock, log, problems });
  stack.defer(() => engine.close());
  const storage = await sharedStorage(context);
  const channelSet = await openChannels(context, { storage });
  const channels = (): ChannelReport[] => channelReports(channelSet.gateway());
  const { host, port } = config.gateway;
  const { url } = await serve(context, {
    role: 'channels',
    at: { host, port, allowedHosts: config.engine.allowedHosts },
    app: (rest) =>
      createChannelsApp({
        ...rest,
        engine,
        channels,
        overseer: oversee(context, {
          channels,
          ...{ gateway: channelSet.gateway, mcp: channelSet.mcp, storage },
          ready: async () => (await engine.health()).ready,
        }),
        ...{ described: channelSet.described, more: channelSet.more, extra: channelSet.routes },
      }),
  });
  startUploadRetention(context);
  // a run that cannot be asked about is not waited for: it goes on, and the next start finds it again
  const timeout = (): number => (engine.status().state === 'up' ? loaded.config.gateway.shutdownSeconds : 0);
  const gateway = channelSet.open(engine, timeout);
  engine.keepOnly(gateway.filesToSend());
  followConfig(context, { gateway });
  startRetention(context, { gateway });
  gateway.start();
  const damage = createDamageNotice(home, log);
  damage.by(gateway.tellOwners);
  followEngineDamage({ engine, notice: damage, clock, signal: context.ending.signal });
  return { url, gateway, engine, ...reloading(context), close: owned(stack) };
}

/** The database that instances share; nothing of it is loaded where none is set. */
async function sharedStorage(context: ProcessContext): Promise<Storage | undefined> {
  const settings = storageOf(context.loaded);
  return settings && (await import('./open-storage.ts')).openStorage(context, settings);
}

/** What the status of this process is read from. */
function oversee(
  context: ProcessContext,
  { ready, ...overseen }: Omit<Overseen, 'ready'> & Partial<Pick<Overseen, 'ready'>>,
): StatusProvider {
  const asked = ready ?? (async () => (await overseen.engine?.health())?.ready ?? true);
  const overview = createOverview(context, { ...overseen, ready: asked });
  return { overview, metrics: createMetrics(overview, createRoomUse(context, overseen.engine)) };
}

function reloading({ live, loaded }: ProcessContext): Pick<RunningInstance, 'reload' | 'configFile'> {
  return { reload: live.reload, configFile: loaded.file };
}

function owned(stack: AsyncDisposableStack): () => Promise<void> {
  const all = stack.move();
  return () => all.disposeAsync();
}
