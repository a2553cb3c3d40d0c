// A gateway's side in memory, a hurried clock and a connected channel, for the tests of the Discord adapter.
import { createDiscordChannel } from '#adapters/discord/channel.ts';
import type { ShardsWanted } from '#adapters/discord/shards/sharding.ts';
import { isBehind } from '#adapters/gateway/ledger/cursors.ts';
import { type Address, formatAddress } from '#adapters/gateway/terms/address.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import type {
  AcceptResult,
  ConnectionState,
  Cursor,
  EditEvent,
  InboundEvent,
  MessageEvent,
  Sink,
} from '#adapters/gateway/terms/inbound.ts';
import { systemClock } from '#base/clock.ts';
import { createLog } from '#base/log/log.ts';
import { createMask } from '#base/secrets.ts';
import {
  createDiscordSandbox,
  type DiscordSandbox,
  type DiscordSandboxOptions,
} from '#sandbox/discord/server.ts';
import { fastClock } from '../../support/fast-clock.ts';
import { until } from '../../support/found.ts';

export interface MemorySink extends Sink {
  /** What was accepted, in order, without duplicates. */
  events: InboundEvent[];
  messages(): MessageEvent[];
  edits(): EditEvent[];
  texts(): string[];
  /** How many times something known came again. */
  duplicates(): number;
  states: [ConnectionState, string | undefined][];
  cursors: Map<string, string>;
  aliveCalls(): number;
  /** The next calls of `accept` fail. */
  failNext(times: number): void;
  /** Holds every `accept`, or those of one type of event, until the returned function is called. */
  hold(only?: InboundEvent['type']): () => void;
}

export function memorySink(): MemorySink {
  const events: InboundEvent[] = [];
  const known = new Set<string>();
  const cursors = new Map<string, string>();
  const states: MemorySink['states'] = [];
  let failures = 0;
  let again = 0;
  let alive = 0;
  let gate: { only: InboundEvent['type'] | undefined; open: Promise<void> } | undefined;
  const move = ({ name, value }: Cursor): void => {
    const old = cursors.get(name);
    if (old === undefined || !isBehind(value, old)) cursors.set(name, value);
  };
  const messages = () => events.filter((event) => event.type === 'message');
  return {
    events,
    cursors,
    states,
    messages,
    edits: () => events.filter((event) => event.type === 'edit'),
    texts: () => messages().map(({ text }) => text),
    duplicates: () => again,
    aliveCalls: () => alive,
    failNext(times) {
      failures = times;
    },
    hold(only) {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = { only, open: promise };
      return resolve;
    },
    async accept(event, cursor): Promise<AcceptResult> {
      if (gate?.only === undefined || gate.only === event.type) await gate?.open;
      if (failures > 0) {
        failures -= 1;
        throw new Error('the database is busy');
      }
      if (cursor !== undefined) move(cursor);
      const key = event.type === 'message' ? `${formatAddress(event.address)} ${event.nativeID}` : undefined;
      if (key !== undefined && known.has(key)) {
        again += 1;
        return 'duplicate';
      }
      if (key !== undefined) known.add(key);
      events.push(event);
      return 'accepted';
    },
    async advance(cursor) {
      move(cursor);
    },
    take: (_, work) => work(),
    pass: (cursor) => move(cursor),
    cursor: async (name) => cursors.get(name),
    async chats() {
      const chats = new Map<string, Address>();
      for (const { address } of messages()) chats.set(formatAddress(address), address);
      return [...chats.values()];
    },
    accepted: async ({ chat, thread }, { from, until }) =>
      messages()
        .filter(({ address }) => address.chat === chat && address.thread === thread)
        .map(({ nativeID }) => nativeID)
        .filter((id) => id > from && id <= until),
    unanswered: async () => [],
    disown: async () => undefined,
    reportBacklog() {},
    report(state, detail) {
      states.push([state, detail]);
    },
    alive() {
      alive += 1;
    },
  };
}

export const silentLog = createLog({ level: 'silent', mask: createMask([]) });

export interface Connected extends AsyncDisposable {
  channel: Channel;
  sink: MemorySink;
  /** Aborts and waits until `run` has ended. */
  stop(): Promise<void>;
}

export interface Connect {
  sandbox: DiscordSandbox;
  sink?: MemorySink;
  token?: string;
  readyTimeoutMs?: number;
  callsPerSecond?: number;
  shards?: ShardsWanted;
  linkPreviews?: boolean | undefined;
}

/** A channel for the sandbox, not running. */
export function channelFor({
  sandbox,
  token,
  readyTimeoutMs,
  callsPerSecond,
  shards,
  linkPreviews,
}: Connect): Channel {
  return createDiscordChannel({
    token: token ?? sandbox.tokens.bot,
    apiUrl: sandbox.url,
    clock: fastClock(20),
    log: silentLog,
    readyTimeoutMs,
    callsPerSecond,
    shards,
    linkPreviews,
  });
}

/** Runs a channel and waits until it is ready. */
export async function connect(options: Connect): Promise<Connected> {
  const { sink = memorySink() } = options;
  const channel = channelFor(options);
  const over = new AbortController();
  const readyBefore = readyCount(sink);
  const run = channel.run(sink, over.signal);
  const stop = async (): Promise<void> => {
    over.abort();
    await run;
  };
  try {
    await Promise.race([until('the channel is ready', () => readyCount(sink) > readyBefore), run]);
  } catch (error) {
    over.abort();
    throw error;
  }
  return { channel, sink, stop, [Symbol.asyncDispose]: stop };
}

export function readyCount(sink: MemorySink): number {
  return sink.states.filter(([state]) => state === 'ready').length;
}

export interface Opened extends AsyncDisposable {
  sandbox: DiscordSandbox;
}

/** A sandbox that closes with the block. */
export async function openSandbox(options: Partial<DiscordSandboxOptions> = {}): Promise<Opened> {
  const sandbox = await createDiscordSandbox({ clock: systemClock, ...options });
  return { sandbox, [Symbol.asyncDispose]: () => sandbox.close() };
}
