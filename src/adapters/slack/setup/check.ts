// What the doctor finds out about a Slack account: tokens, scopes, the way to fix them. Changes nothing.
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { ConnectionInfo, Finding } from '#adapters/gateway/terms/channel.ts';
import { explain } from '#adapters/slack/calls/explain.ts';
import { createWeb, type WebOptions } from '#adapters/slack/calls/web.ts';
import { checkEvents } from './check-events.ts';

/** What the bot uses each scope for; the first group is needed to work at all. */
const needed: Record<string, string> = {
  'chat:write': 'to answer',
  'im:history': 'to read direct messages',
  'app_mentions:read': 'to hear mentions in channels',
  'channels:history': 'to follow threads in channels',
};
const useful: Record<string, string> = {
  'groups:history': 'to follow threads in private channels and to hear that a channel was made private',
  'users:read':
    'to know names, guests and deactivated accounts; without it, what is written in one room is shown in no other',
  'channels:read':
    'to know channels and who is in them, and to catch up; without it, what is written in a channel is shown nowhere else',
  'groups:read':
    'to know private channels and who is in them, and to catch up; without it, what is written there is shown nowhere else',
  'team:read': 'to hear that the workspace has another name',
  'mpim:history': 'to read group direct messages',
  'mpim:read':
    'to know who is in a group direct message; without it, what is written there is shown nowhere else',
  'im:read': 'to catch up on direct messages',
  'im:write': 'to say in private that a room did not take an answer',
  'reactions:read': 'to know what people react with under an answer',
  'reactions:write': 'to acknowledge with a reaction',
  'files:read': 'to read files that people send',
  'files:write': 'to send files',
};
/** Every scope that the bot makes use of. */
export const usedScopes: readonly string[] = [...Object.keys(needed), ...Object.keys(useful)];
const where =
  'api.slack.com/apps, your app, OAuth & Permissions, Bot Token Scopes; then Reinstall to Workspace.';

const answerSchema = z.object({
  team: z.string().optional(),
  user: z.string().optional(),
  bot_id: z.string().nullish(),
  response_metadata: z.object({ scopes: z.array(z.string()).optional() }).optional(),
});

/** Checks the bot token and, if there is one, the app token, for `parley doctor`. Problems are findings; it never rejects. */
export async function checkAccount(
  web: WebClient,
  options: { appToken?: string | undefined; standing?: ConnectionInfo | undefined } & WebOptions,
): Promise<Finding[]> {
  const { appToken, standing } = options;
  const events =
    appToken !== undefined && standing?.connected === true ? await checkEvents(web, standing) : [];
  return [...(await checkBot(web)), ...(await checkApp(options)), ...events];
}

async function checkBot(web: WebClient): Promise<Finding[]> {
  try {
    const answer = answerSchema.parse(await web.auth.test());
    const who: Finding = {
      level: 'ok',
      what: `Slack: signed in as ${answer.user ?? '?'} in ${answer.team ?? '?'}.`,
    };
    if (!answer.bot_id)
      return [
        {
          level: 'error',
          what: 'Slack: the token is a person’s, not a bot’s.',
          hint: `Take the Bot User OAuth Token (xoxb-…): ${where}`,
        },
      ];
    const scopes = answer.response_metadata?.scopes;
    return scopes === undefined
      ? [who]
      : [who, ...missing(scopes, 'error', needed), ...missing(scopes, 'warning', useful)];
  } catch (error) {
    const { kind, words } = explain(error);
    const level = kind === 'auth' || kind === 'permission' ? 'error' : 'warning';
    return [
      {
        level,
        what: `Slack: ${words}`,
        hint: `Set SLACK_BOT_TOKEN to the Bot User OAuth Token (xoxb-…): ${where}`,
      },
    ];
  }
}

function missing(
  scopes: readonly string[],
  level: Finding['level'],
  uses: Record<string, string>,
): Finding[] {
  return Object.entries(uses)
    .filter(([scope]) => !scopes.includes(scope))
    .map(([scope, use]) => ({
      level,
      what: `Slack: the scope ${scope} is missing, ${use}.`,
      hint: `Add ${scope}: ${where}`,
    }));
}

async function checkApp(options: { appToken?: string | undefined } & WebOptions): Promise<Finding[]> {
  if (options.appToken === undefined)
    return [
      {
        level: 'warning',
        what: 'Slack: without an app token, chats are polled; answers take seconds longer and deletions go unseen.',
        hint: 'Make one with connections:write under Basic Information, App-Level Tokens, switch on Socket Mode, set SLACK_APP_TOKEN.',
      },
    ];
  try {
    await createWeb(options.appToken, options).apps.connections.open({});
    return [{ level: 'ok', what: 'Slack: Socket Mode can be opened.' }];
  } catch (error) {
    return [
      {
        level: 'error',
        what: `Slack: Socket Mode cannot be opened. ${explain(error).words}`,
        hint: 'Switch on Socket Mode for the app and set SLACK_APP_TOKEN to an App-Level Token (xapp-…) with connections:write.',
      },
    ];
  }
}
