// Wires the house together: memory, engine, gateway, HTTP. The one place that sees the inside of every storey.
import { join } from 'node:path';
import { createGateway, type Gateway } from '#adapters/gateway/gateway.ts';
import { maskChannel } from '#adapters/gateway/masked-channel.ts';
import { createTerminal } from '#adapters/terminal/channel.ts';
import { terminalRoutes } from '#adapters/terminal/routes.ts';
import { keepRetention } from '#adapters/uploads/retention.ts';
import { createUploadStore } from '#adapters/uploads/store.ts';
import type { Clock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createLog } from '#base/log.ts';
import { createSecrets } from '#base/secrets.ts';
import { createTroubles } from '#base/troubles.ts';
import { createEngine } from '#engine/engine.ts';
import { createHttpApp } from '#engine/http/app.ts';
import { createCheckBearer } from '#engine/http/bearer.ts';
import { ownHosts, serveHttp } from '#engine/http/serve.ts';
import { ensureToken } from '#engine/http/token.ts';
import { createMemory } from '#memory/memory.ts';
import { channelReports } from './channel-reports.ts';
import { createChannels } from './channels.ts';
import type { Loaded } from './config/load.ts';
import { forgetAddress, noteAddress } from './engine-address.ts';
import { configuredSecrets, engineSettings } from './engine-settings.ts';
import { lockHome } from './home-lock.ts';
import { chooseModel } from './model.ts';
import type { Sandbox } from './sandbox.ts';
import { uploadsFolder } from './uploads-folder.ts';
import { readVersion } from './version.ts';
import { watchMemory } from './watched-memory.ts';

export interface Parley {
  url: string;
  /** Where the engine's token is, or undefined when the environment gave it. */
  tokenFile: string | undefined;
  gateway: Gateway;
  /** Parks or finishes what runs, then closes everything; safe to call twice. */
  close(): Promise<void>;
}

/** The pause between two pieces of an offline answer in the sandbox, so that streaming is seen. */
const sandboxDeltaMs = 12;

/** Starts everything; resolves once the engine listens and the channels begin to connect. Undoes itself when a step fails. */
export async function startParley(
  loaded: Loaded,
  options: { clock: Clock; sandbox?: Sandbox | undefined },
): Promise<Parley> {
  const { clock, sandbox } = options;
  const { home } = loaded;
  const config = sandbox === undefined ? loaded.config : sandbox.configure(loaded.config);
  const environment = { ...loaded.environment, ...sandbox?.environment };
  await using stack = new AsyncDisposableStack();

  const lock = lockHome(home);
  stack.defer(() => lock.release());
  const tokenFile = environment.PARLEY_TOKEN === undefined ? join(home, 'token') : undefined;
  const token = environment.PARLEY_TOKEN ?? (await ensureToken(join(home, 'token')));
  const settings = engineSettings(config, loaded.variables);
  const secrets = createSecrets([...configuredSecrets({ ...loaded, config, environment }), token]);
  const { mask } = secrets;
  const log = createLog({ level: config.log.level, mask });
  const newId = createIds(clock);
  const version = readVersion();
  const troubles = createTroubles(clock);

  const uploads = createUploadStore({
    folder: join(home, uploadsFolder),
    limitBytes: Math.round(config.uploads.limitMiB * 1024 * 1024),
  });
  const memoryPath = join(home, 'memory.sqlite');
  const memory = watchMemory(createMemory({ path: memoryPath, clock, newId }), memoryPath, troubles);
  stack.defer(() => memory.close());
  const engine = await createEngine({
    path: join(home, 'engine.sqlite'),
    clock,
    newId,
    log,
    memory,
    sharing: config.memory.sharing,
    version,
    model: {
      ...chooseModel(config.model, environment),
      prices: config.model.prices,
      deltaMs: sandbox === undefined ? 0 : sandboxDeltaMs,
    },
    fallbacks: config.model.fallbacks.map((each) => chooseModel(each, environment)),
    ...settings,
    home,
    readUpload: uploads.read,
    secrets,
    troubles,
  });
  stack.defer(() => engine.close());

  const channels = await createChannels(config.channels, environment, { clock, log });

  let hosts: string[] = [];
  let gateway: Gateway | undefined;
  const ending = new AbortController();
  const terminal = createTerminal({ clock });
  const checkBearer = createCheckBearer(token);
  const extra = terminalRoutes({ terminal, checkBearer, clock, signal: ending.signal });
  if (sandbox !== undefined)
    extra.route(
      '/',
      sandbox.control(() => hosts, ending.signal),
    );
  const app = createHttpApp({
    engine,
    token,
    mask,
    hosts: () => hosts,
    clock,
    log,
    version,
    channels: () => channelReports(gateway),
    troubles: troubles.list,
    extra,
  });
  const { host, port } = config.engine;
  const server = await serveHttp({ app, host, port, clock, log });
  hosts = ownHosts({ host, port: server.port });
  stack.defer(() => server.close());
  await noteAddress(home, server.url, log);
  stack.defer(() => forgetAddress(home, log));
  const { keepDays } = config.uploads;
  if (keepDays !== undefined) {
    const kept = keepRetention(uploads.folder, { days: keepDays, clock, log }, ending.signal);
    stack.defer(() => kept);
  }
  stack.defer(() => ending.abort());

  const made = createGateway({
    path: join(home, 'gateway.sqlite'),
    engine,
    channels: [...channels, { channel: terminal.channel, sessions: 'room' as const }].map(
      ({ channel, ...rest }) => ({ ...rest, channel: maskChannel(channel, secrets) }),
    ),
    people: config.people,
    agent: config.agent.name,
    debounceMs: config.gateway.debounceMs,
    uploads,
    clock,
    newId,
    log,
    troubles,
  });
  gateway = made;
  stack.defer(() => made.close(config.gateway.shutdownSeconds * 1000));
  made.start();
  const owned = stack.move();
  return { url: server.url, tokenFile, gateway: made, close: () => owned.disposeAsync() };
}
