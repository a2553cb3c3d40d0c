// Requests to the HTTP API: with the cookie of the sign-in, never with a token. What fails is a sentence for people.
// @ts-check
import { signal } from '@preact/signals';
import { asCalled } from '#console/page/data/called-as.js';

/** @import { CurrentSignIn } from '#engine/wire/operator/sign-in.ts' */

/** Who is signed in: undefined while nobody knows, null for nobody. @type {import('@preact/signals').Signal<CurrentSignIn | null | undefined>} */
export const me = signal(undefined);

/** An answer that takes longer is given up, in milliseconds. */
const timeoutMs = 30_000;

/** What went wrong, as a sentence; `code` is the API's, or `UNREACHABLE`. */
export class ApiFailure extends Error {
  /** @param {string} message @param {{ status: number, code: string, details?: Record<string, unknown> }} more */
  constructor(message, { status, code, details = {} }) {
    super(message);
    this.name = 'ApiFailure';
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/**
 * @typedef {{ method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', body?: unknown, query?: Record<string, string | number | boolean | undefined>, timeoutMs?: number }} Sending
 */

/**
 * The answer's JSON. Throws an ApiFailure; a sign-in that has ended leads to the sign-in page.
 * @template T @param {string} path @param {Sending} [sending] @returns {Promise<T>}
 */
export async function api(path, sending) {
  return (await apiWithTotal(path, sending)).data;
}

/**
 * The same, with how many entries there are beyond this page.
 * @template T @param {string} path @param {Sending} [sending] @returns {Promise<{ data: T, total: number }>}
 */
export async function apiWithTotal(path, sending = {}) {
  const response = await send(path, sending);
  const data = await response.json().catch(() => {
    throw new ApiFailure(
      'The answer of Parley cannot be read. Reload the page; if it stays so, look at its log.',
      {
        status: response.status,
        code: 'UNREADABLE',
      },
    );
  });
  return { data, total: Number(response.headers.get('x-total-count') ?? 0) };
}

/** @param {string} path @param {Sending} sending */
async function send(path, { method = 'GET', body, query = {}, timeoutMs: limit = timeoutMs }) {
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  /** @type {Response} */
  let response;
  try {
    response = await fetch(url, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(limit),
    });
  } catch (error) {
    const slow = error instanceof Error && error.name === 'TimeoutError';
    throw new ApiFailure(
      slow
        ? `Parley did not answer within ${limit / 1000} seconds. Try again.`
        : 'Parley cannot be reached. It may be restarting; this page tries again.',
      { status: 0, code: slow ? 'TIMEOUT' : 'UNREACHABLE' },
    );
  }
  if (response.ok) return response;
  const answer = /** @type {Record<string, unknown>} */ (await response.json().catch(() => ({})));
  if (response.status === 401) me.value = null;
  const { error, code = 'FAILED', hint, ...details } = answer;
  const message =
    typeof error === 'string' ? error : `Parley answered with status ${response.status} and no reason.`;
  throw new ApiFailure(asCalled(typeof hint === 'string' ? `${message} ${hint}` : message), {
    status: response.status,
    code: String(code),
    details,
  });
}

/** Exchanges the key of a link for a cookie that scripts cannot read. @param {string} key */
export async function exchangeLink(key) {
  await api('/sign-in', { method: 'POST', body: { key } });
  await whoAmI();
}

/** Asks as what this browser is signed in. */
export async function whoAmI() {
  try {
    me.value = await api('/sign-in');
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error;
    me.value = null;
  }
}

/** True for a person who may press what changes something. */
export const mayWrite = () => me.value?.role === 'owner';

/** A sentence for anything that was thrown. @param {unknown} error */
export function words(error) {
  return error instanceof Error ? error.message : String(error);
}

/** Ends this browser's sign-in. */
export async function signOut() {
  await api('/sign-in', { method: 'DELETE' });
  me.value = null;
}
