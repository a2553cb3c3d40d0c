// The doctor on the way out: through which proxy each connection goes, or that it goes directly.
import { rootOf } from '#app/compose/list-models.ts';
import { searchAddress } from '#app/compose/web-search.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { proxyOf } from '#app/config/network-schema.ts';
import { answeringModels } from '#app/settings/assistants.ts';
import { botsOf, keysOf } from '#app/settings/channels.ts';
import { chooseModel } from '#app/settings/model.ts';
import { type ProxySettings, proxyFor, unreadEntries } from '#base/network/proxy.ts';
import { type Diagnostic, ok, warning } from './diagnostic.ts';
import { openAddresses } from './platforms.ts';

/** One line for each connection of this config; one for all where no proxy is set. Connects to nothing. */
export function checkNetwork(loaded: LoadedConfig): Diagnostic[] {
  const settings = proxyOf(loaded.config.network, loaded.environment);
  if (settings.http === undefined && settings.https === undefined) {
    const hosts = new Set([...placesOf(loaded).values()].map((address) => new URL(address).host));
    if (hosts.size === 0) return [];
    return [ok(`No proxy is set: all connections go directly, to ${listed.format(hosts)}.`)];
  }
  const unread = unreadEntries(settings);
  return [
    ...[...placesOf(loaded)].map(([what, address]) => ok(`${what}: ${wayTo(address, settings)}`)),
    ...(unread.length === 0
      ? []
      : [
          warning(
            `NO_PROXY has ranges of addresses, which are not read: ${unread.join(', ')}.`,
            'Name the hosts or the single addresses.',
          ),
        ]),
  ];
}

const listed = new Intl.ListFormat('en-GB');

function wayTo(address: string, settings: ProxySettings): string {
  const { host } = new URL(address);
  const proxy = proxyFor(address, settings);
  return proxy === undefined ? `${host}, directly.` : `${host}, through the proxy ${proxy.host}.`;
}

/** What is connected to, by name; an address that cannot be read is another check's to report. */
function placesOf(loaded: LoadedConfig): Map<string, string> {
  const { config, environment, variables } = loaded;
  const places = new Map<string, string | undefined>();
  for (const { what, model } of answeringModels(config))
    places.set(what, rootOf(chooseModel(model, environment)));
  const { embedding } = config.memory;
  if (embedding?.provider === 'local') places.set('The hub of the embedding model', embedding.source.hub);
  else if (embedding !== undefined) {
    const { provider, model: name, baseUrl } = embedding;
    places.set('The embedding model', rootOf(chooseModel({ provider, name, baseUrl }, environment)));
  }
  for (const bot of botsOf(config.channels, environment)) {
    const { platform, name, appToken } = bot;
    const keys = keysOf(config.channels, bot);
    places.set(name, openAddresses({ channels: { ...config.channels, [platform]: keys } })[platform]);
    const socket = platform === 'discord' ? 'wss://gateway.discord.gg' : 'wss://wss-primary.slack.com';
    if (platform === 'discord' || appToken !== undefined)
      places.set(`${name}'s WebSocket`, socketOf(keys.apiUrl, socket));
  }
  for (const [name, server] of Object.entries(config.mcp))
    if ('url' in server) places.set(`The MCP server ${name}`, server.url);
  places.set('The web search', searchAddress(loaded));
  places.set('The feedback webhook', config.feedback.webhook);
  for (const [what, model] of [
    ['Voice messages', config.channels.voice],
    ['Speech', config.tools.speech],
    ['Pictures', config.tools.image],
  ] as const)
    if (model !== undefined) {
      const { provider, model: name, baseUrl } = model;
      places.set(what, rootOf(chooseModel({ provider, name, baseUrl }, environment)));
    }
  places.set('Traces', variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? variables.OTEL_EXPORTER_OTLP_ENDPOINT);
  return new Map(
    [...places].flatMap(([what, address]) =>
      address !== undefined && URL.canParse(address) ? [[what, address] as const] : [],
    ),
  );
}

/** A server of one's own tells its socket's address only when asked: it is taken to be at the same host. */
function socketOf(apiUrl: string | undefined, usual: string): string {
  return apiUrl === undefined ? usual : apiUrl.replace(/^http/, 'ws');
}
