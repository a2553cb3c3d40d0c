// What a route is, and how routes become handlers behind the token. Not the routes themselves.
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { Refusal } from './refusal.ts';

/** What the server hands to every request; absent when the app is called without a server. */
export interface HttpEnv {
  Bindings: {
    /** Aborts when the server begins to close: streams end themselves then. */
    closing?: AbortSignal | undefined;
  };
}

export interface Route {
  method: 'GET' | 'POST';
  path: string;
  handle: (c: Context<HttpEnv>) => Response | Promise<Response>;
}

/** Adds the routes, each behind `guard`; another method on a known path is refused with 405 and the allowed ones. */
export function addRoutes(app: Hono<HttpEnv>, routes: readonly Route[], guard: MiddlewareHandler): void {
  for (const { method, path, handle } of routes) app.on(method, path, guard, handle);
  const byPath = Map.groupBy(routes, ({ path }) => path);
  for (const [path, known] of byPath) {
    const allow = known.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    app.all(path, guard, () => {
      throw new Refusal({
        status: 405,
        code: 'METHOD_NOT_ALLOWED',
        message: `This route answers ${allow} only.`,
        headers: { allow },
      });
    });
  }
}
