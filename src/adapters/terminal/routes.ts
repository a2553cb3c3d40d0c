// The terminal's channel over HTTP, behind the engine's token: `POST /terminal/say`, `/seen`, and a stream of what is shown.
import { type Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { noQuery, parseBody, parseQuery } from '#base/json.ts';
import { createWaker, isAbort } from '#base/waiting/async.ts';
import type { Terminal } from './channel.ts';
import { listenPath, listenQuery, type Shown, sayPath, seenBody, seenPath, terminalSayBody } from './wire.ts';

/** A comment after this much silence keeps the connection from being taken for dead. */
const silenceMs = 10_000;
/** In characters: the longest text, however it is written down. */
const bodyLimit = 800_000;
/** What is refused with another status than 400. */
const statuses: Readonly<Record<string, 401 | 503>> = { unauthorized: 401, too_many_terminals: 503 };
/** What one slow terminal is behind at most; then its stream ends and it comes back. */
const maxBehind = 1_000;

/** The routes; `checkBearer` says whether an `Authorization` header has the token. Refusals are `{error, code, hint, retryable}`, as the engine's. */
export function terminalRoutes(options: {
  terminal: Terminal;
  checkBearer: (authorization: string | undefined) => boolean;
  clock: Clock;
  /** Ends the streams. */
  signal: AbortSignal;
}): Hono {
  const { terminal, checkBearer, clock, signal } = options;
  const app = new Hono();
  app.use('/terminal/*', async (c, next) => {
    if (!checkBearer(c.req.header('authorization')))
      throw new ParleyError('unauthorized', 'Expected the header "Authorization: Bearer <token>".');
    parseQuery(c.req.url, c.req.path === listenPath ? listenQuery : noQuery);
    await next();
  });
  app.onError((error, c) => {
    if (!(error instanceof ParleyError)) throw error;
    const { code, message, hint } = error;
    const status = statuses[code] ?? 400;
    return c.json({ error: message, code: code.toUpperCase(), hint, retryable: status === 503 }, status);
  });
  const textOf = async (c: Context): Promise<string> => {
    parseQuery(c.req.url, noQuery);
    const text = await c.req.text();
    if (text.length > bodyLimit) throw new ParleyError('too_large', 'The body is too long.');
    return text;
  };
  app.post(sayPath, async (c) => {
    const line = parseBody(await textOf(c), terminalSayBody);
    return c.json({ accepted: await terminal.say(line) }, 202);
  });
  app.post(seenPath, async (c) => {
    const { user, key } = parseBody(await textOf(c), seenBody);
    terminal.screens.seen(user, key);
    return c.json({ ok: true });
  });
  app.get(listenPath, (c) => {
    const { user } = parseQuery(c.req.url, listenQuery);
    const waiting: Shown[] = [];
    const waker = createWaker();
    const leave = terminal.screens.look(user, (what) => {
      waiting.push(what);
      waker.wake();
    });
    waiting.push({ type: 'caught up' });
    return streamSSE(c, async (stream) => {
      const gone = new AbortController();
      stream.onAbort(() => gone.abort());
      const over = AbortSignal.any([gone.signal, signal]);
      try {
        await stream.write(': here\n\n');
        while (waiting.length <= maxBehind) {
          const next = waiting.shift();
          if (next !== undefined) await stream.writeSSE({ data: JSON.stringify(next) });
          else {
            await waker.wait(clock, silenceMs, over);
            if (waiting.length === 0) await stream.write(': still here\n\n');
          }
        }
      } catch (error) {
        if (!isAbort(error, over)) throw error;
      } finally {
        leave();
      }
    });
  });
  return app;
}
