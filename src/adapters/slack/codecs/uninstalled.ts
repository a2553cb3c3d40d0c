// Slack's events for a lost token: the app was uninstalled, or the token was revoked. A call with the token confirms that it is lost.
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { fatalError } from '#adapters/slack/calls/fatal.ts';
import { ParleyError } from '#base/errors.ts';

/** They come in any order, and `tokens_revoked` alone also for tokens of persons (docs.slack.dev/reference/events/app_uninstalled). */
export const farewellSchema = z.object({ type: z.enum(['app_uninstalled', 'tokens_revoked']) });
export type Farewell = z.infer<typeof farewellSchema>;

export const farewells: readonly string[] = farewellSchema.shape.type.options;

const happened: Record<Farewell['type'], string> = {
  app_uninstalled: 'The app was uninstalled from Slack.',
  tokens_revoked: 'The token of the Slack app was revoked.',
};

/** The error that ends the connection after such an event; undefined when Slack still accepts the token, or does not answer. */
export async function lossOf({ type }: Farewell, web: WebClient): Promise<ParleyError | undefined> {
  try {
    await web.auth.test();
    return undefined;
  } catch (error) {
    const fatal = fatalError(error);
    if (fatal === undefined) return undefined;
    return new ParleyError('slack_token_refused', `${happened[type]} ${fatal.message}`, { cause: fatal });
  }
}
