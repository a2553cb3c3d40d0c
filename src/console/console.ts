// The console over HTTP: one page for every address below `/console`, and its files. All data comes from the API, none from here.
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { documentationPage } from '#base/documents.ts';
import { noQuery, parseQuery } from '#base/json.ts';
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

/** What the pages below `/console` read of their addresses: filters, and what is opened. A test finds them in the page. */
const pageQuery = z.strictObject(
  Object.fromEntries(
    [
      ...['agent', 'archived', 'as', 'by', 'chat', 'days', 'hours', 'least', 'message', 'model', 'of'],
      ...['key', 'order', 'person', 'platform', 'project', 'room', 'session', 'status', 'text'],
    ].map((name) => [name, z.string().optional()]),
  ),
);

const yearSeconds = 365 * 86_400;

/**
 * Serves the page, and the pages of documentation that it links; they hold no data, so that anyone may load them. The files are read at the first request. Throws a ParleyError
 * `invalid_request` for a query that no page reads.
 */
export function createConsole(): Hono {
  const page = lazy(loadConsolePage);
  const app = new Hono();
  const html = async (c: Context, query: z.ZodType): Promise<Response> => {
    parseQuery(c.req.url, query);
    return c.body((await page()).html, 200, {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    });
  };
  app.get(`${filesPath}:name`, async (c) => {
    parseQuery(c.req.url, noQuery);
    const file = (await page()).files.get(c.req.param('name'));
    return file === undefined ? c.notFound() : fileAnswer(c, file);
  });
  app.get('/console/docs/:name', async (c) => {
    parseQuery(c.req.url, noQuery);
    const text = await documentationPage(c.req.param('name'));
    if (text === undefined) return c.notFound();
    const type = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' };
    return c.body(text, 200, { ...headers, ...type });
  });
  app.get('/console', (c) => html(c, noQuery));
  app.get('/console/*', (c) => html(c, pageQuery));
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
