// What went wrong with a Slack call, in the gateway's terms and in words. Pure.
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { z } from 'zod';
import type { ChannelFailure, FailureKind } from '#adapters/gateway/terms/channel.ts';
import { codeOf, errorMessage, isNetworkFailure, neverConnected, ParleyError } from '#base/errors.ts';
import { truncate } from '#base/text.ts';

/** Waited when Slack refuses without saying for how long. */
const defaultWaitMs = 30_000;

/** Waited when Slack does not take an answer to a command: its URL is good for half an hour. */
const answerPauseMs = 2_000;

const kinds: Record<FailureKind, readonly string[]> = {
  auth: [
    'not_authed',
    'invalid_auth',
    'account_inactive',
    'token_revoked',
    'token_expired',
    'not_allowed_token_type',
    'user_removed_from_team',
    'team_disabled',
  ],
  permission: [
    // of one workspace, of an organisation's token
    'team_access_not_granted',
    'missing_scope',
    'not_in_channel',
    'user_not_in_channel',
    'no_permission',
    'access_denied',
    'ekm_access_denied',
    'restricted_action',
    'restricted_action_read_only_channel',
    'restricted_action_thread_only_channel',
    'cant_update_message',
    'cant_delete_message',
    'edit_window_closed',
    'user_is_restricted',
    'channel_type_not_supported',
  ],
  gone: [
    'channel_not_found',
    'is_archived',
    'message_not_found',
    'thread_not_found',
    'user_not_found',
    'user_disabled',
    'method_not_supported_for_channel_type',
  ],
  too_long: ['msg_too_long', 'msg_blocks_too_long', 'request_too_large'],
  rate_limit: ['ratelimited', 'rate_limited', 'message_limit_exceeded', 'too_many_requests'],
  // a workspace that moves into an organisation refuses with the last until it is there (docs.slack.dev, auth.test)
  transient: [
    'internal_error',
    'fatal_error',
    'service_unavailable',
    'request_timeout',
    'accesslimited',
    'org_login_required',
  ],
  conflict: ['already_reacted', 'no_reaction', 'duplicate_message_not_found'],
  invalid: [],
};
const kindOf = new Map(
  Object.entries(kinds).flatMap(([kind, words]) => words.map((word) => [word, kind as FailureKind])),
);

/** How Slack refuses the token of an app that was uninstalled, or that was revoked (docs.slack.dev, auth.test). */
const lost = new Set(['account_inactive', 'token_revoked']);

/** Network errors after which the request cannot have left this machine. */
const neverSent = new Set([
  ...neverConnected,
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

const dataSchema = z.looseObject({
  error: z.string(),
  needed: z.string().optional(),
  provided: z.string().optional(),
  response_metadata: z.looseObject({ messages: z.array(z.string()).optional() }).optional(),
});

/**
 * Of the methods that are called again and again, those that Slack counts for the workspace ("per method per workspace per app",
 * docs.slack.dev, rate limits). chat.postMessage is counted in each channel.
 */
const sharedMethods = new Set([
  'chat.update',
  'chat.appendStream',
  'reactions.add',
  'assistant.threads.setStatus',
]);

/** As the client of `createWeb` throws it. */
const methodSchema = z.object({ method: z.string() });

/**
 * Classifies anything that a call to Slack threw (the SDK's errors, this adapter's own, `fetch`'s), and names the method that Slack
 * refused.
 */
export function explain(error: unknown): ChannelFailure {
  const failure = meaningOf(error);
  const { success, data } = methodSchema.safeParse(error);
  if (!success) return failure;
  const wholeAccount = failure.kind === 'rate_limit' && sharedMethods.has(data.method);
  return { ...failure, ...(wholeAccount && { wholeAccount }), words: `${data.method}: ${failure.words}` };
}

function meaningOf(error: unknown): ChannelFailure {
  if (error instanceof WebAPIRateLimitedError) return rateLimited(error.retryAfter * 1000);
  if (error instanceof WebAPIPlatformError) return platformFailure(error);
  if (error instanceof WebAPIHTTPError) return httpFailure(error.statusCode);
  if (error instanceof WebAPIRequestError) return networkFailure(error.original);
  if (error instanceof ParleyError) return ownFailure(error);
  if (error instanceof Error && error.message.startsWith('Retry header did not contain'))
    return rateLimited(defaultWaitMs);
  if (isNetworkFailure(error)) return networkFailure(error);
  const words = `It failed unexpectedly: ${errorMessage(error)}.`;
  return { ...failure('transient', words, 'maybe delivered'), unexpected: true };
}

/** Slack limits each method on its own. */
function rateLimited(retryAfterMs: number): ChannelFailure {
  const words = `Slack asks for a pause of ${Math.ceil(retryAfterMs / 1000)} s.`;
  return { kind: 'rate_limit', words, retryAfterMs, sameActOnly: true, maybeDelivered: false };
}

function platformFailure(error: WebAPIPlatformError): ChannelFailure {
  const parsed = dataSchema.safeParse(error.data);
  const word = parsed.success ? parsed.data.error : 'unknown_error';
  if (!/^[\w.:-]+$/.test(word))
    return failure('transient', 'Slack answered with something that is not JSON.', 'maybe delivered');
  const details = parsed.success ? (parsed.data.response_metadata?.messages ?? []) : [];
  const tooLong = word === 'invalid_blocks' && details.some((text) => text.includes('must be less than'));
  const kind = tooLong ? 'too_long' : (kindOf.get(word) ?? 'invalid');
  if (kind === 'rate_limit') return rateLimited(defaultWaitMs);
  const reason = truncate([`Slack refused with "${word}"`, ...details].join(': '), 400);
  const words = `${reason}. ${hintFor(word, kind, parsed.success ? parsed.data.needed : undefined)}`.trim();
  // Slack says of these two that parts of the operation may have succeeded.
  const maybe = word === 'internal_error' || word === 'fatal_error' ? 'maybe delivered' : 'not delivered';
  return failure(kind, words, maybe);
}

/** What a person does where the bot is no member. */
export const inviteHint = 'Invite the bot with /invite @its-name.';
/** The click path out of an archived channel. */
export const archivedHint = 'Unarchive the channel: click its name, Settings, Unarchive for everyone.';

function hintFor(word: string, kind: FailureKind, needed: string | undefined): string {
  if (word === 'missing_scope')
    return `Add the scope ${needed ?? 'it needs'} under OAuth & Permissions and install the app again.`;
  if (word === 'not_allowed_token_type')
    return 'The bot token starts with xoxb- and the app token with xapp-: check that they are not swapped.';
  if (lost.has(word))
    return 'Install the app again at api.slack.com/apps (Install App), set SLACK_BOT_TOKEN to the token there and restart.';
  if (word === 'not_in_channel') return inviteHint;
  if (word === 'is_archived') return archivedHint;
  if (word.startsWith('restricted_action'))
    return "Let the app post: click the channel's name, Settings, Posting permissions.";
  if (kind === 'auth')
    return 'Copy the token again from api.slack.com/apps (OAuth & Permissions, or Basic Information for the app token).';
  return '';
}

function httpFailure(status: number): ChannelFailure {
  const words = `Slack answered with HTTP status ${status}.`;
  if (status >= 500) return failure('transient', words, 'maybe delivered');
  if (status === 413) return failure('too_long', words, 'not delivered');
  if (status === 401 || status === 403) return failure('auth', words, 'not delivered');
  return failure('invalid', words, 'not delivered');
}

function ownFailure(error: ParleyError): ChannelFailure {
  if (error.code === 'timeout' || error.code.startsWith('slack_socket'))
    return failure('transient', error.message, 'maybe delivered');
  if (error.code === 'slack_answer_busy')
    return { ...failure('transient', error.message, 'not delivered'), retryAfterMs: answerPauseMs };
  if (error.code === 'slack_answer_fault') return failure('transient', error.message, 'maybe delivered');
  if (error.code === 'slack_file_scope')
    return failure('permission', `${error.message} ${error.hint ?? ''}`.trim(), 'not delivered');
  if (error.code === 'file_unreachable') return failure('transient', error.message, 'not delivered');
  if (error.code === 'file_too_large') return failure('too_long', error.message, 'not delivered');
  if (error.code === 'slack_token_refused') return failure('auth', error.message, 'not delivered');
  return failure('invalid', error.message, 'not delivered');
}

/** The network failed. Unless no connection was ever made, Slack may have done what it was asked. */
function networkFailure(error: unknown): ChannelFailure {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = codeOf(inner);
  const refused = code !== undefined && neverSent.has(code);
  const network = code !== undefined || inner instanceof TypeError || inner instanceof DOMException;
  if (!network)
    return failure('transient', `It failed unexpectedly: ${errorMessage(inner)}.`, 'maybe delivered');
  const words = `Slack could not be reached (${code ?? errorMessage(inner)}).`;
  return failure('transient', words, refused ? 'not delivered' : 'maybe delivered');
}

function failure(
  kind: FailureKind,
  words: string,
  delivery: 'maybe delivered' | 'not delivered',
): ChannelFailure {
  return { kind, words, maybeDelivered: delivery === 'maybe delivered' };
}
