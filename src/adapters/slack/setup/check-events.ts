// Whether Slack reports to the app what people write: no method lists an app's event subscriptions, so what was written is checked against what came. For the doctor.
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { ConnectionInfo, Finding } from '#adapters/gateway/terms/channel.ts';
import { reactionEvents } from '#adapters/slack/codecs/reactions.ts';
import { farewells } from '#adapters/slack/codecs/uninstalled.ts';

/** The bot event for messages in each kind of conversation, as `users.conversations` names the kinds. */
const eventOf = {
  im: 'message.im',
  public_channel: 'message.channels',
  private_channel: 'message.groups',
  mpim: 'message.mpim',
} as const;
/** Every bot event that the app subscribes to: messages, reactions, what ends or begins someone's reading of a room, new names, and the end of the app. */
export const usedEvents: readonly string[] = [
  'app_mention',
  ...Object.values(eventOf),
  'member_joined_channel',
  'member_left_channel',
  'channel_left',
  'group_left',
  'channel_shared',
  'channel_unshared',
  'channel_rename',
  'group_rename',
  'team_rename',
  'user_change',
  'team_join',
  ...reactionEvents,
  ...farewells,
];
type Kind = keyof typeof eventOf;

/** Conversations of each kind that are looked into: a call each. */
const maxOfKind = 5;
/** An event may take so long to arrive. */
const onItsWayMs = 5_000;

const conversations = z.object({
  channels: z.array(z.object({ id: z.string(), name: z.string().optional() })),
});
const history = z.object({
  messages: z.array(
    z.object({
      ts: z.string(),
      user: z.string().optional(),
      bot_id: z.string().nullish(),
      subtype: z.string().optional(),
    }),
  ),
});

/**
 * Findings for a bot that is connected by Socket Mode: an error for each kind of conversation in which a person wrote while
 * it was connected and after anything last came in. What may not be read is skipped: its scope is named elsewhere.
 */
export async function checkEvents(
  web: WebClient,
  { sinceMs, lastInboundMs = 0 }: Extract<ConnectionInfo, { connected: true }>,
): Promise<Finding[]> {
  const deafSince = Math.max(sinceMs, lastInboundMs) + onItsWayMs;
  const findings: Finding[] = [];
  for (const kind of Object.keys(eventOf) as Kind[]) {
    const missed = await missedIn(web, kind, deafSince).catch(() => undefined);
    if (missed === undefined) continue;
    findings.push({
      level: 'error',
      what: `Slack: what was written in ${missed.name} at ${clockTime(missed.atMs)} UTC never came: the app does not hear ${eventOf[kind]}.`,
      hint: `Open api.slack.com/apps, your app, Event Subscriptions, Subscribe to bot events, add ${eventOf[kind]} and save; then Reinstall to Workspace.`,
    });
  }
  return findings;
}

async function missedIn(
  web: WebClient,
  kind: Kind,
  deafSince: number,
): Promise<{ name: string; atMs: number } | undefined> {
  const listed = await web.users.conversations({ types: kind, limit: maxOfKind, exclude_archived: true });
  for (const { id, name } of conversations.parse(listed).channels.slice(0, maxOfKind)) {
    const page = history.parse(await web.conversations.history({ channel: id, limit: 15 }));
    for (const message of page.messages) {
      const atMs = Number(message.ts) * 1000;
      const byPerson = message.user !== undefined && !message.bot_id && message.subtype === undefined;
      if (byPerson && atMs > deafSince)
        return { name: name === undefined ? 'a direct message' : `#${name}`, atMs };
    }
  }
  return undefined;
}

function clockTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 16);
}
