// Runs the connections of this process, each with its own client and receiver, so that none of them waits for another.
//
// One client of discord.js could hold all shards, but it holds back what every shard hears until all of them were ready once, and
// ends all of them when the login of one fails.
import type { Client } from 'discord.js';
import { explain, noSessionsNotice, triedAgain } from '#adapters/discord/calls/explain.ts';
import type { Sink } from '#adapters/gateway/terms/inbound.ts';
import { ParleyError } from '#base/errors.ts';
import { retry, unlessAborted } from '#base/waiting/retry.ts';
import { parseNote, resumeEarlier, sessionCursor } from './earlier-session.ts';
import { createIdentifyGate, type IdentifyGate } from './identify-gate.ts';
import { tokenRefusal } from './refusal-words.ts';
import { createShardBoard, type ShardBoard } from './shard-board.ts';
import { planShards, type Shard, type ShardPlan, type ShardsWanted } from './sharding.ts';
import { backoff, type Supervise, superviseConnection } from './supervise.ts';

/** What is heard on one shard. */
export interface Receiver {
  /** Takes a dispatch of the gateway before the client applies it; returns at once. */
  packet(packet: unknown, client: Client): void;
  /** Takes a dispatch of an earlier session, for the messages that came since. */
  missed(packet: unknown): void;
  /** A client's caches are whole: fetches what chats missed since their cursors, if the session is new. */
  ready(client: Client<true>): void;
  idle(): Promise<void>;
}

interface RunShards
  extends Omit<Supervise, 'shard' | 'bucket' | 'gate' | 'packet' | 'earlier' | 'ready' | 'reconnecting'> {
  wanted: ShardsWanted;
  cursor: Sink['cursor'];
  report: Parameters<typeof createShardBoard>[1];
  /** A receiver for what a shard hears; its work ends with the signal. */
  receiver(shard: Shard, signal: AbortSignal): Receiver;
  /** The shard's caches are whole, or it is not connected any more. */
  connected(shard: Shard, client: Client<true> | undefined): void;
}

/**
 * Runs until the signal aborts, which resolves; rejects with a ParleyError when Discord refuses any of the shards permanently. When
 * Discord decides the number of shards and now wants more, all of them are started again, at least one more than before.
 */
export async function runShards(options: RunShards, signal: AbortSignal): Promise<void> {
  const gate = createIdentifyGate(options.clock);
  let least = 1;
  for (;;) {
    const plan = await planWithRetries(options, least, signal);
    if (plan === undefined) return;
    try {
      return await runPlan(options, { plan, gate }, signal);
    } catch (error) {
      const tooFew = error instanceof ParleyError && error.code === 'discord_sharding';
      if (!tooFew || options.wanted !== 'automatic') throw error;
      options.report('reconnecting', 'Discord now wants more shards; all are started again.');
      least = plan.shards.length + 1;
    }
  }
}

/**
 * The shards by Discord's answer, once all of them may be begun: Discord resets the token of a bot that begins more
 * connections in a day than it grants. Undefined when the signal aborts first.
 */
async function planWithRetries(
  { ask, report, clock, wanted }: RunShards,
  least: number,
  signal: AbortSignal,
): Promise<ShardPlan | undefined> {
  const planned = retry(
    { clock, pauses: backoff, signal },
    async () => {
      const info = await ask.info(signal);
      const plan = planShards(wanted, { ...info, shards: Math.max(info.shards, least) });
      const { remaining, reset_after: resetMs } = info.session_start_limit;
      if (remaining >= plan.shards.length) return plan;
      const words = noSessionsNotice(new Date(clock.now() + resetMs).toISOString());
      throw new ParleyError('discord_no_sessions', words);
    },
    (error, { waitMs }) => {
      const isOfSessions = error instanceof ParleyError && error.code === 'discord_no_sessions';
      const {
        kind,
        words,
        retryAfterMs = 0,
      } = isOfSessions ? { kind: 'transient', words: error.message } : explain(error);
      if (kind === 'auth') throw tokenRefusal();
      report('reconnecting', triedAgain(words));
      return Math.max(retryAfterMs, waitMs);
    },
  );
  return unlessAborted(signal, planned);
}

async function runPlan(
  options: RunShards,
  { plan, gate }: { plan: ShardPlan; gate: IdentifyGate },
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const running = AbortSignal.any([signal, over.signal]);
  const board = createShardBoard(plan.shards, options.report);
  const runs = plan.shards.map((shard) =>
    runShard(options, { shard, board, gate, bucket: shard.id % plan.concurrency }, running),
  );
  try {
    await Promise.all(runs);
  } finally {
    over.abort();
    await Promise.allSettled(runs);
  }
}

async function runShard(
  options: RunShards,
  { shard, board, ...turn }: { shard: Shard; board: ShardBoard; gate: IdentifyGate; bucket: number },
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const running = AbortSignal.any([signal, over.signal]);
  const receiver = options.receiver(shard, running);
  try {
    await superviseConnection(
      {
        ...options,
        ...turn,
        shard,
        packet(packet, client) {
          options.alive();
          receiver.packet(packet, client);
        },
        async earlier(until) {
          const note = parseNote(await options.cursor(sessionCursor(shard)), shard);
          const { token, clock, log } = options;
          if (note === undefined) return undefined;
          return resumeEarlier({ note, token, clock, log, packet: receiver.missed }, until);
        },
        ready(client) {
          options.connected(shard, client);
          receiver.ready(client);
          board.ready(shard);
        },
        reconnecting(words) {
          options.connected(shard, undefined);
          board.away(shard, words);
        },
      },
      running,
    );
  } finally {
    options.connected(shard, undefined);
    over.abort();
    await receiver.idle();
  }
}
