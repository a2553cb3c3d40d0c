// grammy's API client with its own connections and a time limit. It never retries: the gateway does.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Api } from 'grammy';
import { defined } from '#base/json.ts';
import { proxyEnvironment } from '#base/network/proxy.ts';

export interface Client {
  api: Api;
  /** Closes the connections, also those in use. */
  end(): void;
}

interface TelegramClientOptions {
  token: string;
  apiUrl: string;
  /** A call that takes longer fails. */
  timeoutSeconds: number;
  /** Connections that rest this long are closed, before something on the way forgets them in silence. */
  idleMs?: number | undefined;
  /** Told the `Date` header of every answer. */
  received?: ((date: string | undefined) => void) | undefined;
}

const defaultApiRoot = 'https://api.telegram.org';

/** A client whose connections are no other client's, so that ending it cuts what hangs and nothing else. */
export function createTelegramClient({
  token,
  apiUrl,
  timeoutSeconds,
  idleMs,
  received,
}: TelegramClientOptions): Client {
  const Agent = apiUrl.startsWith('http:') ? HttpAgent : HttpsAgent;
  const agent = new Agent(defined({ keepAlive: true, timeout: idleMs, proxyEnv: proxyEnvironment() }));
  const api = new Api(token, { apiRoot: apiUrl, timeoutSeconds, baseFetchConfig: { agent, compress: true } });
  const stop = received === undefined ? undefined : hearDates(agent, received);
  return {
    api,
    end() {
      stop?.();
      agent.destroy();
    },
  };
}

/** grammy shows no headers, but Node publishes every answer as its head comes, and the agent says whose it is; returns the function that stops listening. */
function hearDates(agent: HttpAgent, received: (date: string | undefined) => void): () => void {
  const answered = (reply: unknown): void => {
    const { request, response } = reply as { request: ClientRequest; response: IncomingMessage }; // as Node documents it
    if (Object(request).agent === agent) received(response.headers.date);
  };
  subscribe('http.client.response.finish', answered);
  return () => void unsubscribe('http.client.response.finish', answered);
}

type GrammySignal = NonNullable<Parameters<Api['getMe']>[0]>;

/** A signal as grammy's types want it: they name an older class, while grammy itself only listens for `abort`. */
export function forGrammy(signal: AbortSignal | undefined): GrammySignal | undefined {
  return signal as GrammySignal | undefined;
}

/** The root without the slash at its end, which grammy refuses. */
export function plainRoot(apiUrl: string | undefined): string {
  return (apiUrl ?? defaultApiRoot).replace(/\/+$/, '');
}
