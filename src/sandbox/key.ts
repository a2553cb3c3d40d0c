// The key of the sandbox page: whoever has it speaks as everyone in the sandbox.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { ParleyError } from '#base/errors.ts';
import { linkWords } from './contract.ts';
import { pageHeaders } from './page.ts';
import type { Shelf } from './store.ts';

/** A key that nobody can guess: the one of the last time, so that an open page goes on working after a restart. */
export function savedKey(shelf: Shelf): string {
  const [saved] = shelf.all<string>('key');
  const key = saved?.value ?? randomBytes(24).toString('base64url');
  if (saved === undefined) shelf.put('key', '', key);
  return key;
}

/** The address that opens the page of the sandbox served at `url`. */
export function pageLink(url: string, key: string): string {
  return `${url.replace(/\/$/, '')}/?key=${key}`;
}

/** What opens the sandbox: its own key, and the token of the server that it is in, whose owner may do everything. */
interface Keys {
  page: string;
  server?: string | undefined;
}

const missing = `The sandbox page opens by the link that Parley printed when it started: where it runs, look for the line “${linkWords}” and open the address below it.`;

/** Lets a request through that has the key: in the cookie that the link sets, or as `Authorization: Bearer`; others are `no_key`. */
export function requireKey(key: Keys): MiddlewareHandler {
  return async (c, next) => {
    if (!hasKey(c, key)) throw new ParleyError('no_key', missing);
    await next();
  };
}

/**
 * Answers `/`: the page for who has the key, words for who has not. A link with the key leads to the page without it, and leaves it in a
 * cookie that scripts cannot read, so that a reload finds it and the address bar does not show it.
 */
export function answerPage(key: Keys, page: () => Response): (c: Context) => Response {
  return (c) => {
    const given = c.req.query('key');
    if (given === undefined) return hasKey(c, key) ? page() : refusal();
    if (!isSame(given, key.page)) return refusal();
    // Lax: a link in a chat or a mail is from another site
    setCookie(c, cookieOf(c), key.page, { httpOnly: true, sameSite: 'Lax', path: '/' });
    return c.redirect('/', 303);
  };
}

function hasKey(c: Context, key: Keys): boolean {
  const bearer = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (bearer !== undefined && key.server !== undefined && isSame(bearer, key.server)) return true;
  const given = bearer ?? getCookie(c, cookieOf(c));
  return given !== undefined && isSame(given, key.page);
}

/** With the port: browsers give the cookies of one host to all its ports. */
function cookieOf(c: Context): string {
  return `parley_sandbox_${/:(\d+)$/.exec(c.req.header('host') ?? '')?.[1] ?? '80'}`;
}

/** In constant time: neither content nor length can be timed. */
function isSame(given: string, key: string): boolean {
  return timingSafeEqual(digest(given), digest(key));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

function refusal(): Response {
  const body = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Parley sandbox</title>
    <link rel="icon" href="/sandbox/icon.svg" />
    <link rel="stylesheet" href="/sandbox/page.css" />
    <link rel="stylesheet" href="/sandbox/looks.css" />
    <link rel="stylesheet" href="/sandbox/dark.css" />
  </head>
  <body>
    <header class="top">
      <img src="/sandbox/icon.svg" alt="" width="36" height="36" />
      <div>
        <h1>Parley sandbox</h1>
        <p role="alert">${missing}</p>
      </div>
    </header>
  </body>
</html>
`;
  return new Response(body, {
    status: 401,
    headers: { ...pageHeaders, 'content-type': 'text/html; charset=utf-8' },
  });
}
