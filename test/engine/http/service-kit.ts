// The real engine behind the real routes, with a provider that the test scripts: for what needs both. Not tests.
import type { TestContext } from 'node:test';
import type { LogLevel } from '#base/log/log.ts';
import { createHttpApp } from '#engine/http/app.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { openKit } from '../support/kit.ts';
import { type RawCall, startRaw } from '../support/raw-provider.ts';
import { createDocumentCheck, type OpenApiDocument } from './document-check.ts';
import { bearer, json, token } from './kit.ts';

/** By its routes: a document says the same of the same routes, and reading it takes longer than most tests. */
const checks = new Map<string, ReturnType<typeof createDocumentCheck>>();

export type Service = Awaited<ReturnType<typeof openService>>;

/** An engine whose model is scripted through `raw`, and its routes; `ask` sends JSON and gives the status with the body, which must be as the document has it. */
export async function openService(
  t: TestContext,
  changes: Omit<NonNullable<Parameters<typeof openKit>[1]>, 'clock'> = {},
  level: LogLevel = 'info',
) {
  const raw = await startRaw(t);
  const clock = createManualClock();
  const kit = await openKit(t, { model: raw.settings, ...changes, clock });
  const { log, lines: logged } = quietLog(level);
  const hosts = () => ['127.0.0.1:7410'];
  const makeApp = () => createHttpApp({ engine: kit.engine, token, hosts, clock, log, version: '1' });
  let app = makeApp();

  const send = (
    method: string,
    path: string,
    {
      body,
      headers = {},
      signal,
    }: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Response> | Response =>
    app.request(path, {
      method,
      headers: { host: '127.0.0.1:7410', ...bearer, ...json, ...headers },
      ...(signal === undefined ? {} : { signal }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const routes = app.routes.map(({ method, path }) => ({ method, path }));
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> => {
    const response = await send(method, path, { body });
    const text = await response.text();
    const told = JSON.stringify(routes);
    const check =
      checks.get(told) ??
      createDocumentCheck((await (await send('GET', '/openapi.json')).json()) as OpenApiDocument);
    checks.set(told, check);
    if (text !== '') check(method, path, { status: response.status, body: JSON.parse(text) });
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    kit,
    raw,
    clock,
    /** The routes of the app, with `:name` for what a request fills in. */
    routes: () => routes,
    fetch: (request: Request) => app.fetch(request, {}),
    logged,
    send,
    ask,
    /** A session and its id. */
    session: async (): Promise<string> => (await kit.engine.createSession({})).id,
    /** Prompts over HTTP and gives the run's id and the provider's call. */
    async prompt(sessionID: string, text: string): Promise<{ runID: string; call: RawCall }> {
      const calling = raw.next();
      const { status, body } = await ask('POST', `/session/${sessionID}/prompt_async?return=run`, {
        parts: [{ type: 'text', text }],
      });
      if (status !== 202) throw new Error(`expected a start, got ${status}: ${JSON.stringify(body)}`);
      return { runID: body.runID, call: await calling };
    },
    /** A whole exchange; gives the run's id. */
    async exchange(sessionID: string, text: string, answer: string): Promise<string> {
      const { runID, call } = await this.prompt(sessionID, text);
      call.say(answer);
      call.finish();
      await kit.engine.finished(runID);
      return runID;
    },
    async restart(other: Parameters<typeof kit.restart>[0] = {}): Promise<void> {
      await kit.restart(other);
      app = makeApp();
    },
  };
}
