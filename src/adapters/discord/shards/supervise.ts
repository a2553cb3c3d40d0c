// Keeps the gateway connection of one shard up: makes clients, watches that they become ready, replaces those that do not. Reads no messages.
import { type Client, GatewayCloseCodes, type GatewayIntentBits } from 'discord.js';
import { explain, triedAgain } from '#adapters/discord/calls/explain.ts';
import { type Clock, type MonotonicMs, msSince } from '#base/clock.ts';
import { errorMessage, type ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { anySignal, backoffMs, createWaker, isAbort } from '#base/waiting/async.ts';
import { createDiscordClient } from './client.ts';
import type { EarlierSession } from './earlier-session.ts';
import type { AskGateway } from './gateway-info.ts';
import type { IdentifyGate } from './identify-gate.ts';
import { closeRefusal, loginRefusal } from './refusal-words.ts';
import type { Shard } from './sharding.ts';

/** Waiting before another client is made. */
export const backoff = { firstMs: 1000, capMs: 30_000 };
/**
 * A connection on which nothing is heard for this long is dead, whatever discord.js thinks of it: Discord has a heartbeat
 * answered every 41 s, so two are missing.
 */
const silenceMs = 100_000;

export interface Supervise {
  token: string;
  apiUrl: string | undefined;
  clock: Clock;
  log: Log;
  /** A client that is not ready for this long is replaced. */
  readyTimeoutMs: number;
  shard: Shard;
  ask: AskGateway;
  gate: IdentifyGate;
  /** Shards of one bucket identify one after the other. */
  bucket: number;
  packet(packet: unknown, client: Client): void;
  /** Resumes the session that was noted last, if any; resolves once what came since was passed on, or that is given up. */
  earlier(signal: AbortSignal): Promise<EarlierSession | undefined>;
  /** The client's caches are whole. */
  ready(client: Client<true>): void;
  /** The connection is gone, or the attempt failed; another one follows. */
  reconnecting(detail: string): void;
  alive(): void;
}

type End = { kind: 'lost' | 'withdrawn'; words: string; wasReady: 'yes' | 'no'; waitMs: number };

/** Runs until the signal aborts, which resolves; rejects with a ParleyError when Discord refuses permanently. */
export async function superviseConnection(options: Supervise, signal: AbortSignal): Promise<void> {
  let attempt = 0;
  /** Discord has just refused an intent that it said to grant. */
  let withdrawn = false;
  try {
    for (;;) {
      const end = await oneClient(options, { withdrawn }, signal);
      withdrawn = end.kind === 'withdrawn';
      attempt = end.wasReady === 'yes' ? 1 : attempt + 1;
      options.reconnecting(end.words);
      await options.clock.sleep(Math.max(end.waitMs, backoffMs(attempt, backoff)), signal);
    }
  } catch (error) {
    if (!isAbort(error, signal)) throw error;
  }
}

interface State {
  /** `queued`: other shards identify first, which takes as long as there are many of them. */
  phase: 'waiting' | 'queued' | 'ready';
  since: MonotonicMs;
  lastEventAt: MonotonicMs;
  wasReady: 'yes' | 'no';
  refusal?: ParleyError;
  /** Discord refused an intent that was granted as the client was made. */
  withdrawn?: true;
  loginError?: unknown;
}

async function oneClient(
  options: Supervise,
  { withdrawn }: { withdrawn: boolean },
  signal: AbortSignal,
): Promise<End> {
  const { clock, log } = options;
  const waker = createWaker();
  // until the new session begins, both hear what comes
  const earlier = await options.earlier(signal);
  const begun = clock.monotonic();
  const state: State = { phase: 'waiting', since: begun, lastEventAt: begun, wasReady: 'no' };
  let granted: readonly GatewayIntentBits[] = [];
  try {
    if (!withdrawn) granted = await options.ask.granted(signal);
  } catch (error) {
    earlier?.end();
    signal.throwIfAborted();
    return lostBy({ ...state, loginError: error });
  }
  const received = (): void => {
    state.lastEventAt = clock.monotonic();
  };
  const enter = (phase: State['phase']): void => {
    if (state.phase !== phase) Object.assign(state, { phase, since: clock.monotonic() });
    waker.wake();
  };
  const one = createDiscordClient({
    apiUrl: options.apiUrl,
    clock,
    shard: options.shard,
    ask: () => options.ask.info(signal),
    granted,
    async turn(turnSignal) {
      enter('queued');
      using within = anySignal(turnSignal, signal);
      await options.gate.wait(options.bucket, within.signal);
      options.ask.begun();
      enter('waiting');
    },
    events: {
      packet(packet, client) {
        received();
        options.packet(packet, client);
      },
      alive() {
        received();
        options.alive();
      },
      problem: (error) =>
        log.warn({ shard: options.shard.id, error: errorMessage(error) }, 'discord connection problem'),
      ready(client) {
        received();
        state.wasReady = 'yes';
        earlier?.end();
        options.ready(client);
        enter('ready');
      },
      lost() {
        if (state.phase === 'ready') options.reconnecting('The connection was closed.');
        enter('waiting');
      },
      refused(closeCode) {
        const dispensable = closeCode === GatewayCloseCodes.DisallowedIntents && granted.length > 0;
        if (dispensable) state.withdrawn = true;
        else state.refusal = closeRefusal(closeCode, options.shard);
        enter('waiting');
      },
    },
  });
  one.client.login(options.token).catch((error: unknown) => {
    state.loginError = error;
    waker.wake();
  });
  try {
    for (;;) {
      signal.throwIfAborted();
      const refusal = state.refusal ?? loginRefusal(state.loginError);
      if (refusal !== undefined) throw refusal;
      if (state.withdrawn === true) {
        const words = 'Discord no longer grants an intent; a connection without it is made.';
        return { kind: 'withdrawn', words, wasReady: state.wasReady, waitMs: 0 };
      }
      if (state.loginError !== undefined) return lostBy(state);
      const left = options.readyTimeoutMs - msSince(clock, state.since);
      if (state.phase === 'waiting' && left <= 0) {
        const words = `Not ready within ${options.readyTimeoutMs} ms; a new connection is made.`;
        return { kind: 'lost', words, wasReady: state.wasReady, waitMs: 0 };
      }
      const quiet = msSince(clock, state.lastEventAt);
      if (state.phase === 'ready' && quiet >= silenceMs) {
        const words = `Nothing was received from Discord for ${Math.round(quiet / 1000)} s; a new connection is made.`;
        return { kind: 'lost', words, wasReady: 'yes', waitMs: 0 };
      }
      const timeoutMs = { waiting: left, queued: silenceMs, ready: silenceMs - quiet }[state.phase];
      await waker.wait(clock, timeoutMs, signal);
    }
  } finally {
    earlier?.end();
    await one.end();
  }
}

function lostBy(state: State): End {
  const failure = explain(state.loginError);
  return {
    kind: 'lost',
    words: triedAgain(failure.words),
    wasReady: state.wasReady,
    waitMs: failure.retryAfterMs ?? 0,
  };
}
