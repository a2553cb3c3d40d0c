// Which events the app hears: those that it subscribed to and has the scope for, of conversations that the bot is in. Not their shapes.
import type { Room } from '#sandbox/slack/world/workspace.ts';
import type { Wire } from '#sandbox/slack/world/world.ts';

const prefixes: Record<Room['kind'], string> = {
  channel: 'channels',
  group: 'groups',
  mpim: 'mpim',
  im: 'im',
};

/** The name by which an app subscribes to an event: messages have one for each kind of conversation. */
function botEventOf({ type, channel_type: kind }: Wire): string {
  return type === 'message'
    ? `message.${kind === 'im' || kind === 'mpim' ? kind : `${kind}s`}`
    : String(type);
}

/** The scope that each event needs, by its page at docs.slack.dev/reference/events; undefined where none is. */
function scopeOf(event: Wire, room: Room | undefined): string | undefined {
  const prefix = room === undefined ? 'channels' : prefixes[room.kind];
  switch (event.type) {
    case 'message':
      return `${prefix}:history`;
    case 'reaction_added':
    case 'reaction_removed':
      return 'reactions:read';
    case 'app_mention':
      return 'app_mentions:read';
    case 'user_change':
    case 'team_join':
      return 'users:read';
    case 'team_rename':
      return 'team:read';
    case 'agent_session_stopped':
    case 'app_uninstalled':
    case 'tokens_revoked':
      return undefined;
    default:
      return `${prefix}:read`;
  }
}

export interface Hearing {
  /** Bot events that the app subscribed to; all when absent. */
  subscriptions?: readonly string[] | undefined;
  scopes: readonly string[];
}

/** Whether the app hears the event; `room` is its conversation. `channel_left` and `group_left` come although the bot is out. */
export function hears({ subscriptions, scopes }: Hearing, event: Wire, room: Room | undefined): boolean {
  const scope = scopeOf(event, room);
  return (
    (subscriptions?.includes(botEventOf(event)) ?? true) && (scope === undefined || scopes.includes(scope))
  );
}
