// The Events API payloads of what happens in the workspace. Pure; the socket delivers them.

import { messageShape } from '#sandbox/slack/world/shapes.ts';
import { app, bot, organisation, type Room, team } from '#sandbox/slack/world/workspace.ts';
import type { Stored, Wire, World } from '#sandbox/slack/world/world.ts';
import type { Counter } from '#sandbox/store.ts';

/** Which of `app_mention` and `message` comes first: Slack promises nothing. */
export type MentionOrder = 'mention first' | 'message first' | 'alternating';

/** The callback around an event, with a new event id. */
export function callback(
  event: Wire,
  { ids, room, install }: { ids: Counter; room: Room | undefined; install: World['install'] },
): Wire {
  const isOrganisation = install === 'organisation';
  const where = room?.team ?? team.id;
  return {
    token: 'sandbox-verification-token',
    team_id: where,
    // on events of an organisation's workspaces (docs.slack.dev/enterprise, "Events API")
    ...(isOrganisation ? { enterprise_id: organisation.id, context_team_id: where } : {}),
    api_app_id: app.id,
    event,
    type: 'event_callback',
    event_id: `Ev${String(ids.next()).padStart(8, '0')}`,
    event_time: Math.floor(Number(event.event_ts)),
    authorizations: [
      {
        ...(isOrganisation ? { enterprise_id: organisation.id, team_id: null } : { team_id: team.id }),
        user_id: bot.user,
        is_bot: true,
        is_enterprise_install: isOrganisation,
      },
    ],
    is_ext_shared_channel: room?.shared === true,
    event_context: 'sandbox-context',
  };
}

/** What a new message causes: `message`, and `app_mention` too when it names the bot in a channel. */
export function postedEvents(world: World, message: Stored, mention: 'first' | 'last'): Wire[] {
  const plain = { ...messageShape(world, message), ...place(message.room, message.ts) };
  const mentioned = mentionEvent(world, message, message.ts);
  if (mentioned === undefined) return [plain];
  return mention === 'first' ? [mentioned, plain] : [plain, mentioned];
}

/** What an edit or an unfurl causes. `eventTs` is the moment of the change; an edit re-fires `app_mention`. */
export function changedEvents(
  world: World,
  change: { before: Wire; after: Stored; kind: 'edit' | 'unfurl' },
  eventTs: string,
): Wire[] {
  const { before, after, kind } = change;
  const changed: Wire = {
    type: 'message',
    subtype: 'message_changed',
    hidden: true,
    message: messageShape(world, after),
    previous_message: before,
    ts: eventTs,
    ...place(after.room, eventTs),
  };
  const mentioned = kind === 'edit' ? mentionEvent(world, after, eventTs) : undefined;
  return mentioned === undefined ? [changed] : [changed, mentioned];
}

export function deletedEvent(world: World, message: Stored, eventTs: string): Wire {
  return {
    type: 'message',
    subtype: 'message_deleted',
    hidden: true,
    deleted_ts: message.ts,
    previous_message: messageShape(world, message),
    ts: eventTs,
    ...place(message.room, eventTs),
  };
}

/** What the stop button of a streamed message causes. */
export function stoppedEvent(message: Stored, user: string, eventTs: string): Wire {
  return {
    type: 'agent_session_stopped',
    channel: message.room.id,
    user,
    thread_ts: message.thread ?? message.ts,
    streaming_message_ts: [message.ts],
    event_ts: eventTs,
  };
}

function place(room: Room, eventTs: string): Wire {
  return { channel: room.id, event_ts: eventTs, channel_type: room.kind };
}

function mentionEvent(world: World, message: Stored, eventTs: string): Wire | undefined {
  const named = message.text.includes(`<@${bot.user}>`);
  if (!named || message.room.kind === 'im' || message.user === bot.user) return undefined;
  const { parent_user_id: _, attachments: __, files: ___, ...shape } = messageShape(world, message);
  return { ...shape, type: 'app_mention', channel: message.room.id, event_ts: eventTs };
}
