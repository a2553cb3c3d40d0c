// One GET of a stranger's address: only public hosts, also behind names and redirects, and only so much for so long.
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { proxyFor, proxySettings, secured } from '#base/network/proxy.ts';
import { openTunnel } from '#base/network/tunnel.ts';
import { withTimeout } from '#base/waiting/async.ts';
import { createIsPublic } from './address-rules.ts';

interface WebLimits {
  /** For everything, redirects included. */
  totalMs: number;
  /** Of the body; the rest is left. */
  bytes: number;
  redirects: number;
}

export interface WebRules {
  /** Names of hosts that may be asked although their addresses are not public. */
  privateHosts: readonly string[];
  limits: WebLimits;
  /** Gives all addresses of a name; the system's resolver when absent. */
  resolve?: Resolve | undefined;
}

type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

export interface WebPage {
  /** Where the redirects led. */
  url: string;
  status: number;
  contentType: string;
  body: Uint8Array;
  /** True when there was more. */
  cut: boolean;
}

/** Gets the address. Throws a ParleyError `address_refused`, `timeout` or `web_failed` with a message. */
export function guardedGet(
  address: string,
  { clock, signal, rules }: { clock: Clock; signal: AbortSignal; rules: WebRules },
): Promise<WebPage> {
  const { totalMs, redirects } = rules.limits;
  return withTimeout({ clock, ms: totalMs, what: 'The page', signal }, async (limit) => {
    let url = checked(address, rules);
    for (let hop = 0; hop <= redirects; hop += 1) {
      const response = await ask(url, { rules, signal: limit });
      const { statusCode: status = 0, headers } = response;
      if (status < 300 || status >= 400 || headers.location === undefined) {
        return {
          url: url.href,
          status,
          contentType: headers['content-type'] ?? '',
          ...(await read(response, rules)),
        };
      }
      response.destroy();
      url = checked(headers.location, rules, url);
    }
    throw new ParleyError('web_failed', `The address redirects more than ${redirects} times.`);
  });
}

/** The address as a URL that may be asked; names are looked at again when they are resolved. */
function checked(address: string, { privateHosts }: WebRules, base?: URL): URL {
  const url = URL.canParse(address, base?.href) ? new URL(address, base?.href) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw refused('Expected an http or https address.');
  }
  if (url.username !== '' || url.password !== '') throw refused('The address has a password in it.');
  const host = hostOf(url);
  if (isIP(host) !== 0 && !privateHosts.includes(host) && !createIsPublic()(host)) throw refusedHost(host);
  return url;
}

async function ask(
  url: URL,
  { rules, signal }: { rules: WebRules; signal: AbortSignal },
): Promise<IncomingMessage> {
  const get = url.protocol === 'https:' ? httpsGet : httpGet;
  const lookup = guardedLookup(rules);
  const proxy = proxyFor(url);
  // a connection of its own: a kept one could have been made for another name.
  const connection =
    proxy === undefined ? { lookup, agent: false } : await tunnelled(url, { proxy, lookup, rules, signal });
  const headers = {
    accept: 'text/html, text/*, application/json',
    'accept-encoding': 'identity',
    'user-agent': 'Parley',
  };
  return new Promise((resolve, reject) => {
    get(url, { ...connection, signal, headers }, resolve).on('error', (error) => {
      if (error instanceof ParleyError) reject(error);
      else
        reject(
          signal.aborted
            ? signal.reason
            : new ParleyError('web_failed', 'The host cannot be reached.', { cause: error }),
        );
    });
  });
}

/**
 * A connection through the proxy to the very address that was checked. Where the proxy resolves names, it is given the name, and only
 * what is no name of the public internet is refused here.
 */
async function tunnelled(
  url: URL,
  {
    proxy,
    lookup,
    rules,
    signal,
  }: { proxy: URL; lookup: LookupFunction; rules: WebRules; signal: AbortSignal },
): Promise<{ createConnection: () => Socket }> {
  const name = hostOf(url);
  const isSecure = url.protocol === 'https:';
  const isNamed = isIP(name) === 0;
  const byProxy = proxySettings()?.namesBy === 'proxy';
  if (isNamed && byProxy && !rules.privateHosts.includes(name) && isLocalName(name)) throw refusedHost(name);
  const host = !isNamed || byProxy ? name : await addressOf(name, lookup);
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  const socket = await openTunnel(proxy, { host, port }, signal);
  return {
    createConnection: () => (isSecure ? secured(socket, isNamed ? { servername: name } : {}) : socket),
  };
}

/** Names that mean something of this network wherever they are resolved. */
function isLocalName(host: string): boolean {
  return !host.includes('.') || /\.(local|localhost|internal|lan|home\.arpa)\.?$/i.test(host);
}

function addressOf(host: string, lookup: LookupFunction): Promise<string> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: false }, (error, address) => {
      if (error === null) return resolve(String(address)); // one, as was asked
      reject(
        error instanceof ParleyError
          ? error
          : new ParleyError('web_failed', `The name ${host} cannot be resolved here.`, {
              cause: error,
              hint: 'Where only the proxy resolves names, set `network.resolveNames` to "proxy".',
            }),
      );
    });
  });
}

/** Resolves names, and gives only addresses that may be asked: what is checked is what is connected to. */
function guardedLookup({ privateHosts, resolve = lookup }: WebRules): LookupFunction {
  const isPublic = createIsPublic();
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, '');
      const hidden = found.some(({ address }) => !isPublic(address));
      const [first] = found;
      if (first === undefined || (hidden && !privateHosts.includes(host))) return done(refusedHost(host), '');
      if (options.all === true) done(null, found);
      else done(null, first.address, first.family);
    });
  };
}

async function read(
  response: IncomingMessage,
  { limits }: WebRules,
): Promise<{ body: Uint8Array; cut: boolean }> {
  const coding = response.headers['content-encoding'];
  if (coding !== undefined && coding !== 'identity') {
    response.destroy();
    throw new ParleyError('web_failed', 'The host sent the page compressed although it was asked not to.');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= limits.bytes) continue;
    response.destroy();
    return { body: Buffer.concat(chunks).subarray(0, limits.bytes), cut: true };
  }
  return { body: Buffer.concat(chunks), cut: false };
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function refused(words: string): ParleyError {
  return new ParleyError('address_refused', words);
}

function refusedHost(host: string): ParleyError {
  return refused(`The host ${host} is not on the public internet.`);
}
