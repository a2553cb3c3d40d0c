// The Discord account as the gateway's contract has it: the pieces of this folder, put together. It has no logic of its own.
import type { Client } from 'discord.js';
import { createReceiver } from '#adapters/discord/events/receive.ts';
import { readEarlierMessages, threadBefore } from '#adapters/discord/events/thread-history.ts';
import { createNameLook } from '#adapters/discord/rooms/name-look.ts';
import { createRights } from '#adapters/discord/rooms/rights.ts';
import { createAskGateway } from '#adapters/discord/shards/gateway-info.ts';
import { runShards } from '#adapters/discord/shards/run-shards.ts';
import { type Shard, type ShardsWanted, shardIDOf } from '#adapters/discord/shards/sharding.ts';
import type { Channel, DocumentedRate, RateLimitHeaders } from '#adapters/gateway/terms/channel.ts';
import { createPlatformTime } from '#adapters/gateway/terms/platform-time.ts';
import { renderDiscord } from '#adapters/text/discord.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage, hintOf } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { answerBudget } from './calls/budgets.ts';
import { explain } from './calls/explain.ts';
import { createRest } from './calls/rest.ts';
import { checkDiscord } from './check.ts';
import { createDeferredReplies } from './events/deferred-replies.ts';
import { openFile } from './open-file.ts';
import { createOutbound, ephemeralFor, markRepeat, withChoices } from './outbound.ts';

interface DiscordChannelOptions {
  token: string;
  /** Base of the REST API, without the version; Discord's own when absent. The gateway's URL comes from there. */
  apiUrl?: string | undefined;
  /** Calls of all routes that Discord grants this bot in a second; its usual 50 when absent. */
  callsPerSecond?: number | undefined;
  /** Whether a mention in a room is answered in a thread that is opened at it; in the room unless set otherwise. */
  replyInThread?: boolean | undefined;
  /** Whether Discord shows pages below the links in the bot's messages; it does not when absent. */
  linkPreviews?: boolean | undefined;
  /** Which connections this process has; all that Discord recommends unless set otherwise. */
  shards?: ShardsWanted | undefined;
  clock: Clock;
  log: Log;
  /** A connection that is not ready for this long is replaced; 60 s by default. */
  readyTimeoutMs?: number | undefined;
}

/** A channel's edits share a bucket of usually five in five seconds, and all calls the bot's own. */
const editGapMs = 3000;

/** One file of a bot in a server without boosts ("Uploading Files"); boosted servers take more. */
const fileLimit = 10 * 1024 * 1024;

/** The limit that Discord documents besides its headers: one over all routes, for each second. */
const globalPace = (calls: number): DocumentedRate => ({
  acts: ['send', 'edit', 'remove', 'live', 'typing', 'react'],
  per: 'account',
  calls,
  perMs: 1000,
});
const usualCallsPerSecond = 50;

/** A channel over discord.js; nothing is connected before `run`, while sends work without it. */
export function createDiscordChannel(options: DiscordChannelOptions): Channel {
  const { token, apiUrl, clock, log, readyTimeoutMs = 60_000 } = options;
  const { shards: wanted = 'automatic', replyInThread: mentions = false } = options;
  const rest = createRest({ token, apiUrl, callsPerSecond: options.callsPerSecond, clock });
  const deferred = createDeferredReplies({ rest, clock, log });
  const ask = createAskGateway(rest, clock);
  const connected = new Map<number, { shard: Shard; client: Client<true> }>();
  /** The connected client that hears of a server. */
  const clientOf = (guildID: string | undefined): Client<true> | undefined => {
    for (const { shard, client } of connected.values())
      if (shardIDOf(guildID, shard.of) === shard.id) return client;
    return undefined;
  };
  const learners = new Set<(budget: RateLimitHeaders) => void>();
  const time = createPlatformTime(clock);
  /** For what happened on Discord. */
  const discordClock: Clock = { ...clock, now: () => time.now() ?? clock.now() };
  rest().on('response', (request, response) => {
    time.received(response.headers.get('date'));
    const budget = answerBudget(request, response);
    if (budget !== undefined) for (const learn of learners) learn(budget);
  });
  return {
    platform: 'discord',
    caps: {
      editGapMs: { dm: editGapMs, group: editGapMs, channel: editGapMs },
      typingMs: 10_000,
      idempotentSend: true,
      splitsAt: 2_000,
      // a nonce is checked against "the past few minutes"
      idempotentForMs: 120_000,
      files: { limitBytes: fileLimit },
      pace: [globalPace(options.callsPerSecond ?? usualCallsPerSecond)],
      threadsLimitedAlone: true,
    },
    async run(sink, signal) {
      sink.report('connecting');
      try {
        await runShards(
          {
            ...{ token, apiUrl, clock, log, readyTimeoutMs, wanted, ask },
            report: sink.report,
            cursor: sink.cursor,
            alive: () => sink.alive(),
            receiver: (shard, running) =>
              createReceiver({
                ...{ sink, rest, deferred, clock: discordClock, log, shard },
                signal: running,
                replyInThread: mentions,
              }),
            connected(shard, client) {
              if (client === undefined) connected.delete(shard.id);
              else connected.set(shard.id, { shard, client });
            },
          },
          signal,
        );
        sink.report('stopped');
      } catch (error) {
        const hint = hintOf(error);
        sink.report('failed', [errorMessage(error), hint].filter((words) => words !== undefined).join(' '));
        throw error;
      }
    },
    render: (markdown) => renderDiscord(markdown, { linkPreviews: options.linkPreviews }),
    ephemeralFor,
    markRepeat,
    withChoices,
    ...createOutbound(rest, { deferred, clock, linkPreviews: options.linkPreviews ?? false }),
    budgets(listener) {
      learners.add(listener);
      return () => learners.delete(listener);
    },
    earlier: (address, before, signal) => readEarlierMessages(rest, address, { ...before, signal }),
    thread: (address, before, signal) => threadBefore(rest, address, { ...before, signal }),
    now: time.now,
    placeNames: createNameLook(clientOf),
    rights: createRights({ rest, now: discordClock.now, connected: clientOf }),
    open: (file, limitBytes, signal) => openFile(rest, { file, limitBytes, signal, apiUrl }),
    explain,
    check: (standing, rooms = []) =>
      checkDiscord(rest, { clock, replyInThread: mentions, wanted, standing, rooms }),
  };
}
