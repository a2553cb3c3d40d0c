// Parts for the Slack tests: a sink in memory, a clock that the test moves, a wait for conditions. No test.
import { type Address, formatAddress } from '#adapters/gateway/terms/address.ts';
import type {
  AcceptResult,
  ConnectionState,
  Cursor,
  InboundEvent,
  MessageEvent,
  Sink,
} from '#adapters/gateway/terms/inbound.ts';
import { type Clock, momentOf } from '#base/clock.ts';
import { createLog, type Log } from '#base/log/log.ts';

export interface MemorySink extends Sink {
  /** Everything that was handed in, duplicates as well. */
  received: InboundEvent[];
  /** Messages that were accepted, once each. */
  messages: MessageEvent[];
  answers: AcceptResult[];
  cursors: Map<string, string>;
  states: { state: ConnectionState; detail: string | undefined }[];
  lives: number;
  /** What was said to be incomplete, each time. */
  behinds: ('all' | readonly string[])[];
  /** Runs before each commit: to be slow, or to fail. */
  before: (event: InboundEvent) => Promise<void>;
}

/** A sink as the gateway's: unique by chat and id, rooms only when addressed or in a thread that has a session. */
export function memorySink(): MemorySink {
  const known = new Set<string>();
  const sessions = new Map<string, Address>();
  const sink: MemorySink = {
    received: [],
    messages: [],
    answers: [],
    cursors: new Map(),
    states: [],
    lives: 0,
    behinds: [],
    before: async () => {},
    async accept(event, cursor) {
      sink.received.push(event);
      await sink.before(event);
      const answer = event.type === 'message' ? take(event) : 'accepted';
      if (cursor !== undefined) await sink.advance(cursor);
      sink.answers.push(answer);
      return answer;
    },
    async advance({ name, value }: Cursor) {
      if (Number(value) >= Number(sink.cursors.get(name) ?? 0)) sink.cursors.set(name, value);
    },
    take: (_, work) => work(),
    pass: (cursor) => void sink.advance(cursor),
    cursor: async (name) => sink.cursors.get(name),
    chats: async () => [...sessions.values()],
    accepted: async ({ chat }, { from, until }) =>
      sink.messages
        .filter(
          ({ address, nativeID }) => address.chat === chat && [undefined, nativeID].includes(address.thread),
        )
        .map(({ nativeID }) => nativeID)
        .filter(
          (id) =>
            id > from &&
            id <= until &&
            !sink.received.some((one) => one.type === 'delete' && one.nativeID === id),
        ),
    report(state, detail) {
      sink.states.push({ state, detail });
    },
    unanswered: async () => [],
    disown: async () => undefined,
    reportBacklog(chats) {
      sink.behinds.push(chats);
    },
    alive() {
      sink.lives += 1;
    },
  };
  function take(event: MessageEvent): AcceptResult {
    const id = `${event.address.chat}:${event.nativeID}`;
    const session = formatAddress(event.address);
    if (event.addressed === 'none' && !sessions.has(session)) return 'ignored';
    if (known.has(id)) return 'duplicate';
    known.add(id);
    sessions.set(session, event.address);
    sink.messages.push(event);
    return 'accepted';
  }
  return sink;
}

export const quiet: Log = createLog({ level: 'silent', mask: (text) => text, write: () => {} });

/** A log that a test can count lines of. */
export function countingLog(): { log: Log; count(words: string): number } {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', mask: (text) => text, write: (line) => void lines.push(line) });
  return { log, count: (words) => lines.filter((line) => line.includes(words)).length };
}

export interface ManualClock extends Clock {
  /** Moves time on and wakes who slept until then. */
  advance(ms: number): void;
  /** Sets only the wall time, forward or back. */
  jump(ms: number): void;
  sleepers(): number;
}

/** A clock that stands still until it is moved. */
export function manualClock(start = Date.now()): ManualClock {
  let now = start;
  let setOn = 0;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  return {
    now: () => now + setOn,
    monotonic: () => momentOf(now),
    jump(ms) {
      setOn += ms;
    },
    sleepers: () => sleepers.size,
    sleep(ms, signal) {
      if (signal?.aborted === true) return Promise.reject(signal.reason);
      if (ms <= 0) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      });
    },
    advance(ms) {
      now += ms;
      for (const sleeper of [...sleepers]) {
        if (sleeper.at > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
  };
}
