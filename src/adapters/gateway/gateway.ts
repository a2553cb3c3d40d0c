// The gateway: connections in, lanes in the middle, sender out, over one ledger. Everything platform-specific is behind `Channel`.

import { createSink } from '#adapters/gateway/intake/sink.ts';
import type { AcceptedRow } from '#adapters/gateway/intake/sink-options.ts';
import { createLooks } from '#adapters/gateway/readers/looks.ts';
import { createActiveProblems } from '#base/active-problems.ts';
import { errorMessage } from '#base/errors.ts';
import { waitAtMost } from '#base/waiting/async.ts';
import type { AccessAdmin, DeliveryAdmin } from '#engine/wire/channels/channel-operations.ts';
import { noticeOfEnd, type OwnerNotices } from './admission/notify-owners.ts';
import type { Tokens } from './admission/tokens.ts';
import { createBots } from './delivery/bots.ts';
import { createDeliveryAdmin } from './delivery/delivery-admin.ts';
import type { ChannelConnection, ChannelStatus } from './delivery/status.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { createGatewayParts } from './gateway-parts.ts';
import { openLedger } from './ledger/ledger.ts';
import type { LedgerContent } from './ledger/ledger-content.ts';
import { filesToSend, findUnfinishedWork } from './ledger/recovery.ts';
import { sweepExports } from './ledger/sweep-exports.ts';
import { createObeying } from './obey-commands.ts';
import { createConnection } from './pace/connection.ts';
import { channelName } from './terms/channel.ts';
import type { ChatMigratedEvent } from './terms/inbound.ts';

export interface Gateway {
  /** Goes on where an earlier process stopped and connects all channels; returns at once. */
  start(): void;
  status(): ChannelStatus[];
  /** The part of it that costs no statement. */
  connections(): ChannelConnection[];
  /** Sessions at work, sessions in which a message waits, and changes that the engine does not have yet, with the rooms that are being asked about again. */
  lanes(): { active: number; waiting: number; changes: number; unremembered: number };
  /** Files that accepted answers still have to bring, by absolute path. */
  filesToSend(): string[];
  onChange(listener: () => void): () => void;
  /** Makes these the people of the config; resolves once that is on disk. */
  namePeople(people: GatewayOptions['people']): Promise<void>;
  /** Says something in the direct message of each owner; resolves with how many there are. */
  tellOwners: OwnerNotices;
  /** Who is admitted, for the operator. */
  accessAdmin: AccessAdmin;
  /** Tokens of persons and agents, for the operator. */
  tokens: Tokens;
  /** What is stored about persons and chats, for the operator; and how answers got to their chats. */
  ledgerContent: LedgerContent;
  deliveries: DeliveryAdmin;
  /** False once its ledger is closed: it answers nothing then. */
  isOpen(): boolean;
  /** Accepts nothing more, finishes what it can within `deadlineMs`, leaves the rest to the next start. */
  close(deadlineMs: number): Promise<void>;
}

/**
 * Past the deadline, so much longer is waited for calls that cannot be taken back; one that a platform leaves without an
 * answer stays on record as of unknown outcome, as after a kill.
 */
const partingMs = 3_000;

/** Opens the ledger and wires the gateway; nothing connects before `start`. */
export function createGateway(options: GatewayOptions): Gateway {
  const { clock, newId, log, path, personIDs } = options;
  const problems = options.problems ?? createActiveProblems(clock);
  const ledger = openLedger({ path, clock, newId, personIDs, log, problems });
  const name = (people: GatewayOptions['people']): string[] => ledger.persons.configure(people, clock.now());
  try {
    ledger.transact(() => name(options.people));
  } catch (error) {
    void ledger.close();
    throw error;
  }
  const stopping = new AbortController();
  const { signal } = stopping;
  const bots = createBots(ledger);
  const parts = createGatewayParts(options, { ledger, problems, bots, signal });
  const { masking, limiter, sender, admission, welcome, separated, status, asks, handOvers, reading } = parts;
  const { tellOwners, lanes, due, mark, book, limits, approvers, connectionOf, exportsFolder, giveUpMs } =
    parts;
  const commands = createObeying(options, { parts, ledger, signal });
  const running: Promise<void>[] = [];
  let closing = false;
  let isOpen = true;

  const onAccepted = ({ command, lane, event }: AcceptedRow): void => {
    if (command !== undefined) {
      commands.begin(command);
      return;
    }
    const waits = connectionOf(event.address)?.backlog.isBehind(event.address.chat) === true;
    if (waits) mark(event);
    lanes.wake(lane, waits ? undefined : event);
  };
  const onMoved = ({ from, to }: ChatMigratedEvent): void =>
    lanes.rename((lane) => ledger.chatMigrations.renamed(lane, from, to));

  const sinks = options.channels.map(({ channel, talk }) => {
    const connection = createConnection({ channel, clock, log });
    const looks = createLooks({ channel, clock, log, signal, times: options.looks });
    bots.add(connection, looks);
    connection.onChange(status.look);
    noticeOfEnd(connection, { tellOwners, log });
    for (const each of [reading, parts.places]) each.follow(connection);
    const unlearn = channel.budgets?.((budget) => limiter.learn(channelName(channel), budget));
    if (unlearn !== undefined) signal.addEventListener('abort', unlearn, { once: true });
    const sink = createSink({
      ...{ ledger, connection, talk, admission, assistants: parts.assistants, approvers, book, giveUpMs },
      ...{ learn: (event) => bots.learn(channel, event), passedBy: parts.passedBy(connection) },
      mask: options.redact,
      ...{ limits, clock, newId, log, onAccepted, onMoved, reading, onAmended: handOvers.nudge },
      deliver: (id, address) => void sender.deliver(id, address),
    });
    const accept: typeof sink.accept = async (event, ...more) => {
      // not accepted, so not acknowledged: the platform still has it at the next start
      if (closing)
        await new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      return sink.accept(event, ...more);
    };
    return { connection, sink: { ...sink, accept, chats: async () => bots.chats(channel) } };
  });

  return {
    start() {
      const left = findUnfinishedWork(ledger);
      // First, so that a channel can say what it may have missed before anything that waits is begun.
      for (const { connection, sink } of sinks) running.push(connection.run(sink, signal));
      for (const { id, address, lane } of left.outbox) {
        if (lane === undefined) void sender.deliver(id, address);
        else lanes.deliver(id, { lane, address });
      }
      running.push(due.run());
      for (const turn of left.turns) lanes.resume(turn);
      for (const lane of left.lanes) lanes.wake(lane);
      for (const row of left.commands) commands.begin(row);
      asks.showSettled();
      masking.nudge();
      welcome();
      handOvers.nudge();
      sweepExports(exportsFolder, filesToSend(ledger)).catch((error: unknown) =>
        log.warn({ words: errorMessage(error) }, 'files of exports were not swept'),
      );
    },
    ...{ status: status.list, connections: status.connected },
    lanes: () => ({
      ...{ active: lanes.working(), waiting: ledger.inbox.lanesWaiting().length },
      ...{ changes: handOvers.waiting() + reading.asking(), unremembered: sender.unremembered() },
    }),
    accessAdmin: parts.accessAdmin,
    tokens: parts.tokens,
    ledgerContent: parts.ledgerContent,
    deliveries: createDeliveryAdmin({ ledger, clock, sender }),
    tellOwners,
    namePeople: async (people) => separated(await ledger.commit(() => name(people))),
    filesToSend: () => filesToSend(ledger),
    onChange(listener) {
      const stops = sinks.map(({ connection }) => connection.onChange(listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    isOpen: () => isOpen,
    async close(deadlineMs) {
      closing = true;
      const within = (ms: number, ended: Promise<unknown>) => waitAtMost(ended, { clock, ms });
      await within(
        deadlineMs,
        Promise.all([lanes.drain(), commands.idle()]).then(() => sender.idle()),
      );
      stopping.abort(new DOMException('The gateway is closing.', 'AbortError'));
      await within(partingMs, Promise.all([...running, lanes.idle(), sender.idle(), commands.idle()]));
      await masking.flush();
      await masking.stop();
      isOpen = false;
      await ledger.close();
    },
  };
}
