// The sandbox's control interface over HTTP, for its page and for tests in other processes. Not the engine's interface:
// it is served next to it with a key of its own, and can reach the sandbox's servers and nothing else.
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type Clock, systemClock } from '#base/clock.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import type { SandboxServer } from './contract.ts';
import { readControlBody } from './control-body.ts';
import { createChangeEvents } from './control-events.ts';
import {
  faultBody,
  idBody,
  pressBody,
  reactBody,
  sayBody,
  shareBody,
  shareLimitBytes,
  textBody,
} from './control-schema.ts';
import { type About, snapshot } from './control-state.ts';
import { guard } from './guard.ts';
import { answerPage, requireKey } from './key.ts';
import { loadPage } from './page.ts';
import { shownFile } from './shown-file.ts';

interface SandboxControlOptions {
  servers: readonly SandboxServer[];
  /** Who has it may do everything here. */
  key: string;
  /** The token of the server that this is a part of: its owner may do everything here as well. */
  serverToken?: string | undefined;
  /** What the Host header may be, e.g. `127.0.0.1:7410`; asked at every request, since a port may be known late. */
  hosts: () => string[];
  /** The address that signs a browser in to the console, once: who has the key may do everything there as well. */
  consolePath: () => string;
  /** What the page says of itself. */
  about: () => Promise<About>;
  /** Ends open event streams and lets go of the servers; without it they last as long as the servers. */
  signal?: AbortSignal | undefined;
  clock?: Clock | undefined;
}

/** Calls that one answer lists at most: the newest. */
const callsShown = 2000;

/**
 * Serves the page at `/` and the control interface under `/sandbox/`; other paths are left to its host. Everything but the page's
 * own styles and scripts needs the key. Errors are JSON `{error, code}` in words: 401 without the key, 400 for a value that does not fit
 * or that the platform refuses, 403 for a foreign Host or Origin, 404, 413 above 256 KiB (30 MiB for `share`), 415 for a body that is
 * not JSON.
 */
export function createSandboxControl(options: SandboxControlOptions): Hono {
  const { servers, hosts, about, signal, clock = systemClock } = options;
  const key = { page: options.key, server: options.serverToken };
  const events = createChangeEvents({ servers, clock, signal });
  const app = new Hono();
  app.onError(answerError);
  app.use('/', guard(hosts));
  app.use('/sandbox/*', guard(hosts));
  for (const file of loadPage()) {
    const answer = (): Response => new Response(file.body, { headers: file.headers });
    app.get(file.route, file.route === '/' ? answerPage(key, answer) : answer);
  }
  app.use('/sandbox/*', requireKey(key));

  // a browser that is signed in comes with the server's token
  app.get('/sandbox/console', (c) =>
    c.redirect(c.req.header('authorization') ? '/console' : options.consolePath(), 303),
  );
  app.get('/sandbox/state', async (c) =>
    c.json(snapshot(servers, { ...(await about()), revision: events.revision() })),
  );
  app.get('/sandbox/events', (c) => events.stream(c));
  app.get('/sandbox/:platform/calls', (c) => c.json({ calls: serverOf(c).calls().slice(-callsShown) }));
  app.post('/sandbox/:platform/say', async (c) =>
    c.json(await serverOf(c).say(await readControlBody(c, sayBody)), 201),
  );
  app.post('/sandbox/:platform/share', async (c) =>
    c.json(await serverOf(c).say(await readControlBody(c, shareBody, shareLimitBytes)), 201),
  );
  app.get('/sandbox/:platform/file/:message/:index', (c) => shownFile(serverOf(c), c.req.param()));
  app.post('/sandbox/:platform/press', async (c) => {
    serverOf(c).pressButton(await readControlBody(c, pressBody));
    return c.body(null, 204);
  });
  app.post('/sandbox/:platform/react', async (c) => {
    serverOf(c).react(await readControlBody(c, reactBody));
    return c.body(null, 204);
  });
  app.post('/sandbox/:platform/edit', async (c) => {
    const { id, text } = await readControlBody(c, textBody);
    await serverOf(c).editMessage(id, text);
    return c.body(null, 204);
  });
  app.post('/sandbox/:platform/delete', async (c) => {
    await serverOf(c).deleteMessage((await readControlBody(c, idBody)).id);
    return c.body(null, 204);
  });
  app.post('/sandbox/:platform/redeliver', async (c) => {
    await serverOf(c).redeliver((await readControlBody(c, idBody)).id);
    return c.body(null, 204);
  });
  app.post('/sandbox/:platform/fault', async (c) => {
    serverOf(c).inject(await readControlBody(c, faultBody));
    return c.body(null, 204);
  });
  app.all('/sandbox/*', (c) => {
    throw new ParleyError('not_found', `The sandbox has nothing at ${c.req.method} ${c.req.path}.`);
  });
  return app;

  function serverOf(c: Context): SandboxServer {
    const wanted = c.req.param('platform');
    const server = servers.find(({ platform }) => platform === wanted);
    if (server !== undefined) return server;
    const known = servers.map(({ platform }) => platform).join(', ');
    throw new ParleyError(
      'unknown_platform',
      `Expected a platform of the sandbox (${known}), got "${wanted}".`,
    );
  }
}

const statuses: Readonly<Record<string, ContentfulStatusCode>> = {
  no_key: 401,
  foreign_host: 403,
  foreign_origin: 403,
  not_found: 404,
  unknown_platform: 404,
  too_large: 413,
  not_json: 415,
  too_many_streams: 503,
};

function answerError(error: Error, c: Context): Response {
  if (!(error instanceof ParleyError)) return c.json({ error: errorMessage(error), code: 'internal' }, 500);
  const words = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  return c.json({ error: words, code: error.code }, statuses[error.code] ?? 400);
}
