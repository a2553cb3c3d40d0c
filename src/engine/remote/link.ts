// The connection to an engine in another process: made, watched over its stream of events, made again.

import type { Clock } from '#base/clock.ts';
import type { ParleyError } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { backoffMs } from '#base/waiting/async.ts';
import type { Send } from '#engine/client/request.ts';
import { readEvents } from '#engine/client/stream.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import { handshake, toConnectionError, unreachable } from './handshake.ts';

export type LinkStatus =
  | { state: 'connecting' | 'up' }
  /** `problem` says why, and what to do. */
  | { state: 'down'; problem: ParleyError };

interface LinkOptions {
  send: Send;
  baseUrl: string;
  /** The version that the engine must have too. */
  version: string;
  clock: Clock;
  log: Log;
  /** Told when a connection stands, before its first event. */
  begun(): void;
  received(event: EngineEvent): void;
  signal: AbortSignal;
}

export interface Link {
  status(): LinkStatus;
  onChange(listener: () => void): () => void;
  /** Resolves while the engine can be called, or as soon as it can; rejects when the signal aborts. */
  up(signal: AbortSignal): Promise<void>;
  /** Resolves when the signal of the link has aborted and nothing is read any more. */
  ended: Promise<void>;
}

const again = { firstMs: 250, capMs: 10_000 };

/**
 * Looks for the engine, then stays connected until the signal aborts: lost connections are made again after a growing pause
 * of at most 10 s, and go on after the last durable event. One that is only out of reach is waited for in the background;
 * throws the ParleyError of `greet` for anything else that is wrong at the first look.
 */
export async function openLink(options: LinkOptions): Promise<Link> {
  const { send, baseUrl, version, clock, log, signal } = options;
  const listeners = new Set<() => void>();
  let status: LinkStatus = { state: 'connecting' };
  let after: number | undefined;

  const become = (next: LinkStatus): void => {
    if (next.state !== status.state) log.info({ baseUrl, state: next.state }, 'link to the engine');
    status = next;
    for (const listener of [...listeners]) listener();
  };

  /** Reads events until the connection ends, which is an error like any other. */
  const read = async (): Promise<never> => {
    for await (const event of readEvents(send, { query: {}, after, signal })) {
      if (event.type === 'server.connected') {
        options.begun();
        become({ state: 'up' });
      }
      // a number that is not after the last one comes from an engine that was put back from a backup: it begins again
      if (event.envelope.seq !== null) after = event.envelope.seq;
      options.received(event);
    }
    throw new Error('its stream of events ended');
  };

  const save = async (): Promise<void> => {
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        await handshake(send, { baseUrl, version, signal });
        await read();
      } catch (error) {
        if (signal.aborted) return;
        const before = status.state;
        const problem = toConnectionError(error, baseUrl);
        become({ state: 'down', problem });
        if (before === 'up') failures = 1;
        const waitMs = backoffMs(failures, again);
        log.warn({ failures, waitMs, words: problem.message }, 'the engine is out of reach');
        await clock.sleep(waitMs, signal).catch(() => undefined);
      }
    }
  };

  await handshake(send, { baseUrl, version, signal }).catch((error: unknown) => {
    const problem = toConnectionError(error, baseUrl);
    if (problem.code !== unreachable) throw problem;
    become({ state: 'down', problem });
  });
  const onChange: Link['onChange'] = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    status: () => status,
    onChange,
    up: (until) =>
      new Promise((resolve, reject) => {
        const done = (): void => {
          listeners.delete(look);
          until.removeEventListener('abort', give);
        };
        const give = (): void => {
          done();
          reject(until.reason);
        };
        const look = (): void => {
          if (status.state !== 'up') return;
          done();
          resolve();
        };
        if (until.aborted) return give();
        listeners.add(look);
        until.addEventListener('abort', give, { once: true });
        look();
      }),
    ended: save(),
  };
}
