// The word with which Slack refuses a call (`ok: false`).
import { WebAPIPlatformError } from '@slack/web-api';

/** The `error` word of a refusal by Slack, such as `channel_not_found`; undefined for any other error. */
export function errorWord(error: unknown): string | undefined {
  return error instanceof WebAPIPlatformError ? error.data.error : undefined;
}
