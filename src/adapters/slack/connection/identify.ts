// Who the bot is, asked until Slack answers. Not a check of its scopes.
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { createReadCalls } from '#adapters/slack/calls/calls.ts';
import { explain } from '#adapters/slack/calls/explain.ts';
import { fatalError } from '#adapters/slack/calls/fatal.ts';
import type { Identity } from '#adapters/slack/codecs/change.ts';
import { workspacesOf } from '#adapters/slack/codecs/organisation.ts';
import { agentScope } from '#adapters/slack/setup/manifest.ts';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { retry } from '#base/waiting/retry.ts';

const answerSchema = z.object({
  team: z.string().nullish(),
  team_id: z.string(),
  user_id: z.string(),
  bot_id: z.string().nullish(),
  is_enterprise_install: z.boolean().nullish(),
  enterprise_id: z.string().nullish(),
  response_metadata: z.object({ scopes: z.array(z.string()).optional() }).optional(),
});
const backoff = { firstMs: 1000, capMs: 30_000 };

interface Identify {
  web: WebClient;
  clock: Clock;
  /** Called with the reason, as text, why it must be asked again. */
  onFailure(words: string): void;
}

/** The account behind the token; asks again after a passing problem, rejects with `slack_token_refused` otherwise. */
export async function identify({ web, clock, onFailure }: Identify, signal: AbortSignal): Promise<Identity> {
  const asked = async (): Promise<Identity | undefined> => {
    const answer = answerSchema.parse(await web.auth.test());
    const {
      team: name,
      team_id: team,
      user_id: botUser,
      bot_id: botID,
      response_metadata: metadata,
    } = answer;
    if (!botID) return undefined;
    // Slack gives the scope with the feature, and no method says whether an app has it
    const isAgent = metadata?.scopes?.includes(agentScope) === true;
    if (answer.is_enterprise_install === true && answer.enterprise_id) {
      const spaceNames = await workspacesOf(createReadCalls(web, { clock, maxPauses: 0 }), signal);
      const workspaces = new Set(spaceNames.keys());
      return { team: answer.enterprise_id, botUser, botID, isAgent, spaceNames, workspaces };
    }
    return { team, botUser, botID, isAgent, spaceNames: new Map(name ? [[team, name]] : []) };
  };
  const identity = await retry({ clock, pauses: backoff, signal }, asked, (error) => {
    const fatal = fatalError(error);
    if (fatal !== undefined) throw fatal;
    const { words, retryAfterMs } = explain(error);
    onFailure(words);
    return retryAfterMs;
  });
  if (identity !== undefined) return identity;
  throw new ParleyError('slack_token_refused', 'Expected a bot token (xoxb-…), got the token of a person.', {
    hint: 'Set SLACK_BOT_TOKEN to the Bot User OAuth Token under OAuth & Permissions and restart.',
  });
}
