// An installation for a whole organisation (Enterprise Grid): one bot in many workspaces. Which they are, and how its people are named.
import { z } from 'zod';
import type { ReadCall } from '#adapters/slack/calls/calls.ts';
import type { SlackChannel } from '#adapters/slack/calls/wire.ts';
import type { Identity } from './change.ts';

const pageSchema = z.object({
  teams: z.array(z.object({ id: z.string(), name: z.string().nullish() })).default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).nullish(),
});
/** Pages of auth.teams.list: 10 000 workspaces. */
const maxPages = 10;

/** The workspaces that the organisation lets the app into, with their names (docs.slack.dev, auth.teams.list). */
export async function workspacesOf(call: ReadCall, signal: AbortSignal): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let cursor: string | undefined;
  for (let pages = 1; pages <= maxPages; pages += 1) {
    const args = { limit: 1000, cursor };
    const page = await call({ method: 'auth.teams.list', args, schema: pageSchema }, signal);
    for (const { id, name } of page.teams) found.set(id, name ?? '');
    cursor = page.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) break;
  }
  return found;
}

/** Whether an account (`Address.account`) is an organisation's: such ids begin with an E, those of workspaces with a T. */
export function isOrganisation(owner: string): boolean {
  return owner.startsWith('E');
}

/**
 * `Actor.id`. People of the organisation have one id in all of its workspaces (docs.slack.dev/enterprise), and are named by the
 * organisation, so that each is one person; everyone else is named by the workspace that they come from.
 */
export function actorIDOf(
  { team: own, workspaces }: Pick<Identity, 'team' | 'workspaces'>,
  { team, user }: { team: string | null | undefined; user: string },
): string {
  const isInside = team == null || workspaces?.has(team) === true;
  return `${isInside ? own : team}/${user}`;
}

/**
 * The workspace of the bot's organisation that a channel belongs to, the same whichever workspace it is seen from: its host, unless that
 * may be someone else's (Slack Connect), or the first of those of the organisation that share it.
 */
export function homeWorkspaceOf(channel: SlackChannel): string | undefined {
  const { conversation_host_id: host, internal_team_ids: inside, context_team_id: seenFrom } = channel;
  if (channel.is_ext_shared !== true && host?.startsWith('T') === true) return host;
  const [first] = (inside ?? []).filter((id) => id.startsWith('T')).sort();
  return first ?? seenFrom ?? undefined;
}

/** The account's id within Slack, of `Actor.id`. */
export function userIDOf(actorID: string): string {
  return actorID.split('/').at(-1) ?? actorID;
}
