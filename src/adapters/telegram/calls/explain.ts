// What a failed call means for the gateway, as text without the token. Makes no decision about trying again.
import { GrammyError, HttpError } from 'grammy';
import type { ChannelFailure, FailureKind } from '#adapters/gateway/terms/channel.ts';
import { codeOf, errorMessage, isNetworkFailure, neverConnected, ParleyError } from '#base/errors.ts';
import type { MaskSecrets } from '#base/secrets.ts';
import { isAbort } from '#base/waiting/async.ts';

/** The connection was never made, so nothing can have been carried out. */
const neverSent = new Set([...neverConnected, 'ERR_INVALID_URL']);

const ours: Readonly<Record<string, FailureKind>> = {
  telegram_auth: 'auth',
  telegram_not_connected: 'transient',
  timeout: 'transient',
  file_too_large: 'too_long',
  file_unavailable: 'gone',
  file_unreachable: 'transient',
};

/** Telegram's description of a refusal by kind; what fits none is `invalid`. */
const badRequests: readonly { kind: FailureKind; pattern: RegExp }[] = [
  { kind: 'too_long', pattern: /is too long|too big|MESSAGE_TOO_LONG|ENTITIES_TOO_LONG/i },
  {
    kind: 'gone',
    pattern:
      /chat not found|message to \w+ not found|message thread not found|TOPIC_(DELETED|CLOSED)|PEER_ID_INVALID/i,
  },
  {
    kind: 'permission',
    pattern:
      /not enough rights|have no rights|CHAT_WRITE_FORBIDDEN|need administrator|CHAT_ADMIN_REQUIRED|member list is inaccessible/i,
  },
];

/**
 * Classifies anything that a call of this channel threw (its kind, a message, a pause to wait); `mask` removes the token from the
 * message.
 */
export function explainTelegram(error: unknown, mask: MaskSecrets): ChannelFailure {
  const failure = explained(error);
  return { ...failure, words: mask(failure.words) };
}

/** The group's new id, when the call failed because the group became a supergroup. */
export function movedTo(error: unknown): string | undefined {
  const id = error instanceof GrammyError ? error.parameters.migrate_to_chat_id : undefined;
  return id === undefined ? undefined : String(id);
}

/** True when Telegram says that the edit would change nothing. */
export function isNotModified(error: unknown): boolean {
  return error instanceof GrammyError && error.description.includes('message is not modified');
}

/** True when the message that should be removed is not there. */
export function isAlreadyGone(error: unknown): boolean {
  return error instanceof GrammyError && error.description.includes('message to delete not found');
}

function explained(error: unknown): ChannelFailure {
  if (error instanceof GrammyError) return refused(error);
  if (error instanceof HttpError) return unreachable(error);
  if (error instanceof ParleyError)
    return {
      kind: ours[error.code] ?? 'invalid',
      words: [error.message, error.hint].filter((part) => part !== undefined).join(' '),
      maybeDelivered: error.code === 'timeout',
    };
  if (isAbort(error)) return { kind: 'transient', words: 'The call was cancelled.', maybeDelivered: true };
  return {
    kind: 'transient',
    words: `The call failed: ${errorMessage(error)}.`,
    maybeDelivered: true,
    ...(!isNetworkFailure(error) && { unexpected: true as const }),
  };
}

function refused(error: GrammyError): ChannelFailure {
  const { error_code: code, description, parameters } = error;
  const because = `Telegram refused ${error.method}: ${description}.`;
  const failure = (kind: FailureKind, words: string): ChannelFailure => ({
    kind,
    words,
    maybeDelivered: false,
  });
  if (parameters.migrate_to_chat_id !== undefined)
    return failure(
      'transient',
      `The group became a supergroup with the id ${parameters.migrate_to_chat_id}; send there instead.`,
    );
  switch (code) {
    case 401:
    case 404:
      return failure(
        'auth',
        `${because} The bot token is not valid (any more): get it from @BotFather and put it into TELEGRAM_BOT_TOKEN.`,
      );
    case 403:
      return failure('permission', `${because} The person or the group has to let the bot in again.`);
    case 409:
      return failure('conflict', conflictWords(description));
    case 413:
      return failure('too_long', because);
    case 429:
      return { ...failure('rate_limit', because), retryAfterMs: (parameters.retry_after ?? 1) * 1000 };
    default:
      if (/not enough rights to send|CHAT_WRITE_FORBIDDEN|have no rights to send/i.test(description))
        return failure('permission', `${because} ${writeHint}`);
      if (/TOPIC_CLOSED/.test(description))
        return failure('gone', `${because} Open the topic again (its menu, Reopen).`);
      // A gateway in front of the server that gives up (502, 504) does not know what the server did.
      if (code >= 500) return { ...failure('transient', because), maybeDelivered: code !== 500 };
      return failure(
        badRequests.find(({ pattern }) => pattern.test(description))?.kind ?? 'invalid',
        because,
      );
  }
}

/** The click path to the right to write in a group. */
export const writeHint =
  'Open the group (Edit, Permissions) and allow "Send Messages", or make the bot an administrator (Edit, Administrators).';

function conflictWords(description: string): string {
  if (/webhook/i.test(description))
    return 'A webhook is set for this bot, so Telegram refuses long polling: remove it (deleteWebhook) or restart Parley, which removes it at start.';
  return 'Another program is fetching the updates of this bot: stop it, or make a new token with @BotFather (/revoke) and use that here.';
}

function unreachable(error: HttpError): ChannelFailure {
  const inner = error.error;
  const code = codeOf(inner);
  if (code !== undefined && neverSent.has(code))
    return { kind: 'transient', words: `Telegram cannot be reached (${code}).`, maybeDelivered: false };
  const why = isAbort(inner) ? 'cancelled' : (code ?? 'no answer');
  return {
    kind: 'transient',
    words: `${error.message.replace(/!$/, '')}: ${why}. It may have been carried out all the same.`,
    maybeDelivered: true,
  };
}
