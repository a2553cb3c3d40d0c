// One Socket Mode connection from its opening to its end. It ends when Slack sends nothing for too long; its owner reconnects.
import { channel } from 'node:diagnostics_channel';
import { SocketModeClient } from '@slack/socket-mode';
import { EnvHttpProxyAgent } from 'undici';
import { z } from 'zod';
import { namingMethod, sdkLogger, webOptions } from '#adapters/slack/calls/web.ts';
import { type Clock, msSince } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { proxyEnvironment } from '#base/network/proxy.ts';
import { isAbort, withTimeout } from '#base/waiting/async.ts';

export interface Envelope {
  type: string;
  body: unknown;
  /** Acknowledges the envelope to Slack; rejects when the connection is gone. */
  ack(): Promise<void>;
}

interface SocketOptions {
  appToken: string;
  apiUrl?: string | undefined;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  /** Without a ping or a frame for this long the connection counts as deaf. */
  silenceMs: number;
  onEnvelope(envelope: Envelope): void;
  onAlive(): void;
}

export interface Socket {
  /** Resolves with the reason, as text, when the connection is over. */
  ended: Promise<string>;
  close(): Promise<void>;
}

/** Time for Slack to say hello on a new connection. */
const helloMs = 20_000;
/** Time for a pong, by the SDK's own pings; its default of 5 s ends connections of a busy machine. */
const pongMs = 20_000;
/** Time for the closing handshake, which the SDK gives 30 s. */
const closeMs = 1000;

const pingSchema = z.object({ websocket: z.object({ url: z.string() }) });
const openedSchema = z.object({ url: z.string() });
const envelopeSchema = z.object({ type: z.string(), body: z.unknown() });

/** Opens a connection; resolves once Slack said hello, rejects with the SDK's error or a ParleyError `slack_socket_closed`. */
export async function openSocket(options: SocketOptions): Promise<Socket> {
  const { clock, log } = options;
  const life = new AbortController();
  const signal = AbortSignal.any([options.signal, life.signal]);
  const dispatcher = throughProxy();
  const client = new SocketModeClient({
    appToken: options.appToken,
    autoReconnectEnabled: false,
    clientPingTimeout: pongMs,
    serverPingTimeout: options.silenceMs,
    logger: sdkLogger(log),
    clientOptions: webOptions({ apiUrl: options.apiUrl, log, signal }),
    ...(dispatcher === undefined ? {} : { dispatcher }),
  });
  let url: string | undefined;
  let receivedAt = clock.monotonic();
  let problem = 'the connection was closed';
  const over = Promise.withResolvers<string>();

  function received(): void {
    receivedAt = clock.monotonic();
    options.onAlive();
  }

  // The SDK does not report pings, and starts its own watch only after the first one; undici's channel has them all.
  const pings = channel('undici:websocket:ping');
  const onPing = (message: unknown) => {
    const ping = pingSchema.safeParse(message);
    if (ping.success && url !== undefined && ping.data.websocket.url === url) received();
  };
  pings.subscribe(onPing);
  client.on('authenticated', (answer: unknown) => {
    const opened = openedSchema.safeParse(answer);
    if (opened.success) url = new URL(opened.data.url).href;
  });
  client.on('ws_message', received);
  client.on('error', (error: unknown) => {
    problem = errorMessage(error);
  });
  client.on('disconnected', () => over.resolve(problem));
  client.on('slack_event', (event: { ack: () => Promise<void> }) => {
    const envelope = envelopeSchema.safeParse(event);
    if (envelope.success) options.onEnvelope({ ...envelope.data, ack: () => event.ack() });
  });

  const started = client.start().then(
    () => undefined,
    (error: unknown) =>
      error === undefined || error === null
        ? new ParleyError('slack_socket_closed', `Before Slack said hello, ${problem}.`)
        : namingMethod(error, 'apps.connections.open'),
  );

  async function close(): Promise<void> {
    life.abort();
    pings.unsubscribe(onPing);
    // a socket that came to be only after the disconnect would otherwise live on
    void started.then(() => client.websocket?.disconnect());
    const disconnected = client.disconnect();
    const late = new AbortController();
    await Promise.race([disconnected, clock.sleep(closeMs, late.signal).catch(() => undefined)]);
    late.abort();
    client.websocket?.disconnect(); // while it is closing, a second call destroys the socket
    await dispatcher?.destroy(); // with a dispatcher that is not its own the SDK only waits
  }

  async function watch(): Promise<void> {
    for (;;) {
      const quiet = msSince(clock, receivedAt);
      if (quiet >= options.silenceMs) {
        over.resolve(`nothing was received from Slack for ${Math.round(quiet / 1000)} s`);
        return;
      }
      await clock.sleep(options.silenceMs - quiet, signal);
    }
  }

  try {
    const limit = { clock, ms: helloMs, what: 'Opening the Socket Mode connection', signal };
    const failed = await withTimeout(limit, (over) => Promise.race([started, rejectedBy(over)]));
    if (failed !== undefined) throw failed;
  } catch (error) {
    await close();
    throw error;
  }
  received();
  watch().catch((error: unknown) => {
    over.resolve(isAbort(error, signal) ? 'it was stopped' : errorMessage(error));
  });
  return { ended: over.promise, close };
}

/** What connects through the proxy; the SDK's own undici is another than Node's, and is told by nobody else. */
function throughProxy(): EnvHttpProxyAgent | undefined {
  const proxy = proxyEnvironment();
  if (proxy === undefined) return undefined;
  const { HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy, NO_PROXY: noProxy } = proxy;
  return new EnvHttpProxyAgent({ httpProxy, httpsProxy, noProxy, proxyTunnel: true });
}

/** Rejects with the signal's reason when it aborts, and never settles otherwise. */
function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
