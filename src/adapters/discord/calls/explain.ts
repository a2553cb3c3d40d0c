// What an error of discord.js or its transport means for the sender: may it be tried again, was it perhaps delivered.
import { DiscordAPIError, HTTPError, RateLimitError, RESTJSONErrorCodes } from 'discord.js';
import { z } from 'zod';
import type { ChannelFailure, FailureKind } from '#adapters/gateway/terms/channel.ts';
import { codeOf, errorMessage, isNetworkFailure, neverConnected, ParleyError } from '#base/errors.ts';
import { formatZodError } from '#base/json.ts';
import { lockedHint, startsHint, tokenHint, writeHint } from './hints.ts';

/** Errors of a connection that never came about: nothing was sent. */
const neverSent = new Set([...neverConnected, 'UND_ERR_CONNECT_TIMEOUT', 'CERT_HAS_EXPIRED']);

const ours: Readonly<Record<string, FailureKind>> = {
  discord_token: 'auth',
  discord_intents: 'permission',
  discord_disconnected: 'transient',
  discord_outage: 'transient',
  file_too_large: 'too_long',
  file_unavailable: 'gone',
  file_unreachable: 'transient',
};

/** What an administrator clicks where the bot may not write. */
const writingHints: ReadonlyMap<number | string, string> = new Map([
  [RESTJSONErrorCodes.MissingPermissions, writeHint],
  [RESTJSONErrorCodes.MissingAccess, writeHint],
  [RESTJSONErrorCodes.InvalidActionOnArchivedThread, lockedHint],
  [RESTJSONErrorCodes.ThreadLocked, lockedHint],
]);

const overloaded = 130000;

/** The failure as text; without the request, which holds what people wrote. */
export function explain(error: unknown): ChannelFailure {
  if (error instanceof RateLimitError) return rateLimited(error);
  if (error instanceof DiscordAPIError) return refused(error);
  if (error instanceof HTTPError) {
    const words = `Discord had a fault (${error.status} ${error.message}).`;
    return { kind: 'transient', words, maybeDelivered: true };
  }
  if (error instanceof ParleyError && error.code === 'timeout') {
    return { kind: 'transient', words: error.message, maybeDelivered: true };
  }
  if (error instanceof ParleyError) {
    return { kind: ours[error.code] ?? 'invalid', words: error.message, maybeDelivered: false };
  }
  if (isTokenMissing(error)) {
    return {
      kind: 'auth',
      words: `Discord does not take the bot token. ${tokenHint}`,
      maybeDelivered: false,
    };
  }
  if (error instanceof Error && error.name === 'AbortError') {
    const words = 'Discord did not answer in time, or the call was given up.';
    return { kind: 'transient', words, maybeDelivered: true };
  }
  if (error instanceof z.ZodError) {
    const words = `Discord answered in another form than expected (${formatZodError(error)[0] ?? ''}).`;
    return { kind: 'transient', words, maybeDelivered: true, unexpected: true };
  }
  const resetsAt = noSessionsUntil(error);
  if (resetsAt !== undefined) {
    return { kind: 'transient', words: noSessionsNotice(resetsAt), maybeDelivered: false };
  }
  if (!isNetworkFailure(error)) {
    const words = `It failed unexpectedly: ${errorMessage(error)}.`;
    return { kind: 'transient', words, maybeDelivered: true, unexpected: true };
  }
  const code = codeOf(error);
  const sent = code === undefined || !neverSent.has(code);
  const words = sent
    ? `The connection to Discord broke off (${code ?? errorMessage(error)}).`
    : `Discord cannot be reached (${code}). Check the network.`;
  return { kind: 'transient', words, maybeDelivered: sent };
}

/** What keeps a connection away, for the status of a channel that goes on trying. */
export function triedAgain(words: string): string {
  return words.includes('It is tried again') ? words : `${words} It is tried again.`;
}

/** The message for the time in which no new connection may be opened. */
export function noSessionsNotice(until: string): string {
  return `Discord lets the bot begin no connection until ${until}: those of the day are used up. It is tried again. ${startsHint}`;
}

function rateLimited(error: RateLimitError): ChannelFailure {
  const { retryAfter, timeToReset, limit } = error;
  // `Retry-After` is in whole seconds, rounded up; the bucket's own reset is exact. A longer one is another limit's.
  const exact = timeToReset > 0 && retryAfter - timeToReset <= 1000;
  const asked = Math.ceil(exact ? timeToReset : Math.max(retryAfter, timeToReset));
  const retryAfterMs = asked > 0 ? asked : undefined; // not a number where the header is a date or absent
  // Without a bucket's headers it is the limit over all calls, or an answer of Cloudflare's, which bars the whole address.
  const wholeAccount = error.global || limit === Number.POSITIVE_INFINITY;
  // Every other limit of Discord is a bucket's: one route in one channel.
  const scope = wholeAccount ? { wholeAccount } : { sameActOnly: true };
  const time = retryAfterMs === undefined ? 'without saying how long' : `${retryAfterMs} ms`;
  const words = `Discord asks to wait ${time} (${wholeAccount ? 'all calls' : error.route}).`;
  return { kind: 'rate_limit', words, retryAfterMs, maybeDelivered: false, ...scope };
}

function refused(error: DiscordAPIError): ChannelFailure {
  const kind = refusalKind(error);
  const hint =
    kind === 'auth'
      ? ` ${tokenHint}`
      : writingHints.has(error.code)
        ? ` ${writingHints.get(error.code)}`
        : '';
  const words = `Discord refused: ${error.message} (code ${error.code}, status ${error.status}).${hint}`;
  return { kind, words, maybeDelivered: false };
}

function refusalKind(error: DiscordAPIError): FailureKind {
  const { code, status } = error;
  if (code === overloaded) return 'transient';
  // The token of a slash command, which is good for fifteen minutes; the bot's own is as good as ever.
  if (code === RESTJSONErrorCodes.InvalidWebhookToken) return 'gone';
  if (status === 413 || code === RESTJSONErrorCodes.RequestEntityTooLarge) return 'too_long';
  if (
    code === RESTJSONErrorCodes.InvalidFormBodyOrContentType &&
    /\[BASE_TYPE_MAX_LENGTH\]/.test(error.message)
  )
    return 'too_long';
  if (status === 401) return 'auth';
  if (status === 403) return 'permission';
  if (status === 404) return 'gone';
  if (status === 408) return 'transient';
  if (status === 409) return 'conflict';
  return 'invalid';
}

/** discord.js asks before each connection how many are left, and says only in a message that there is none. */
function noSessionsUntil(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return /^Not enough sessions remaining .* resets at (\S+)$/.exec(error.message)?.[1];
}

/** discord.js throws the token away after a 401, and then throws plain errors. */
function isTokenMissing(error: unknown): boolean {
  if (codeOf(error) === 'TokenInvalid' || codeOf(error) === 'TokenMissing') return true;
  return error instanceof Error && error.message.startsWith('Expected token to be set');
}
