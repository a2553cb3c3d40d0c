// Reactions of people to messages of the bot's, each behind the messages of its channel that came before.
import { type Client, GatewayDispatchEvents } from 'discord.js';
import { type ReactionPayload, reactionPayload } from '#adapters/discord/payloads/payload.ts';
import { channelContextOf } from '#adapters/discord/rooms/channel-context.ts';
import type { ReadyClient } from '#adapters/discord/shards/ready-client.ts';
import type { Actor, Sink } from '#adapters/gateway/terms/inbound.ts';
import { emojiOf } from '#adapters/text/emoji.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log/log.ts';
import { waitingLimit } from './intake.ts';
import type { EventLanes } from './lanes.ts';
import { channelRefOf } from './receive-options.ts';

type ReactionDispatch =
  | GatewayDispatchEvents.MessageReactionAdd
  | GatewayDispatchEvents.MessageReactionRemove;

export interface Reactions {
  /** Takes a dispatch in; returns at once. Throws what a payload of another shape throws. */
  take(name: ReactionDispatch, data: unknown, client: Client): void;
}

/** The reactions that one shard reports. */
export function createReactions(options: {
  sink: Sink;
  lanes: EventLanes;
  readyClient: ReadyClient;
  clock: Clock;
  log: Log;
}): Reactions {
  const { sink, lanes, readyClient, clock, log } = options;
  return {
    take(name, data, client) {
      const payload = reactionPayload.parse(data);
      const own = client.user?.id;
      const { message_author_id: author = own, message_id: nativeID } = payload;
      if (payload.user_id === own || author !== own) return;
      const ref = channelRefOf(payload, client);
      if (lanes.waiting(ref.channelID) >= 2 * waitingLimit) {
        log.warn({ channel: ref.channelID }, 'too many events wait: a reaction was given up');
        return;
      }
      const at = clock.now();
      const changed = [emojiOf(payload.emoji.name ?? '')];
      const [added, removed] =
        name === GatewayDispatchEvents.MessageReactionAdd ? [changed, []] : [[], changed];
      lanes.push(ref.channelID, async () => {
        const ready = await readyClient.get();
        const { address } = await channelContextOf(ready, ref);
        const actor = actorOf(payload, ready);
        await sink.accept({ type: 'reaction', address, nativeID, at, actor, added, removed });
      });
    },
  };
}

function actorOf({ user_id: id, member }: ReactionPayload, { users }: Client): Actor {
  const user = member?.user;
  const cached = users.cache.get(id);
  const name = member?.nick ?? user?.global_name ?? user?.username ?? cached?.displayName ?? id;
  return { id, name, isBot: user?.bot ?? cached?.bot ?? false };
}
