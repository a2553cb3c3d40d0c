// The channels of this process behind one gateway, the terminal among them.
import { join } from 'node:path';
import { createGateway, type Gateway } from '#adapters/gateway/gateway.ts';
import { maskChannel } from '#adapters/gateway/masked-channel.ts';
import type { LookTimes } from '#adapters/gateway/readers/looks.ts';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import { type Channel, channelName } from '#adapters/gateway/terms/channel.ts';
import { createMcpCounts, mcpDocument, mcpRoutes } from '#adapters/mcp/routes.ts';
import { createTerminal } from '#adapters/terminal/channel.ts';
import { terminalRoutes } from '#adapters/terminal/routes.ts';
import { assistantRules } from '#app/settings/assistants.ts';
import { createChannels } from '#app/settings/channels.ts';
import { createCheckBearer } from '#engine/http/guards/bearer.ts';
import type { Engine } from '#engine/wire/contract.ts';
import { createRedact } from '#memory/secrets/redact.ts';
import { adminRoutes } from './admin-routes.ts';
import type { Storage } from './open-storage.ts';
import type { ProcessContext } from './process-context.ts';

/** Behind the engine's token, which only the person who runs this has. */
const terminalTalk = { sessions: 'room', access: openAccess('owner') } as const;

/** Makes the channels. `open` makes the gateway once the engine is there; nothing connects before the gateway starts. */
export async function openChannels(
  {
    loaded,
    clock,
    newId,
    log,
    problems,
    tracing,
    token,
    version,
    secrets,
    uploads,
    stack,
    ending,
  }: ProcessContext,
  { looks, storage }: { looks?: LookTimes | undefined; storage?: Storage | undefined } = {},
) {
  const { environment, home } = loaded;
  const channels = await createChannels(() => loaded.config.channels, environment, { clock, log });
  const terminal = createTerminal({ clock });
  const { signal } = ending;
  const checkBearer = createCheckBearer(token);
  const redact = createRedact();
  const led = (channel: Channel, key: string): Channel =>
    storage === undefined ? channel : storage.led(channel, { name: channelName(channel), key });
  let made: Gateway | undefined;
  /** Undefined until it is made, and once it is closed: requests still come while the program ends. */
  const gateway = (): Gateway | undefined => (made?.isOpen() === true ? made : undefined);
  const routes = terminalRoutes({ terminal, checkBearer, clock, signal });
  let reached: Engine | undefined;
  const counts = createMcpCounts();
  const mcp = { check: () => gateway()?.tokens.check, engine: () => reached, counts };
  routes.route('/', mcpRoutes({ ...mcp, version, newId, log }));
  return {
    routes,
    described: mcpDocument,
    more: adminRoutes(gateway),
    gateway,
    /** Undefined until the gateway is there. */
    mcp() {
      const tokens = gateway()?.tokens;
      return tokens && { ...tokens.standing(), ...counts };
    },
    open(engine: Engine, shutdownSeconds: () => number): Gateway {
      reached = engine;
      const opened = createGateway({
        path: join(home, 'gateway.sqlite'),
        engine,
        channels: [
          ...channels.map(({ channel, account, talk }) => ({
            channel: led(maskChannel(channel, secrets), account),
            talk,
          })),
          { channel: maskChannel(terminal.channel, secrets), talk: () => terminalTalk },
        ],
        people: loaded.config.people,
        settings: () => {
          const {
            approvals,
            limits,
            agent,
            assistants,
            bindings,
            memory,
            language,
            gateway: ours,
          } = loaded.config;
          const { sharing } = memory;
          const { debounceMs, giveUpMinutes } = ours;
          const rules = assistantRules({ agent, assistants, bindings });
          return {
            approvals,
            limits,
            sharing,
            language,
            agent: agent.name,
            assistants: rules,
            debounceMs,
            giveUpMinutes,
          };
        },
        redact: async (text) => (await redact(text)).text,
        uploads,
        clock,
        newId,
        log,
        problems,
        tracing,
        looks,
      });
      made = opened;
      stack.defer(() => opened.close(shutdownSeconds() * 1000));
      return opened;
    },
  };
}
