// From one shard's packets to the sink: which lane each takes, and what it is read as.
import { type Client, GatewayDispatchEvents } from 'discord.js';
import { z } from 'zod';
import type { InboundEvent, Sink } from '#adapters/gateway/inbound.ts';
import type { Clock } from '#base/clock.ts';
import { formatZodError } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { offerCommands } from './app-commands.ts';
import { type ChannelContext, type ChannelRef, glimpseOf, placeOf } from './channel-context.ts';
import { answerPress, type PressPayload, pressPayload, readPress } from './choices.ts';
import type { DeferredReplies } from './deferred-replies.ts';
import { explain } from './explain.ts';
import { createGuildWatch } from './guild-watch.ts';
import { createIntake, waitingLimit } from './intake.ts';
import { createLanes } from './lanes.ts';
import {
  bulkDeletePayload,
  deletePayload,
  dispatch,
  guildPayload,
  messagePayload,
  previewPayload,
  updatePayload,
} from './payload.ts';
import {
  deferredOf,
  isOffered,
  isSlashCommand,
  isWhereTheBotIs,
  readSlash,
  type SlashPayload,
  slashPayload,
} from './read-interaction.ts';
import { readEdit, readPreview } from './read-message.ts';
import { createReadyClient } from './ready-client.ts';
import type { Rest } from './rest.ts';
import { createSessionNotes } from './session-notes.ts';
import { type Shard, shardIDOf } from './sharding.ts';

/** Edits that are remembered, to distinguish an edit from a later preview of a link in the same message. */
const keptEdits = 1000;

export interface Receive {
  sink: Sink;
  rest: Rest;
  deferred: DeferredReplies;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
  replyInThread: boolean;
  shard: Shard; // the first one also registers the commands
}

export interface Receiver {
  /** Takes a dispatch of the gateway before the client applies it; returns at once. */
  packet(packet: unknown, client: Client): void;
  /** Takes a dispatch of an earlier session, for the messages that came since. */
  missed(packet: unknown): void;
  /** A client's caches are whole: fetches what chats missed since their cursors, if the session is new. */
  ready(client: Client<true>): void;
  idle(): Promise<void>;
}

export function createReceiver(options: Receive): Receiver {
  const { sink, rest, deferred, clock, log, signal, replyInThread, shard } = options;
  const lanes = createLanes({ clock, log, signal });
  const readyClient = createReadyClient(signal);
  const watch = createGuildWatch({ sink, lanes, readyClient, clock });
  const intake = createIntake({
    ...{ sink, rest, lanes, readyClient, replyInThread, signal },
    tellAgain: watch.tellAgain,
  });
  const notes = createSessionNotes({ sink, lanes, shard, clock, log, signal });
  const edits = new Map<string, string>();
  let session = 0;
  /** The last session that a client was ready in. */
  let begun = 0;
  let commands = shard.id !== 0;

  const onOther = (ref: ChannelRef, event: (place: ChannelContext) => InboundEvent | undefined): void => {
    intake.closeGap(ref);
    if (lanes.waiting(ref.channelID) >= 2 * waitingLimit) {
      log.warn({ channel: ref.channelID }, 'too many events wait: an edit or a delete was given up');
      return;
    }
    lanes.push(ref.channelID, async () => {
      const read = event(await placeOf(await readyClient.get(), ref));
      if (read !== undefined) await sink.accept(read);
    });
  };

  /** In the channel's lane like the typed command that it represents; what is not accepted is not acknowledged either. */
  const onSlash = (slash: SlashPayload, client: Client): void => {
    const ref = refOf(slash, client);
    const { channelID } = ref;
    intake.closeGap(ref);
    if (!isOffered(slash) || !isWhereTheBotIs(slash) || lanes.waiting(channelID) >= 2 * waitingLimit) {
      log.warn({ channel: channelID, command: slash.data.name }, 'slash command not taken');
      return;
    }
    const saved = Promise.withResolvers<void>();
    lanes.push(channelID, async () => {
      const event = readSlash(slash, await placeOf(await readyClient.get(), ref));
      if (event !== undefined) await sink.accept(event);
      saved.resolve();
    });
    deferred.defer(deferredOf(slash), saved.promise, signal);
  };

  /** Passes what waits in its channel's lane: anyone who pressed is to be answered within three seconds. */
  const onPress = (press: PressPayload, client: Client): void => {
    const ref = refOf(press, client);
    const settle = (words: string | undefined): void => {
      answerPress(rest, press, words).catch((error: unknown) => {
        log.warn({ interaction: press.id, words: explain(error).words }, 'a press was not answered');
      });
    };
    lanes.push(`press ${press.id}`, async () => {
      const event = readPress(press, await placeOf(await readyClient.get(), ref), settle);
      if (event !== undefined) await sink.accept(event);
    });
  };

  const onUpdate = (data: unknown, client: Client): void => {
    const { id, edited_timestamp: editedAt } = updatePayload.parse(data);
    if (editedAt === undefined || editedAt === null || edits.get(id) === editedAt) {
      const changed = previewPayload.parse(data);
      if (changed.embeds.length > 0) onOther(refOf(changed, client), (place) => readPreview(changed, place));
      return;
    }
    edits.delete(id);
    edits.set(id, editedAt);
    for (const oldest of edits.keys()) if (edits.size > keptEdits) edits.delete(oldest);
    const message = messagePayload.parse(data);
    onOther(refOf(message, client), (place) => readEdit(message, place));
  };

  const onDeletes = (ids: readonly string[], ref: ChannelRef): void => {
    const at = clock.now();
    for (const nativeID of ids) onOther(ref, ({ address }) => ({ type: 'delete', address, nativeID, at }));
  };

  const onDispatch = (name: string, data: unknown, client: Client): void => {
    watch.packet(name, data, client);
    switch (name) {
      case GatewayDispatchEvents.Ready:
        session += 1;
        intake.begin();
        readyClient.clear();
        return;
      case GatewayDispatchEvents.GuildCreate: {
        const { channels, threads } = guildPayload.parse(data);
        for (const { id, last_message_id: last } of [...channels, ...threads])
          if (typeof last === 'string') intake.last(id, last);
        return;
      }
      case GatewayDispatchEvents.MessageCreate: {
        const message = messagePayload.parse(data);
        intake.take(refOf(message, client), message);
        return;
      }
      case GatewayDispatchEvents.InteractionCreate:
        if (isSlashCommand(data)) onSlash(slashPayload.parse(data), client);
        else {
          const press = pressPayload.safeParse(data);
          if (press.success) onPress(press.data, client);
        }
        return;
      case GatewayDispatchEvents.MessageUpdate:
        onUpdate(data, client);
        return;
      case GatewayDispatchEvents.MessageDelete: {
        const deleted = deletePayload.parse(data);
        onDeletes([deleted.id], refOf(deleted, client));
        return;
      }
      case GatewayDispatchEvents.MessageDeleteBulk: {
        const deleted = bulkDeletePayload.parse(data);
        onDeletes(deleted.ids, refOf(deleted, client));
        return;
      }
      default:
    }
  };

  const read = (packet: unknown, take: (found: z.infer<typeof dispatch>) => void): void => {
    const found = dispatch.safeParse(packet);
    if (!found.success) return;
    try {
      take(found.data);
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      log.warn(
        { event: found.data.t, unexpected: formatZodError(error) },
        'discord payload has another form',
      );
    }
  };

  return {
    packet(packet, client) {
      read(packet, ({ t, d, s }) => {
        if (t === GatewayDispatchEvents.Ready) notes.begin(d, s ?? 0);
        onDispatch(t, d, client);
      });
      const { data } = dispatch.safeParse(packet);
      if (typeof data?.s === 'number') notes.seen(data.s);
    },
    missed(packet) {
      read(packet, ({ t, d }) => {
        if (t !== GatewayDispatchEvents.MessageCreate) return;
        const message = messagePayload.parse(d);
        // who could read it when it was written is not known
        intake.takeMissed({ channelID: message.channel_id, guildID: message.guild_id }, message);
      });
    },
    ready(client) {
      readyClient.set(client);
      notes.ready();
      if (!commands) {
        commands = true;
        lanes.push('commands', () => offerCommands({ rest, log }, client.application.id, signal));
      }
      for (const channel of client.channels.cache.values())
        if (channel.isTextBased() && !channel.isDMBased() && channel.lastMessageId !== null)
          intake.closeGap({ channelID: channel.id, guildID: channel.guildId });
      const isNew = begun !== session;
      begun = session;
      lanes.push('', async () => {
        const chats = (await sink.chats()).filter(
          ({ account, space }) => account === client.user.id && shardIDOf(space, shard.of) === shard.id,
        );
        for (const { space, chat, thread } of chats)
          intake.closeGap({ channelID: thread ?? chat, guildID: space });
        // A session that was resumed has missed nothing.
        if (isNew) watch.begin(client, chats);
      });
    },
    async idle() {
      await lanes.idle();
      await deferred.idle();
      await notes.over;
    },
  };
}

/** Where an event is, with what is known of the channel as it comes: by the time it is accepted, that may have changed. */
function refOf(payload: { channel_id: string; guild_id?: string | undefined }, client: Client): ChannelRef {
  const { channel_id: channelID, guild_id: guildID } = payload;
  return { channelID, guildID, when: glimpseOf(client, channelID) };
}
