// The forward proxy that this process goes out through: which there is, for which addresses, and what each kind of connection needs.
import http, { Agent as HttpAgent } from 'node:http';
import https, { Agent as HttpsAgent } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { defined } from '#base/json.ts';
import { openTunnel } from './tunnel.ts';

export interface ProxySettings {
  /** The proxy for addresses that begin with http:// and ws://. */
  http?: string | undefined;
  /** The proxy for addresses that begin with https:// and wss://. */
  https?: string | undefined;
  /** Hosts that are reached directly: a name with all names below it, a host with its port, an address, or `*` for all. */
  direct: readonly string[];
  /** Who resolves the names of pages that models read: this machine, which checks the address, or the proxy, which then has to. */
  namesBy: 'machine' | 'proxy';
}

/** The key of the settings in what threads inherit; there is one proxy for a process, as there is one environment. */
const inherited = 'parley proxy';

/** This machine itself is never asked for through a proxy, as Parley's own parts talk over it. */
const loopback = ['localhost', '127.0.0.1', '::1'];

/**
 * Has every outgoing connection of this process, and of threads that are started later, go through the proxy: `fetch`, `http` and `https`
 * by Node's own means, WebSockets of `ws` by an agent. The returned function takes it back. Without a proxy nothing is changed.
 */
export function useProxy(settings: ProxySettings): () => void {
  if (settings.http === undefined && settings.https === undefined) return () => {};
  const before = getEnvironmentData(inherited);
  setEnvironmentData(inherited, { ...settings, direct: [...settings.direct] });
  const restore = apply(settings);
  return () => {
    setEnvironmentData(inherited, before);
    restore();
  };
}

/** The same in a thread, with what the process was told. */
export function useInheritedProxy(): void {
  const settings = proxySettings();
  if (settings !== undefined) apply(settings);
}

/** What the process was told; undefined without a proxy. */
export function proxySettings(): ProxySettings | undefined {
  return getEnvironmentData(inherited) as ProxySettings | undefined; // only `useProxy` writes it
}

/** The proxy through which this address is asked; undefined when it is asked directly. */
export function proxyFor(address: URL | string, settings = proxySettings()): URL | undefined {
  const { protocol, hostname, port } = new URL(address);
  const isSecure = protocol === 'https:' || protocol === 'wss:';
  const proxy = isSecure ? settings?.https : settings?.http;
  if (settings === undefined || proxy === undefined) return undefined;
  const host = bare(hostname).toLowerCase();
  const at = `${host}:${port === '' ? (isSecure ? 443 : 80) : port}`;
  const isDirect = directHosts(settings).some(
    (each) =>
      each === '*' || each === host || each === at || (each.startsWith('*.') && host.endsWith(each.slice(1))),
  );
  return isDirect ? undefined : new URL(proxy);
}

/** Entries of `direct` that none of the libraries reads: ranges of addresses. */
export function unreadEntries({ direct }: ProxySettings): string[] {
  return direct.filter((each) => /\/\d+$|^[\d.]+-[\d.]+$/.test(each));
}

/** The environment that Node's own proxies are told, for an agent of `http` or `https`; undefined without a proxy. */
export function proxyEnvironment(
  settings = proxySettings(),
): Record<'HTTP_PROXY' | 'HTTPS_PROXY' | 'NO_PROXY', string> | undefined {
  if (settings === undefined) return undefined;
  const { http: plain = '', https: secure = '' } = settings;
  return { HTTP_PROXY: plain, HTTPS_PROXY: secure, NO_PROXY: directHosts(settings).join(',') };
}

/**
 * The hosts in the one form that Node, undici and this file read alike: a name is meant with all below it, as curl and Go have it,
 * whether it is written `example.com`, `.example.com` or `*.example.com`.
 */
function directHosts({ direct }: ProxySettings): string[] {
  return [...loopback, ...direct].flatMap((each) => {
    const host = bare(
      each
        .trim()
        .toLowerCase()
        .replace(/^\*?\./, ''),
    );
    if (host === '') return [];
    return host === '*' || isIP(host) !== 0 || /:\d+$/.test(host) ? [host] : [host, `*.${host}`];
  });
}

function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

function apply(settings: ProxySettings): () => void {
  const environment = proxyEnvironment(settings);
  const restoreNode = http.setGlobalProxyFromEnv(defined({ ...environment }));
  const restoreSockets = tunnelSockets(settings);
  return () => {
    restoreSockets();
    restoreNode();
  };
}

/** `ws` connects by itself and is told no agent by discord.js: its handshake, an upgrade without an agent, is given one here. */
function tunnelSockets(settings: ProxySettings): () => void {
  const restores = ([http, https] as const).map((module) => {
    const request = module.request;
    const through = (options: unknown, ...rest: unknown[]): unknown => {
      const call = request as (...all: unknown[]) => unknown;
      const asked = Object(options) as https.RequestOptions;
      if (Object(asked.headers).Upgrade !== 'websocket' || asked.agent !== undefined)
        return call(options, ...rest);
      const scheme = module === https ? 'https' : 'http';
      const host = asked.host?.includes(':') ? `[${asked.host}]` : asked.host;
      const proxy = proxyFor(`${scheme}://${host}:${asked.port}`, settings);
      if (proxy === undefined) return call(options, ...rest);
      return call({ ...asked, agent: tunnelAgent(proxy, scheme) }, ...rest);
    };
    Object.assign(module, { request: through });
    return () => void Object.assign(module, { request });
  });
  return () => {
    for (const restore of restores) restore();
  };
}

/** An agent whose every connection is a tunnel of its own. */
function tunnelAgent(proxy: URL, scheme: 'http' | 'https'): HttpAgent {
  const agent = scheme === 'https' ? new HttpsAgent() : new HttpAgent();
  agent.createConnection = (options, done) => {
    const { host, port, servername } = options as ConnectionOptions; // as `ws` gives them
    const to = { host: host ?? '', port: Number(port) };
    openTunnel(proxy, to).then(
      (socket) =>
        done?.(
          null,
          scheme === 'http' ? socket : secured(socket, defined({ servername: servername ?? host })),
        ),
      (error: Error) => done?.(error, undefined as never), // Node looks at the error first
    );
    return undefined;
  };
  return agent;
}

/** TLS over a tunnel; `servername` is the name that the certificate is for. */
export function secured(socket: Socket, { servername }: { servername?: string }): Socket {
  return connectTls({ socket, ...(servername === undefined ? {} : { servername }) });
}
