// Holds the connection of one platform account, and reports its state. A refused token stops only this account.
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import type { ConnectionState, Sink } from '#adapters/gateway/terms/inbound.ts';
import { type Clock, msSince } from '#base/clock.ts';
import { errorMessage, hintOf, ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { backoffMs, isAbort } from '#base/waiting/async.ts';
import { type BacklogGate, createBacklogGate } from './backlog-gate.ts';

export interface ConnectionStatus {
  state: ConnectionState;
  sinceMs: number;
  lastAliveMs: number | undefined;
  /** The last problem in words, with what to do about it. */
  problem: string | undefined;
}

export interface Connection {
  readonly channel: Channel;
  readonly backlog: BacklogGate;
  /** Resolves when the account is ready; waits as long as it takes. */
  ready(signal: AbortSignal): Promise<void>;
  status(): ConnectionStatus;
  report(state: ConnectionState, detail?: string): void;
  alive(): void;
  /** A call was refused for the account's token: the connection ends, in these words, also where the platform lets it stand. */
  refused(words: string): void;
  /** Called at every change of state; returns the way to stop. */
  onChange(listener: () => void): () => void;
  /** Runs until the signal aborts or the platform refuses the account permanently. */
  run(sink: Sink, signal: AbortSignal): Promise<void>;
}

const restart = { firstMs: 1_000, capMs: 30_000 };

/** Runs a channel and restarts it after a failure that may pass, with a delay of at most 30 s. */
export function createConnection(options: { channel: Channel; clock: Clock; log: Log }): Connection {
  const { channel, clock, log } = options;
  const listeners = new Set<() => void>();
  const refusal = new AbortController();
  let status: ConnectionStatus = {
    state: 'stopped',
    sinceMs: clock.now(),
    lastAliveMs: undefined,
    problem: undefined,
  };

  const report = (state: ConnectionState, detail?: string): void => {
    const changed = state !== status.state;
    const problem = state === 'ready' || state === 'standby' ? detail : (detail ?? status.problem);
    if (changed || (state === 'ready' && problem !== status.problem))
      log.info({ platform: channel.platform, state, detail }, 'connection');
    const sinceMs = changed ? clock.now() : status.sinceMs;
    status = { ...status, state, sinceMs, problem };
    for (const listener of [...listeners]) listener();
  };

  return {
    channel,
    backlog: createBacklogGate(clock),
    report,
    status: () => status,
    alive() {
      status = { ...status, lastAliveMs: clock.now() };
    },
    refused(words) {
      if (refusal.signal.aborted) return;
      log.error({ platform: channel.platform, words }, 'connection ended');
      report('failed', words); // at once, so that nothing more is sent
      refusal.abort(new ParleyError('token_refused', words));
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ready: (signal) =>
      new Promise((resolve, reject) => {
        const done = (): void => {
          listeners.delete(look);
          signal.removeEventListener('abort', give);
        };
        const give = (): void => {
          done();
          reject(signal.reason);
        };
        const look = (): void => {
          if (status.state !== 'ready') return;
          done();
          resolve();
        };
        if (signal.aborted) return give();
        listeners.add(look);
        signal.addEventListener('abort', give);
        look();
      }),
    async run(sink, signal) {
      const running = AbortSignal.any([signal, refusal.signal]);
      for (let attempt = 1; !running.aborted; attempt += 1) {
        report(attempt === 1 ? 'connecting' : 'reconnecting');
        const startedAt = clock.monotonic();
        try {
          await channel.run(sink, running);
          break;
        } catch (error) {
          if (isAbort(error, running)) break;
          const failure = channel.explain(error);
          const hint = hintOf(error) ?? '';
          const words = failure.words.includes(hint) ? failure.words : `${failure.words} ${hint}`;
          log.error({ platform: channel.platform, kind: failure.kind, words }, 'connection ended');
          if (failure.kind !== 'transient' && failure.kind !== 'rate_limit') {
            report('failed', words);
            return;
          }
          report('reconnecting', words);
          if (msSince(clock, startedAt) > restart.capMs) attempt = 1;
          await clock.sleep(backoffMs(attempt, restart), running).catch(() => undefined);
        }
      }
      if (!refusal.signal.aborted || signal.aborted) return report('stopped');
      report('failed', errorMessage(refusal.signal.reason)); // the channel itself has said that it was stopped
    },
  };
}
