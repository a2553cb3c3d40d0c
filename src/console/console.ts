// The console over HTTP: one page for every address below `/console`, and its files. All data comes from the API, none from here.
import { type Context, Hono } from 'hono';
import { lazy } from '#base/lazy.ts';
import { filesPath, loadConsolePage, type PageFile } from './page-files.ts';

/** No inline script or style, nothing of another host, no frame around it; the sandbox's own page may be a frame in it. */
const headers = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

const yearSeconds = 365 * 86_400;

/** Serves the page; it holds no data, so that anyone may load it. The files are read at the first request. */
export function createConsole(): Hono {
  const page = lazy(loadConsolePage);
  const app = new Hono();
  const html = async (c: Context): Promise<Response> =>
    c.body((await page()).html, 200, {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    });
  app.get(`${filesPath}:name`, async (c) => {
    const file = (await page()).files.get(c.req.param('name'));
    return file === undefined ? c.notFound() : fileAnswer(c, file);
  });
  app.get('/console', html);
  app.get('/console/*', html);
  return app;
}

function fileAnswer(c: Context, file: PageFile): Response {
  const accepted = c.req.header('accept-encoding') ?? '';
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
  const body = encoding === 'br' ? file.brotli : encoding === 'gzip' ? file.gzip : file.body;
  return new Response(new Uint8Array(body), {
    headers: {
      ...headers,
      'content-type': file.type,
      'cache-control': `public, max-age=${yearSeconds}, immutable`,
      vary: 'accept-encoding',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
  });
}
