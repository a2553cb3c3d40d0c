// The event stream: one connection for all pages. It comes back after a loss with the number of the last event, so that nothing is missed or shown twice.
// @ts-check
import { signal } from '@preact/signals';
import { createParser } from 'eventsource-parser';
import { me } from './api.js';

/** @import { EngineEvent } from '#engine/wire/events/event.ts' */

/** @type {import('@preact/signals').Signal<'connecting' | 'live' | 'lost'>} */
export const connection = signal('connecting');
/** Rises when the connection is back after a loss, and when a viewer may read more or less than before: what is shown is read again then. */
export const returns = signal(0);

/** The server sends at least a heartbeat in ten seconds; silence of this length is a loss. */
const silenceMs = 25_000;
/** What happens within so many milliseconds is drawn together: people see a text that grows twenty times a second as one that flows. */
const gatherMs = 50;
const retryMs = [500, 1_000, 2_000, 4_000];

/** @type {Set<(event: EngineEvent) => void>} */
const listeners = new Set();

/** Calls with each event until the returned function is called. @param {(event: EngineEvent) => void} listener */
export function onEvent(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Follows the stream until the signal aborts. @param {AbortSignal} ended */
export async function followEvents(ended) {
  let last = 0;
  let tries = 0;
  let lost = false;
  while (!ended.aborted) {
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    ended.addEventListener('abort', stop, { once: true });
    let silence = setTimeout(stop, silenceMs);
    try {
      const response = await fetch(`/event?gather_ms=${gatherMs}`, {
        headers: last === 0 ? {} : { 'last-event-id': String(last) },
        signal: attempt.signal,
      });
      if (response.status === 401) {
        me.value = null;
        return;
      }
      if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
      const parser = createParser({
        onEvent({ event, data, id }) {
          if (event === 'error') return stop();
          const seq = Number(id ?? 0);
          if (seq > 0 && seq <= last) return; // seen before the connection was lost
          if (seq > 0) last = seq;
          pass(JSON.parse(data));
        },
      });
      connection.value = 'live';
      if (lost) returns.value += 1;
      tries = 0;
      lost = false;
      const decoder = new TextDecoder();
      for await (const chunk of response.body) {
        clearTimeout(silence);
        silence = setTimeout(stop, silenceMs);
        parser.feed(decoder.decode(chunk, { stream: true }));
      }
    } catch {
      // the server is away, or was silent for too long
    } finally {
      clearTimeout(silence);
      ended.removeEventListener('abort', stop);
    }
    if (ended.aborted) return;
    lost = true;
    connection.value = 'lost';
    await new Promise((resolve) => setTimeout(resolve, retryMs[Math.min(tries, retryMs.length - 1)]));
    tries += 1;
  }
}

/** @param {EngineEvent} event */
function pass(event) {
  if (event.type === 'rooms.changed' && me.value?.role === 'viewer') returns.value += 1;
  for (const listener of listeners) listener(event);
}
