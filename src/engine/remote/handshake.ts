// Whether there is an engine at an address that takes our token and speaks our protocol; else why not, in words with the hint.
import { z } from 'zod';
import { codeOf, ParleyError } from '#base/errors.ts';
import { ParleyClientError, type Send } from '#engine/client/request.ts';

/** Codes of what may pass on its own, while nothing has to be fixed by hand. */
export const unreachable = 'engine_unreachable';

const health = z.object({ healthy: z.literal(true), version: z.string() });

/**
 * Resolves when the engine answers, has this version and takes the token. Throws a ParleyError `engine_unreachable` when
 * nothing answers, `engine_unknown` when what answers is no engine, `engine_host`, `engine_version` or `engine_token`.
 */
export async function handshake(
  send: Send,
  { baseUrl, version, signal }: { baseUrl: string; version: string; signal: AbortSignal },
): Promise<void> {
  const ask = async (path: string): Promise<unknown> => {
    try {
      return await (await send(path, { signal })).json();
    } catch (error) {
      throw toConnectionError(error, baseUrl);
    }
  };
  const answer = health.safeParse(await ask('/global/health'));
  if (!answer.success) throw unknown(baseUrl, "an answer that is not an engine's");
  if (answer.data.version !== version)
    throw new ParleyError(
      'engine_version',
      `Expected an engine of version ${version}, as this is; the one at ${baseUrl} has version ${answer.data.version}.`,
      { hint: 'Run the same version of Parley on both sides.' },
    );
  await ask('/session/status');
}

/** What stands between this process and the engine, in words. */
export function toConnectionError(error: unknown, baseUrl: string): ParleyError {
  if (error instanceof ParleyError) return error;
  if (error instanceof ParleyClientError) return refusedWithMessage(error, baseUrl);
  if (error instanceof SyntaxError) return unknown(baseUrl, 'an answer that is no JSON');
  const cause = error instanceof Error ? error.cause : undefined;
  const late = error instanceof Error && error.name === 'TimeoutError';
  const why = codeOf(cause) ?? (late ? 'no answer in time' : 'the connection ended');
  return new ParleyError(unreachable, `The engine at ${baseUrl} cannot be reached (${why}).`, {
    hint: 'Start it there with "parley engine", or name another address with --engine.',
    cause: error,
  });
}

function refusedWithMessage(error: ParleyClientError, baseUrl: string): ParleyError {
  if (error.code === 'UNAUTHORIZED')
    return new ParleyError('engine_token', `The engine at ${baseUrl} does not take this token.`, {
      hint: 'Give its own, with PARLEY_TOKEN or --token-file: it is in the file "token" of its home folder.',
    });
  if (error.code === 'HOST_NOT_ALLOWED')
    return new ParleyError('engine_host', `The engine at ${baseUrl} does not go by that name.`, {
      hint: 'Use the address that it printed at its start, or add the name to `engine.allowedHosts` in its config.',
    });
  if (error.code === 'UNKNOWN' || error.code === 'NOT_FOUND')
    return unknown(baseUrl, `an answer with status ${error.status}`);
  return new ParleyError(unreachable, `The engine at ${baseUrl} answers: ${error.message}`, {
    hint: 'See its log; "parley status" on its machine says what is wrong.',
  });
}

function unknown(baseUrl: string, what: string): ParleyError {
  return new ParleyError('engine_unknown', `Expected the engine of a Parley at ${baseUrl}, got ${what}.`, {
    hint: 'Name the address that "parley engine" prints at its start.',
  });
}
