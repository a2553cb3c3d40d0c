// Refusals that no waiting fixes: a token that Slack does not take. Not a chat that refuses.
import { WebAPIPlatformError } from '@slack/web-api';
import { ParleyError } from '#base/errors.ts';
import { explain } from './explain.ts';

/** The error that ends an account's connection permanently, or undefined when trying again may help. */
export function fatalError(error: unknown): ParleyError | undefined {
  if (error instanceof ParleyError && error.code === 'slack_token_refused') return error;
  if (!(error instanceof WebAPIPlatformError)) return undefined;
  const { kind, words } = explain(error);
  if (kind !== 'auth' && kind !== 'permission') return undefined;
  return new ParleyError('slack_token_refused', words, {
    hint: 'Set SLACK_BOT_TOKEN (xoxb-…) and SLACK_APP_TOKEN (xapp-… with connections:write) again and restart.',
    cause: error,
  });
}
