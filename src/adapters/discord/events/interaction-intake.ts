// Slash commands and pressed buttons, on their way to the sink.
import type { Client } from 'discord.js';
import { explain } from '#adapters/discord/calls/explain.ts';
import { type ChannelRef, channelContextOf } from '#adapters/discord/rooms/channel-context.ts';
import type { ReadyClient } from '#adapters/discord/shards/ready-client.ts';
import { answerPress, type PressPayload, pressPayloadSchema, readPress } from './choices.ts';
import { waitingLimit } from './intake.ts';
import type { EventLanes } from './lanes.ts';
import {
  deferredOf,
  isRegisteredCommand,
  isSlashCommand,
  isWhereTheBotIs,
  readSlash,
  type SlashPayload,
  slashPayload,
} from './read-interaction.ts';
import { channelRefOf, type ReceiveOptions } from './receive-options.ts';

interface InteractionIntake {
  /** Takes a slash command or a pressed button; ignores any other interaction. */
  take(data: unknown, client: Client): void;
}

/** The interactions of one shard; in the lane of the channel that `closeGap` is called for. */
export function createInteractionIntake(
  { sink, rest, deferred, log, signal }: ReceiveOptions,
  {
    lanes,
    readyClient,
    closeGap,
  }: { lanes: EventLanes; readyClient: ReadyClient; closeGap: (ref: ChannelRef) => void },
): InteractionIntake {
  /** In the channel's lane like the typed command that it stands for; what is not accepted is not acknowledged either. */
  const onSlash = (slash: SlashPayload, client: Client): void => {
    const ref = channelRefOf(slash, client);
    const { channelID } = ref;
    closeGap(ref);
    if (
      !isRegisteredCommand(slash) ||
      !isWhereTheBotIs(slash) ||
      lanes.waiting(channelID) >= 2 * waitingLimit
    ) {
      log.warn({ channel: channelID, command: slash.data.name }, 'slash command not taken');
      return;
    }
    const saved = Promise.withResolvers<void>();
    lanes.push(channelID, async () => {
      const event = readSlash(slash, await channelContextOf(await readyClient.get(), ref));
      if (event !== undefined) await sink.accept(event);
      saved.resolve();
    });
    deferred.defer(deferredOf(slash), saved.promise, signal);
  };

  /** Passes what waits in its channel's lane: anyone who pressed is to be answered within three seconds. */
  const onPress = (press: PressPayload, client: Client): void => {
    const ref = channelRefOf(press, client);
    const settle = (words: string | undefined): void => {
      answerPress(rest, press, words).catch((error: unknown) => {
        log.warn({ interaction: press.id, words: explain(error).words }, 'a press was not answered');
      });
    };
    lanes.push(`press ${press.id}`, async () => {
      const event = readPress(press, await channelContextOf(await readyClient.get(), ref), settle);
      if (event !== undefined) await sink.accept(event);
    });
  };

  return {
    take(data, client) {
      if (isSlashCommand(data)) return onSlash(slashPayload.parse(data), client);
      const press = pressPayloadSchema.safeParse(data);
      if (press.success) onPress(press.data, client);
    },
  };
}
