// The gateway: connections in, lanes in the middle, sender out, over one ledger. Everything platform-specific is behind `Channel`.
import { dirname, join } from 'node:path';
import { createUploadStore, defaultLimitBytes, type UploadStore } from '#adapters/uploads/store.ts';
import { type ActiveProblems, createActiveProblems } from '#base/active-problems.ts';
import { isAbort, waitAtMost } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import { noTracing, type Tracing } from '#base/tracing.ts';
import type { Delivery, Engine } from '#engine/wire/contract.ts';
import { type AccessAdmin, createAccessAdmin } from './access/access-admin.ts';
import { type NamedPerson, openAccess } from './access/access-types.ts';
import { createAdmission } from './access/admission.ts';
import { createApprovers } from './access/approvers.ts';
import { byPlatform, type ChannelRules } from './access/channel-rules.ts';
import { type Limits, noLimits } from './access/limits.ts';
import { createLinks } from './access/links.ts';
import { createLooks, type Looks } from './access/looks.ts';
import { createOwnerNotices, noticeOfEnd, type OwnerNotices } from './access/notify-owners.ts';
import { createReading } from './access/reading.ts';
import { createTokens, type Tokens } from './access/tokens.ts';
import type { Address, Platform } from './address.ts';
import type { Channel, ChannelCapabilities } from './channel.ts';
import { obey } from './commands/run-command.ts';
import { type Connection, createConnection } from './delivery/connection.ts';
import { createLimiter } from './delivery/limiter.ts';
import { createSender } from './delivery/sender.ts';
import { createTyping } from './delivery/typing.ts';
import type { GatewaySettings } from './gateway-settings.ts';
import type { ChatMigratedEvent } from './inbound.ts';
import { createKeeping, type Keeping } from './keeping.ts';
import type { Deliveries } from './ledger/deliveries.ts';
import type { InboxRow } from './ledger/inbox.ts';
import { openLedger } from './ledger/ledger.ts';
import { createLedgerMasking } from './masking.ts';
import { createPhraseBook } from './phrases/phrase-book.ts';
import { filesToSend, findUnfinishedWork } from './recovery.ts';
import { createDue } from './schedules/due.ts';
import { type AcceptedRow, createSink } from './sink.ts';
import { type ChannelStatus, createStatus } from './status.ts';
import { sweepExports } from './sweep-exports.ts';
import { createHandOvers } from './turns/hand-overs.ts';
import { createHandoffs } from './turns/handoffs.ts';
import { createLanes } from './turns/lanes.ts';
import { createRequestRelay } from './turns/request-relay.ts';
import { createWaitingMark } from './turns/waiting-mark.ts';

export interface GatewayOptions {
  /** Path of gateway.sqlite, in the home folder. */
  path: string;
  engine: Engine;
  /** `talk` is read with each message: it may change. */
  channels: readonly { channel: Channel; talk: () => ChannelRules }[];
  settings: () => GatewaySettings;
  /** Who is known by the config: `name -> { role, accounts: ["discord:ID", "telegram:ID"] }`. */
  people: Readonly<Record<string, NamedPerson>>;
  /** Masks secrets in what people are shown of others' tool calls, and in the ledger once an answer is delivered; leaves all as it is when absent. */
  redact?: ((text: string) => Promise<string>) | undefined;
  /** Where files that come with messages are stored; a folder `channel_uploads` next to the ledger by default. */
  uploads?: UploadStore | undefined;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** How long a look at a platform for who may read what holds, in milliseconds; five minutes when absent. */
  looksKeptMs?: number | undefined;
  /** Who measures the way of a message; nobody when absent. */
  tracing?: Tracing | undefined;
  /** Where a disk that refuses is noted, among the other problems of the program; an empty list by default. */
  problems?: ActiveProblems | undefined;
}

export interface Gateway {
  /** Goes on where an earlier process stopped and connects all channels; returns at once. */
  start(): void;
  status(): ChannelStatus[];
  /** Sessions that are at work, and those in which a message waits to be begun. */
  lanes(): { active: number; waiting: number };
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
  keeping: Keeping;
  deliveries: Deliveries;
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
  const { engine, settings, clock, newId, log } = options;
  const problems = options.problems ?? createActiveProblems(clock);
  const ledger = openLedger({ path: options.path, clock, newId, log, problems });
  const name = (people: GatewayOptions['people']): string[] => ledger.persons.configure(people, clock.now());
  try {
    ledger.transact(() => name(options.people));
  } catch (error) {
    void ledger.close();
    throw error;
  }
  const masking = createLedgerMasking({ ledger, mask: options.redact, clock, log });
  ledger.outbox.onSettled(masking.nudge);
  const stopping = new AbortController();
  const { signal } = stopping;
  const connections = new Map<Platform, Connection>();
  const connectionOf = (address: Address): Connection | undefined => connections.get(address.platform);
  const capsOf = (address: Address): Partial<ChannelCapabilities> =>
    connectionOf(address)?.channel.caps ?? {};
  const limiter = createLimiter({ clock, capsOf });
  const byConfig = byPlatform(options.channels);
  const { accessOf, signsOf } = byConfig;
  const typing = createTyping({ limiter, isShown: (at) => signsOf(at).typing, clock, log, signal });
  const handOver = (delivery: Delivery): Promise<void> => engine.delivered(delivery, signal);
  const traced = { tracing: options.tracing ?? noTracing, clock, newId, log, signal };
  const book = createPhraseBook({ ledger, language: () => settings().language ?? 'en' });
  const sender = createSender({ ledger, limiter, typing, connectionOf, handOver, book, ...traced });
  const admission = createAdmission({ ledger, sender, book, connectionOf, clock, newId, log });
  const welcome = (): void => {
    admission.welcome().catch((error: unknown) => {
      if (!isAbort(error, signal))
        log.warn({ words: errorMessage(error) }, 'someone who was admitted was not told');
    });
  };
  /** What is being answered there is answered out of a session that is another person's too. */
  const separated = (lost: readonly string[]): void => {
    for (const lane of lost) lanes.stop(lane);
  };
  const limits = (): Limits => settings().limits ?? noLimits;
  const ofPeople = { now: () => clock.now(), limits: () => limits().person };
  const accessAdmin = createAccessAdmin({ ledger, approved: welcome, separated, ...ofPeople });
  const uploads =
    options.uploads ??
    createUploadStore({
      folder: join(dirname(options.path), 'channel_uploads'),
      limitBytes: defaultLimitBytes,
    });
  const links = createLinks({ ledger, now: () => clock.now() });
  const exportsFolder = join(dirname(options.path), 'exports');
  const keeping = createKeeping({ ledger, uploadsFolder: uploads.folder, exportsFolder });
  const approvers = createApprovers({
    ledger,
    accessOf,
    isConnected: (address) => connectionOf(address) !== undefined,
    names: () => settings().approvals?.approvers,
    asked: () => settings().approvals?.asked,
  });
  const handoffs = createHandoffs({ now: () => clock.now() });
  const tellOwners = createOwnerNotices({ approvers, admission, book });
  const asks = createRequestRelay({
    ...{ engine, ledger, sender, limiter, connectionOf, approvers, book, clock, newId, log, signal },
    redact: options.redact ?? (async (text) => text),
  });
  const handOvers = createHandOvers({ ledger, engine, log, signal });
  const looks = new Map<Platform, Looks>();
  const reading = createReading({
    ...{ ledger, looks, clock, signal, isChatOnly: byConfig.isChatOnly },
    everyone: () => settings().sharing === 'everyone',
    roomsChanged: handOvers.nudge,
  });
  const tokens = createTokens({ ledger, reading, newId, now: () => clock.now() });
  const turnDeps = {
    ...{ engine, ledger, limiter, typing, asks, uploads, clock, newId, log, signal },
    ...{ ...byConfig, reading, handOvers, book },
  };
  const status = createStatus({ ledger, connections, problems, now: () => clock.now() });
  const running: Promise<void>[] = [];
  const obeying = new Set<Promise<void>>();
  let closing = false;
  let isOpen = true;

  const obeyRow = (row: InboxRow): void => {
    const connection = connectionOf(row.address);
    if (connection === undefined) return;
    const deps = {
      ...{ engine, ledger, clock, newId, log, signal, sender, asks, approvers, accessAdmin, links, keeping },
      handoffs,
      exportsFolder,
      book,
      access: accessOf(row.address.platform) ?? openAccess('guest'),
      status: status.list,
      stopLane: (lane: string) => lanes.stop(lane),
      wakeLane: (lane: string) => lanes.wake(lane),
      notify: admission.notify,
      agent: settings().agent,
    };
    const done = obey(row, connection.channel, deps)
      .catch((error: unknown) => {
        if (!isAbort(error, signal))
          log.error({ inbox: row.id, words: errorMessage(error) }, 'command failed');
      })
      .finally(() => obeying.delete(done));
    obeying.add(done);
  };
  const mark = createWaitingMark({
    ...{ ledger, approvers, limiter, sender, connectionOf, signsOf, book, clock, newId, log, signal },
  });
  const pace = { debounceMs: () => settings().debounceMs };
  const lanes = createLanes({ ...turnDeps, ...traced, sender, connectionOf, mark, ...pace });
  const ofDue = { engine, ledger, admission, sender, connectionOf, clock, newId, log, signal, book };
  const due = createDue({ ...ofDue, channels: options.channels, limits, lanes, tellOwners });

  const onAccepted = ({ command, lane, event }: AcceptedRow): void => {
    if (command !== undefined) {
      obeyRow(command);
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
    connections.set(channel.platform, connection);
    looks.set(channel.platform, createLooks({ channel, clock, log, signal, keptMs: options.looksKeptMs }));
    connection.onChange(status.look);
    noticeOfEnd(connection, { tellOwners, log });
    reading.follow(connection);
    const unlearn = channel.budgets?.((budget) => limiter.learn(channel.platform, budget));
    if (unlearn !== undefined) signal.addEventListener('abort', unlearn, { once: true });
    const sink = createSink({
      ...{ ledger, connection, talk, admission, approvers, book, mask: options.redact },
      ...{ limits, clock, newId, log, onAccepted, onMoved, reading, onAmended: handOvers.nudge },
    });
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
      for (const row of left.commands) obeyRow(row);
      asks.showSettled();
      masking.nudge();
      welcome();
      handOvers.nudge();
      sweepExports(exportsFolder, filesToSend(ledger)).catch((error: unknown) =>
        log.warn({ words: errorMessage(error) }, 'files of exports were not swept'),
      );
    },
    status: status.list,
    lanes: () => ({ active: lanes.working(), waiting: ledger.inbox.lanesWaiting().length }),
    ...{ accessAdmin, tokens, keeping, deliveries: ledger.deliveries, tellOwners },
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
        Promise.all([lanes.drain(), ...obeying]).then(() => sender.idle()),
      );
      stopping.abort(new DOMException('The gateway is closing.', 'AbortError'));
      await within(partingMs, Promise.all([...running, lanes.idle(), sender.idle(), ...obeying]));
      await masking.close();
      isOpen = false;
      await ledger.close();
    },
  };
}
