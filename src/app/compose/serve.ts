// The HTTP faces: of the engine, and of channels that run apart from one. Not their routes.
import { join } from 'node:path';
import { forgetAddress, noteAddress } from '#app/home/engine-address.ts';
import { signInsFile } from '#app/home/folders.ts';
import type { ProcessRole } from '#app/home/home-lock.ts';
import { createConsole } from '#console/console.ts';
import { openSignIns } from '#console/sign-ins.ts';
import { createHttpApp } from '#engine/http/app.ts';
import { ownHosts, serveHttp } from '#engine/http/serve.ts';
import type { EngineService } from '#engine/wire/service.ts';
import { createOperatorService } from './operator-service.ts';
import type { ProcessContext } from './process-context.ts';

type AppOptions = Parameters<typeof createHttpApp>[0];
type Shared = Omit<AppOptions, 'engine' | 'channels' | 'extra' | 'uploads' | 'overseer'>;

/** Listens, and notes the address in the home folder. */
export async function serve(
  { loaded, clock, log, token, secrets, version, problems, stack }: ProcessContext,
  {
    role,
    at: { host, port, allowedHosts },
    app,
  }: {
    role: ProcessRole;
    at: { host: string; port: number; allowedHosts: readonly string[] };
    app: (rest: Shared) => ReturnType<typeof createHttpApp>;
  },
): Promise<{ url: string; hosts: readonly string[] }> {
  let hosts: readonly string[] = [];
  const { mask } = secrets;
  const made = app({ token, mask, hosts: () => hosts, clock, log, version, problems: problems.list });
  const server = await serveHttp({ app: made, host, port: loaded.port ?? port, clock, log });
  hosts = ownHosts({ host, port: server.port, names: allowedHosts });
  stack.defer(() => server.close());
  await noteAddress(role, loaded.home, { url: server.url, log });
  stack.defer(() => forgetAddress(role, loaded.home, log));
  return { url: server.url, hosts };
}

/**
 * Serves the engine's HTTP API; `hosts` are the names by which it may be called, `consolePath` makes the path of a link that signs one
 * browser in as an owner.
 */
export async function serveEngine(
  context: ProcessContext,
  more: Pick<AppOptions, 'channels' | 'described' | 'extra' | 'more' | 'overseer' | 'sandbox'> & {
    engine: EngineService;
  },
): Promise<Awaited<ReturnType<typeof serve>> & { consolePath: () => string }> {
  const { uploads, loaded, clock, newId, stack } = context;
  const signIns = openSignIns({ path: join(loaded.home, signInsFile), clock, newId });
  stack.defer(() => signIns.close());
  const operator = createOperatorService(context, more.engine);
  const extra = createConsole();
  if (more.extra !== undefined) extra.route('/', more.extra);
  const served = await serve(context, {
    role: 'engine',
    at: loaded.config.engine,
    app: (rest) => createHttpApp({ ...rest, ...more, uploads, signIns, operator, extra }),
  });
  return { ...served, consolePath: () => signIns.makeLink({ role: 'owner' }).path };
}
