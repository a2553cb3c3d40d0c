// One request of the client: its address, its token, its time limit, and what a refusal becomes.

export interface ClientOptions {
  /** Like `http://127.0.0.1:7410`. */
  baseUrl: string;
  token: string;
  /** For one request; 20,000 ms when absent. Waiting for a run and streams have no such limit. */
  timeoutMs?: number | undefined;
  /** Another `fetch`, for tests and proxies. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** A request that the engine refused: its words, its stable code, its hint, and whatever else its answer held. */
export class ParleyClientError extends Error {
  readonly status: number;
  readonly code: string;
  /** What to do about it, where the engine says so. */
  readonly hint: string | undefined;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    const { error, code, hint, retryable, ...details } = body;
    super(typeof error === 'string' ? error : `The engine answered with status ${status}.`);
    this.name = 'ParleyClientError';
    this.status = status;
    this.code = typeof code === 'string' ? code : 'UNKNOWN';
    this.hint = typeof hint === 'string' ? hint : undefined;
    this.retryable = retryable === true;
    this.details = details;
  }
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Query | undefined;
  body?: unknown;
  /** In the place of a JSON body. */
  bytes?: Uint8Array | undefined;
  /** Called with how many of `bytes` the connection has taken, each time it takes more. */
  sent?: ((bytes: number) => void) | undefined;
  /** Makes a repeated request safe. */
  idempotencyKey?: string | undefined;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  /** Waits as long as the engine does. */
  timedOut?: true;
}

/** The calls that every part of the client is made of; each resolves with the JSON of the answer. */
export interface Verbs {
  get<T>(path: string, query?: Query, more?: RequestOptions): Promise<T>;
  post<T>(path: string, body?: unknown, more?: RequestOptions): Promise<T>;
  json<T>(path: string, asked?: RequestOptions): Promise<T>;
}

export interface Within {
  signal?: AbortSignal | undefined;
}

/** Sends; resolves with the answer, or throws a ParleyClientError for a refusal. */
export type Send = (path: string, asked?: RequestOptions) => Promise<Response>;

const usualTimeoutMs = 20_000;

/** A sender with the client's options. */
export function createSend(options: ClientOptions): Send {
  const { baseUrl, token, timeoutMs = usualTimeoutMs, fetch = globalThis.fetch } = options;
  return async (path, asked = {}) => {
    const {
      method = 'GET',
      query = {},
      body,
      bytes,
      sent,
      idempotencyKey,
      headers = {},
      signal,
      timedOut,
    } = asked;
    const url = new URL(path.replace(/^\//, ''), baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const request = (own: AbortSignal): Promise<Response> =>
      fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(bytes === undefined ? {} : { 'content-type': 'application/octet-stream' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(bytes === undefined
          ? {}
          : sent === undefined
            ? { body: new Uint8Array(bytes) }
            : { body: inPieces(bytes, sent), duplex: 'half' as const }),
        // a stream continues after this, under its reader's own signal
        signal: timedOut === true ? (signal ?? null) : own,
      });
    return untilOver(signal, timedOut === true ? undefined : timeoutMs, async (own) => {
      const response = await request(own);
      if (response.ok) return timedOut === true ? response : await whole(response);
      const answer: unknown = await response.json().catch(() => ({}));
      throw new ParleyClientError(response.status, isObject(answer) ? answer : {});
    });
  };
}

/** The same; that nothing answers is a ParleyClientError too, which may pass: the code `ENGINE_UNREACHABLE`, the status 0. */
export function createSendWithMessages(options: ClientOptions): Send {
  const send = createSend(options);
  return async (path, asked) => {
    try {
      return await send(path, asked);
    } catch (error) {
      // `fetch` says all that a connection can meet with a TypeError, and an address that is none with another
      if (!(error instanceof TypeError) || codeIn(error) === 'ERR_INVALID_URL') throw error;
      const why = codeIn(error.cause) ?? error.message;
      const words = `The engine at ${options.baseUrl} cannot be reached (${why}). Is it running, and is that its address?`;
      const failure = new ParleyClientError(0, { error: words, code: 'ENGINE_UNREACHABLE', retryable: true });
      failure.cause = error;
      throw failure;
    }
  };
}

function codeIn(error: unknown): string | undefined {
  return isObject(error) && typeof error.code === 'string' ? error.code : undefined;
}

const pieceBytes = 64 * 1024;

/** The bytes as a stream that says how far it was read. */
function inPieces(bytes: Uint8Array, sent: (bytes: number) => void): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      sent(at);
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + pieceBytes));
      at += pieceBytes;
    },
  });
}

/** The same answer, read to its end. */
async function whole(response: Response): Promise<Response> {
  const { status, statusText, headers, body } = response;
  return new Response(body === null ? null : await response.arrayBuffer(), { status, statusText, headers });
}

/**
 * The work, under a signal that ends with the caller's or with the time, and that lets go of both when it is over: what `AbortSignal.any`
 * makes would be held for as long as the caller's lives.
 */
async function untilOver<T>(
  signal: AbortSignal | undefined,
  timeoutMs: number | undefined,
  work: (own: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const end = (): void => own.abort(signal?.reason);
  const late = (): void => own.abort(new DOMException('The request took too long.', 'TimeoutError'));
  const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
  if (signal?.aborted === true) end();
  else signal?.addEventListener('abort', end, { once: true });
  try {
    return await work(own.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
