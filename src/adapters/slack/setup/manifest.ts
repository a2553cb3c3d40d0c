// The app manifest: what an app of Slack's must be allowed, told and shown for this bot, from the lists that the doctor checks. Not a check.
import type { Json } from '#base/json.ts';
import { usedScopes } from './check.ts';
import { usedEvents } from './check-events.ts';

/** `agent`: Slack shows direct messages as chats, each a thread of its own. Once an app is an agent, Slack does not take that back. */
export type AppKind = 'bot' | 'agent';

interface ManifestOptions {
  /** Up to 35 characters, by Slack's schema. */
  name: string;
  kind: AppKind;
  /** `organisation`: it can be installed for all of one. An app that once can does not go back (docs.slack.dev/enterprise). */
  reach?: 'workspace' | 'organisation' | undefined;
}

/** What an app that is an agent needs in addition. */
export const agentScope = 'assistant:write';
const agentEvent = 'agent_session_stopped';
const description = 'One assistant on Discord, Telegram and Slack, with a memory that lasts.';

/**
 * The app manifest for Parley's scopes and events (docs.slack.dev/reference/app-manifest; github.com/slackapi/manifest-schema, version
 * 2).
 */
export function slackManifest({ name, kind, reach }: ManifestOptions): { [key: string]: Json } {
  const isAgent = kind === 'agent';
  return {
    _metadata: { major_version: 2, minor_version: 1 },
    display_information: { name, description },
    features: {
      app_home: {
        home_tab_enabled: false,
        messages_tab_enabled: true,
        messages_tab_read_only_enabled: false,
      },
      bot_user: { display_name: name, always_online: true },
      ...(isAgent ? { agent_view: { agent_description: description } } : {}),
      slash_commands: [
        {
          command: '/parley',
          description: 'Runs a command of the assistant, or says something to it',
          usage_hint: '[help | status | stop | new | ...]',
          should_escape: false,
        },
      ],
    },
    oauth_config: {
      scopes: { bot: [...usedScopes, 'commands', ...(isAgent ? [agentScope] : [])].sort() },
    },
    settings: {
      event_subscriptions: { bot_events: [...usedEvents, ...(isAgent ? [agentEvent] : [])].sort() },
      interactivity: { is_enabled: true },
      org_deploy_enabled: reach === 'organisation',
      socket_mode_enabled: true,
      token_rotation_enabled: false,
    },
  };
}

/** The address of Slack's page that creates an app from the manifest; the page asks for the workspace. */
export function manifestLink(manifest: Json): string {
  const json = encodeURIComponent(JSON.stringify(manifest));
  return `https://api.slack.com/apps?new_app=1&manifest_json=${json}`;
}
