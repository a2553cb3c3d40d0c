// The gateway: connections in, lanes in the middle, sender out, over one ledger. Everything platform-specific is behind `Channel`.
import { isAbort } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { wordsOf } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import type { Engine } from '#engine/wire/contract.ts';
import type { Address, Platform } from './address.ts';
import type { Channel } from './channel.ts';
import { type Connection, type ConnectionStatus, createConnection } from './delivery/connection.ts';
import { createLimiter } from './delivery/limiter.ts';
import { createSender } from './delivery/sender.ts';
import type { InboxRow } from './ledger/inbox.ts';
import { openLedger } from './ledger/ledger.ts';
import { type AcceptedRow, createSink } from './sink.ts';
import type { SessionsBy } from './turns/lane.ts';
import { createLanes } from './turns/lanes.ts';
import { obey } from './turns/obey.ts';

export interface GatewayOptions {
  /** Path of gateway.sqlite. */
  path: string;
  engine: Engine;
  channels: readonly { channel: Channel; sessions: SessionsBy }[];
  /** Identities that are one person: `name -> ["discord:ID", "telegram:ID"]`. */
  people: Readonly<Record<string, readonly string[]>>;
  /** What the assistant calls itself in `/help`. */
  agent: string;
  debounceMs: number;
  clock: Clock;
  newId: NewId;
  log: Log;
}

export interface ChannelStatus extends ConnectionStatus {
  platform: Platform;
  inboxBacklog: number;
  outboxBacklog: number;
}

export interface Gateway {
  /** Goes on where an earlier process stopped and connects all channels; returns at once. */
  start(): void;
  status(): ChannelStatus[];
  onChange(listener: () => void): () => void;
  /** Takes nothing in any more, finishes what it can within `deadlineMs`, keeps the rest for the next start. */
  close(deadlineMs: number): Promise<void>;
}

/** Opens the ledger and wires the gateway; nothing connects before `start`. */
export function createGateway(options: GatewayOptions): Gateway {
  const { engine, clock, newId, log } = options;
  const ledger = openLedger({ path: options.path, clock, newId });
  ledger.people.link(options.people);
  const stopping = new AbortController();
  const { signal } = stopping;
  const limiter = createLimiter(clock);
  const connections = new Map<Platform, Connection>();
  const connectionOf = (address: Address): Connection | undefined => connections.get(address.platform);
  const handOver = engine.delivered.bind(engine);
  const sender = createSender({ ledger, limiter, connectionOf, handOver, clock, log, signal });
  const turnDeps = { engine, ledger, limiter, clock, newId, log, signal };
  const lanes = createLanes({ ...turnDeps, sender, connectionOf, debounceMs: options.debounceMs });
  const running: Promise<void>[] = [];
  let closing = false;

  const obeyRow = async (row: InboxRow): Promise<void> => {
    const connection = connectionOf(row.address);
    if (connection === undefined) return;
    try {
      await obey(row, connection.channel, { engine, ledger, clock, newId, sender, agent: options.agent });
    } catch (error) {
      if (!isAbort(error, signal)) log.error({ inbox: row.id, words: wordsOf(error) }, 'command failed');
    }
  };

  /** A waiting message is seen at once: the person knows that it will be answered. */
  const acknowledge = (event: AcceptedRow['event']): void => {
    const channel = connectionOf(event.address)?.channel;
    if (channel === undefined || limiter.held(event.address) > 0) return;
    channel.react(event.address, event.nativeID, '👀').catch((error: unknown) => {
      const failure = channel.explain(error);
      if (failure.kind === 'rate_limit') limiter.hold(event.address, failure);
      log.debug({ words: failure.words }, 'reaction failed');
    });
  };

  const onAccepted = ({ lane, kind, event }: AcceptedRow): void => {
    if (kind === 'command') {
      const row = ledger.inbox.find(event.address, event.nativeID);
      if (row !== undefined) void obeyRow(row);
      return;
    }
    if (lanes.busy(lane)) acknowledge(event);
    lanes.wake(lane);
  };

  const sinks = options.channels.map(({ channel, sessions }) => {
    const connection = createConnection({ channel, clock, log });
    connections.set(channel.platform, connection);
    const sink = createSink({ ledger, connection, sessions, clock, newId, onAccepted });
    const accept: typeof sink.accept = async (event, cursor) => {
      // not accepted, so not acknowledged: the platform still has it at the next start
      if (closing)
        await new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      return sink.accept(event, cursor);
    };
    return { connection, sink: { ...sink, accept } };
  });

  return {
    start() {
      for (const { id, address } of ledger.outbox.open()) void sender.deliver(id, address);
      for (const turn of ledger.turns.unanswered()) lanes.resume(turn);
      for (const lane of ledger.inbox.lanesWaiting()) lanes.wake(lane);
      for (const row of ledger.inbox.commandsWaiting()) void obeyRow(row);
      for (const { connection, sink } of sinks) running.push(connection.run(sink, signal));
    },
    status: () =>
      [...connections].map(([platform, connection]) => ({
        platform,
        ...connection.status(),
        inboxBacklog: ledger.inbox.backlog(platform),
        outboxBacklog: ledger.outbox.backlog(platform),
      })),
    onChange(listener) {
      const stops = sinks.map(({ connection }) => connection.onChange(listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    async close(deadlineMs) {
      closing = true;
      const waited = new AbortController();
      const idle = lanes.drain().then(() => sender.idle());
      await Promise.race([idle, clock.sleep(deadlineMs, waited.signal).catch(() => undefined)]);
      waited.abort();
      stopping.abort(new DOMException('The gateway is closing.', 'AbortError'));
      await Promise.all([...running, lanes.drain(), sender.idle()]);
      ledger.close();
    },
  };
}
