// The word with which Slack refuses a call (`ok: false`).
import { WebAPIPlatformError } from '@slack/web-api';

/** Slack's `error`, or undefined for anything but a refusal. */
export function errorWord(error: unknown): string | undefined {
  return error instanceof WebAPIPlatformError ? error.data.error : undefined;
}
