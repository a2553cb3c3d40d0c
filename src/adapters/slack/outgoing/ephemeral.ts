// What only one person sees: an answer to their command's URL, or an ephemeral message where the bot is a member.
import { z } from 'zod';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Ephemeral } from '#adapters/gateway/terms/ephemeral-part.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { callLimitMs } from '#adapters/slack/calls/web.ts';
import { userIDOf } from '#adapters/slack/codecs/organisation.ts';
import { ParleyError } from '#base/errors.ts';
import { defined } from '#base/json.ts';
import { anySignal } from '#base/waiting/async.ts';

const schema = z.object({ user: z.string(), thread: z.string().optional(), url: z.string().optional() });
const posted = z.object({ message_ts: z.string() });

/** Where Slack takes answers to commands. */
const slackHosts: ReadonlySet<string> = new Set(['https://hooks.slack.com', 'https://hooks.slack-gov.com']);

/**
 * How something is shown to the sender of a message alone. In the thread of the message, unless the message stands there by itself: "Ephemeral
 * messages in threads are only shown if there is already an active thread" (docs.slack.dev, chat.postEphemeral).
 */
export function ephemeralFor({ address, nativeID, actor, answerAt }: MessageEvent): Ephemeral {
  const { thread } = address;
  return defined({
    user: userIDOf(actor.id),
    thread: thread === nativeID ? undefined : thread,
    url: answerAt,
  });
}

interface EphemeralOptions {
  /** Base of the Web API; Slack's own when absent. */
  apiUrl: string | undefined;
  call(method: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<unknown>;
}

/**
 * Posts a message that only one person sees. Returns an id that only this adapter understands, since no method finds such a message
 * again. When the response URL has expired (after thirty minutes, or five answers), it posts an ephemeral message instead.
 */
export async function sendEphemeral(
  {
    address,
    ephemeral,
    content,
  }: { address: Address; ephemeral: Ephemeral; content: { text: string; blocks?: unknown } },
  { apiUrl, call }: EphemeralOptions,
  signal?: AbortSignal,
): Promise<string> {
  const { user, thread, url } = schema.parse(ephemeral);
  if (url !== undefined && isSlack(url, apiUrl)) {
    const taken = await answerAt(url, { ...content, response_type: 'ephemeral' }, signal);
    if (taken) return `ephemeral ${user}`;
  }
  const args = defined({ channel: address.chat, user, ...content, thread_ts: thread });
  const { message_ts: ts } = posted.parse(await call('chat.postEphemeral', args, signal));
  return `ephemeral ${ts}`;
}

/** Nobody else is answered, whatever an event says. */
function isSlack(url: string, apiUrl: string | undefined): boolean {
  const origin = URL.parse(url)?.origin;
  if (origin === undefined) return false;
  return apiUrl === undefined
    ? slackHosts.has(origin)
    : origin === new URL(apiUrl).origin || slackHosts.has(origin);
}

/** False where Slack takes no answer there, or none any more. Throws what `explain` understands when it is not known. */
async function answerAt(url: string, body: object, signal: AbortSignal | undefined): Promise<boolean> {
  const late = AbortSignal.timeout(callLimitMs);
  using within = anySignal(signal, late);
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  const response = await fetch(url, {
    ...{ method: 'POST', headers, body: JSON.stringify(body), redirect: 'error' as const },
    signal: within.signal,
  });
  await response.body?.cancel();
  if (response.ok) return true;
  if (response.status === 429)
    throw new ParleyError(
      'slack_answer_busy',
      'Slack asks for a pause before it takes an answer to a command.',
    );
  if (response.status >= 500)
    throw new ParleyError(
      'slack_answer_fault',
      `Slack had a fault (${response.status}) as it took an answer to a command.`,
    );
  return false;
}
