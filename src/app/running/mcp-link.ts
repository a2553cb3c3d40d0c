// Where the messages of a program that speaks MCP over standard input are answered: by the Parley that runs, else by its files.

import PQueue from 'p-queue';
import { createTokens } from '#adapters/gateway/admission/tokens.ts';
import { createReading } from '#adapters/gateway/readers/reading.ts';
import { mcpPath, mcpRoutes } from '#adapters/mcp/routes.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { readVersion } from '#app/home/version.ts';
import { configuredSecrets } from '#app/settings/engine-settings.ts';
import { systemClock } from '#base/clock.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { createIds } from '#base/ids.ts';
import { tryJson } from '#base/json.ts';
import { createLog } from '#base/log/log.ts';
import { createMask } from '#base/secrets.ts';
import { refusalOf } from '#engine/client/client.ts';
import type { ReaderService } from '#engine/wire/memory/reader.ts';
import { asConfigured, withChannels } from './access-admin.ts';
import { openEngineAccess, runningAt } from './engine-access.ts';
import { asError } from './refused.ts';

/** Sends one message, and resolves with what came back. */
type Send = (body: string) => Promise<Response>;

export interface McpLink {
  /** The answer to one message, as its JSON text; undefined for a message that has none. A ParleyError says why there is no answer. */
  answer(body: string): Promise<string | undefined>;
}

/** A call waits so long for the other side: a close of hundreds of elements may wait for another writer. */
const answerMs = 120_000;

/** A connection to the running Parley for the holder of one token. When it is lost, the next call looks for the running Parley again. */
export function createMcpLink({ loaded, secret }: { loaded: LoadedConfig; secret: string }): McpLink {
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  /** The files are for one at a time. */
  const single = new PQueue({ concurrency: 1 });
  let known: string | undefined;
  const sendTo =
    (baseUrl: string): Send =>
    (body) =>
      fetch(new URL(mcpPath, baseUrl), {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(answerMs),
      });

  const viaRunning = async (body: string): Promise<Response | undefined> => {
    if (known !== undefined) {
      try {
        return await sendTo(known)(body);
      } catch (error) {
        known = undefined;
        if (!isUnsent(error)) throw error;
      }
    }
    const at = (await runningAt('channels', loaded)) ?? (await runningAt('engine', loaded));
    if (at === undefined) return undefined;
    const response = await sendTo(at.baseUrl)(body);
    // an engine without channels has no such route
    if (response.status === 404) return undefined;
    known = at.baseUrl;
    return response;
  };
  const viaFiles = (body: string): Promise<Response> =>
    single.add(() => withFiles(loaded, (app) => app.request(mcpPath, { method: 'POST', headers, body })));

  return {
    async answer(body) {
      let response: Response;
      try {
        response = (await viaRunning(body)) ?? (await viaFiles(body));
      } catch (error) {
        if (error instanceof ParleyError) throw error;
        throw new ParleyError('mcp_unanswered', `Parley did not answer (${errorMessage(error)}).`, {
          hint: 'The call may have been done: read before you write again.',
          cause: error,
        });
      }
      const text = await response.text();
      if (response.status === 202 || text === '') return undefined;
      if (response.ok || response.status === 400 || response.status === 413) return text;
      const { error = `Status ${response.status}.` } = Object(tryJson(text));
      throw new ParleyError('mcp_refused', String(error));
    },
  };
}

/** Nothing listens there: the message has reached nobody, and may be sent again. */
function isUnsent(error: unknown): boolean {
  return error instanceof Error && codeOf(error.cause) === 'ECONNREFUSED';
}

/** Works on the files of the home folder while nothing runs with it: of rooms nothing is read, since no platform says who may read them. */
async function withFiles<T>(
  loaded: LoadedConfig,
  work: (app: ReturnType<typeof mcpRoutes>) => Promise<T> | T,
): Promise<T> {
  const clock = systemClock;
  const newId = createIds(clock);
  const log = createLog({ level: loaded.config.log.level, mask: createMask(configuredSecrets(loaded)) });
  const ending = new AbortController();
  const now = (): number => clock.now();
  const { part: tokens, close } = await withChannels(loaded, {
    single(ledger) {
      const { seen } = asConfigured(ledger, loaded);
      const unknown = { everyone: () => false, isChatOnly: () => false, roomsChanged: () => undefined };
      const looks = { of: () => undefined, silent: () => [] };
      const reading = createReading({ ledger, looks, clock, signal: ending.signal, ...unknown });
      const { accessTokens, persons } = ledger;
      const looked: typeof ledger = {
        ...ledger,
        accessTokens: { ...accessTokens, byHash: (hash) => seen(() => accessTokens.byHash(hash)) },
        persons: { ...persons, get: (name) => seen(() => persons.get(name)) },
      };
      return createTokens({
        ...{ ledger: looked, reading, newId, now },
        settled: async () => undefined, // of rooms nothing is read here
      });
    },
    running() {
      throw new ParleyError('mcp_unanswered', 'A Parley is starting or ending; call again.');
    },
  });
  try {
    const access = await openEngineAccess(loaded);
    try {
      const { memory } = access.client;
      const engine: ReaderService = {
        async forReader(operation, call) {
          try {
            return await memory.forReader(operation, call);
          } catch (error) {
            const refused = refusalOf(error);
            throw refused === undefined ? error : asError(refused);
          }
        },
      };
      return await work(
        mcpRoutes({ check: () => tokens.check, engine: () => engine, version: readVersion(), newId, log }),
      );
    } finally {
      await access.close();
    }
  } finally {
    ending.abort();
    await close();
  }
}
