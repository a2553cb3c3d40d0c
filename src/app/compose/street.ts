// The channels of this process behind one gateway, the terminal among them. Not the engine that answers.
import { join } from 'node:path';
import { peopleRoutes } from '#adapters/gateway/access/people-routes.ts';
import { openAccess } from '#adapters/gateway/access/terms.ts';
import { createGateway, type Gateway } from '#adapters/gateway/gateway.ts';
import { maskChannel } from '#adapters/gateway/masked-channel.ts';
import { createTerminal } from '#adapters/terminal/channel.ts';
import { terminalRoutes } from '#adapters/terminal/routes.ts';
import { createChannels } from '#app/channels.ts';
import { createCheckBearer } from '#engine/http/bearer.ts';
import type { Engine } from '#engine/wire/contract.ts';
import { createRedact } from '#memory/secrets/redact.ts';
import type { Ground } from './ground.ts';

/** Makes the channels; `open` makes the gateway, when the engine is there and the routes are served; nothing connects before it is started. */
export async function openStreet({
  loaded,
  clock,
  newId,
  log,
  troubles,
  token,
  secrets,
  uploads,
  stack,
  ending,
}: Ground) {
  const { config, environment, home } = loaded;
  const channels = await createChannels(config.channels, environment, { clock, log });
  const terminal = createTerminal({ clock });
  const { signal } = ending;
  const checkBearer = createCheckBearer(token);
  const redact = createRedact();
  let gateway: Gateway | undefined;
  const routes = terminalRoutes({ terminal, checkBearer, clock, signal });
  routes.route('/', peopleRoutes({ desk: () => gateway?.desk, checkBearer }));
  return {
    routes,
    gateway: () => gateway,
    open(engine: Engine, shutdownSeconds: () => number): Gateway {
      const made = createGateway({
        path: join(home, 'gateway.sqlite'),
        engine,
        channels: [
          ...channels,
          // behind the engine's token, which only whoever runs this has
          { channel: terminal.channel, sessions: 'room' as const, access: openAccess('owner') },
        ].map(({ channel, ...rest }) => ({ ...rest, channel: maskChannel(channel, secrets) })),
        people: config.people,
        approvals: config.approvals,
        redact: async (text) => (await redact(text)).text,
        limits: config.limits,
        agent: config.agent.name,
        debounceMs: config.gateway.debounceMs,
        uploads,
        clock,
        newId,
        log,
        troubles,
      });
      gateway = made;
      stack.defer(() => made.close(shutdownSeconds() * 1000));
      return made;
    },
  };
}
