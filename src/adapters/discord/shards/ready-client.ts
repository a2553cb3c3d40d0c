// The client whose caches are whole, for those that must wait for one. It makes and ends no clients.
import type { Client } from 'discord.js';

export interface ReadyClient {
  /** Resolves with the client once one is ready; rejects when the signal aborts. */
  get(): Promise<Client<true>>;
  set(client: Client<true>): void;
  /** The caches are being filled again: those who ask after this wait. */
  clear(): void;
}

/** Waits for a client that is ready; pending calls reject when the signal aborts. */
export function createReadyClient(signal: AbortSignal): ReadyClient {
  let state: 'empty' | 'set' = 'empty';
  let next = expect();
  signal.addEventListener('abort', () => next.reject(signal.reason), { once: true });
  return {
    async get() {
      signal.throwIfAborted();
      return next.promise;
    },
    set(client) {
      if (state === 'set') next = expect();
      state = 'set';
      next.resolve(client);
    },
    clear() {
      // Callers that already wait have their promise: the next client resolves it.
      if (state === 'empty') return;
      state = 'empty';
      next = expect();
    },
  };
}

function expect(): PromiseWithResolvers<Client<true>> {
  const expected = Promise.withResolvers<Client<true>>();
  expected.promise.catch(() => {
    // Nobody may be waiting when the signal aborts; those who are get the rejection themselves.
  });
  return expected;
}
