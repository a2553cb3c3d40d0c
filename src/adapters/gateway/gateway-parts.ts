// The parts of one gateway, each made once and connected with those that it uses. Nothing runs yet.

import { dirname, join } from 'node:path';
import PQueue from 'p-queue';
import { createAdmission } from '#adapters/gateway/admission/admission.ts';
import { createAssistants } from '#adapters/gateway/admission/assistants.ts';
import { byPlatform } from '#adapters/gateway/admission/channel-rules.ts';
import { type Limits, noLimits } from '#adapters/gateway/admission/limits.ts';
import { createLanes } from '#adapters/gateway/lanes/lanes.ts';
import { createLimiter } from '#adapters/gateway/pace/limiter.ts';
import { createReading } from '#adapters/gateway/readers/reading.ts';
import { createRequestRelay } from '#adapters/gateway/requests/request-relay.ts';
import { createUploadStore, defaultLimitBytes } from '#adapters/uploads/store.ts';
import type { ActiveProblems } from '#base/active-problems.ts';
import { errorMessage } from '#base/errors.ts';
import { noTracing } from '#base/tracing.ts';
import { isAbort } from '#base/waiting/async.ts';
import type { Delivery } from '#engine/wire/run-operations.ts';
import { createAccessAdmin } from './admission/access-admin.ts';
import { createApprovers } from './admission/approvers.ts';
import { createLinks } from './admission/links.ts';
import {
  createOwnerNotices,
  noticeOfGivenUp,
  noticeOfPassedEvent,
  noticeOfRefusedChange,
} from './admission/notify-owners.ts';
import { createTokens } from './admission/tokens.ts';
import type { Bots } from './delivery/bots.ts';
import { createSender } from './delivery/sender.ts';
import { createStatus } from './delivery/status.ts';
import { createTyping } from './delivery/typing.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { createNameKeeper } from './intake/name-keeper.ts';
import type { Ledger } from './ledger/ledger.ts';
import { createLedgerContent } from './ledger/ledger-content.ts';
import { createLedgerMasking } from './masking.ts';
import type { Connection } from './pace/connection.ts';
import { createHandoffs } from './requests/handoff-drafts.ts';
import { createDue } from './schedules/due.ts';
import type { Address } from './terms/address.ts';
import { type ChannelCapabilities, mainAccount } from './terms/channel.ts';
import { createPhraseBook } from './terms/phrase-book.ts';
import { createHandOvers } from './turns/hand-overs.ts';
import { createWaitingMark } from './turns/waiting-mark.ts';

interface PartsOptions {
  ledger: Ledger;
  problems: ActiveProblems;
  bots: Bots;
  signal: AbortSignal;
}

/** As in the config. */
const usualGiveUpMinutes = 10;

export type GatewayParts = ReturnType<typeof createGatewayParts>;

/** Builds the parts of a gateway over its ledger; they stop with `signal`. */
export function createGatewayParts(
  options: GatewayOptions,
  { ledger, problems, bots, signal }: PartsOptions,
) {
  const { engine, settings, clock, newId, log } = options;

  const masking = createLedgerMasking({ ledger, mask: options.redact, clock, log });
  ledger.outbox.onSettled(masking.nudge);
  const { connectionOf, looks } = bots;
  const capsOf = (address: Address): Partial<ChannelCapabilities> =>
    connectionOf(address)?.channel.caps ?? {};
  const limiter = createLimiter({ clock, capsOf, botOf: bots.botOf });
  const byConfig = byPlatform(options.channels, bots.nameOf);
  const { accessOf, signsOf } = byConfig;
  const typing = createTyping({ limiter, isShown: (at) => signsOf(at).typing, clock, log, signal });
  const handOver = (delivery: Delivery): Promise<void> => engine.delivered(delivery, { signal });
  const traced = { tracing: options.tracing ?? noTracing, clock, newId, log, signal };
  const accountOf = (at: Address): string => bots.nameOf(at) ?? mainAccount;
  const assistants = createAssistants({ ledger, settings, accountOf });
  const book = createPhraseBook({ ledger, language: assistants.languageAt });
  const giveUpMs = (): number => (settings().giveUpMinutes ?? usualGiveUpMinutes) * 60_000;
  const sender = createSender({
    ...{ ledger, limiter, typing, connectionOf, handOver, book, giveUpMs },
    ...traced,
  });
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
  const ofPeople = {
    ...{ now: () => clock.now(), limits },
    assistants: () => assistants.all().map(({ name }) => name),
  };
  const accessAdmin = createAccessAdmin({ ledger, approved: welcome, separated, ...ofPeople });
  const uploads =
    options.uploads ??
    createUploadStore({
      folder: join(dirname(options.path), 'channel_uploads'),
      limitBytes: defaultLimitBytes,
    });
  const links = createLinks({ ledger, now: () => clock.now() });
  const exportsFolder = join(dirname(options.path), 'exports');
  const handoffs = createHandoffs({ now: () => clock.now() });
  const uploadsFolder = uploads.folder;
  const ledgerContent = createLedgerContent({ ledger, uploadsFolder, exportsFolder, handoffs });
  const approvers = createApprovers({
    ledger,
    accessOf,
    isConnected: (address) => connectionOf(address) !== undefined,
    names: () => settings().approvals?.approvers,
    asked: () => settings().approvals?.asked,
  });
  const tellOwners = createOwnerNotices({ approvers, admission, book });
  noticeOfGivenUp(sender, { tellOwners, log });
  const asks = createRequestRelay({
    ...{ engine, ledger, sender, limiter, connectionOf, approvers, book, clock, newId, log, signal },
    redact: options.redact ?? (async (text) => text),
  });
  const setAside = noticeOfRefusedChange({ tellOwners, log });
  const handOvers = createHandOvers({ ledger, engine, clock, log, signal, giveUpMs, setAside });
  const reading = createReading({
    ...{ ledger, looks, clock, signal, isChatOnly: byConfig.isChatOnly },
    everyone: () => settings().sharing === 'everyone',
    roomsChanged: handOvers.nudge,
  });
  const places = createNameKeeper({ ledger, connectionOf, renamed: handOvers.nudge, clock, log, signal });
  const tokens = createTokens({
    ...{ ledger, reading, newId, now: () => clock.now() },
    settled: handOvers.flush,
  });
  const turnDeps = {
    rendering: new PQueue({ concurrency: 1 }),
    ...{ engine, ledger, limiter, typing, asks, uploads, clock, newId, log, signal },
    ...{ ...byConfig, reading, handOvers, book, assistants },
  };
  const status = createStatus({ ledger, bots, problems, now: () => clock.now() });
  const tellOfPassed = noticeOfPassedEvent({ tellOwners, clock, log });
  const passedBy =
    (connection: Connection) =>
    (why: string): void => {
      status.passedBy(connection, why);
      tellOfPassed(connection, why);
    };

  const mark = createWaitingMark({
    ...{ ledger, approvers, limiter, sender, connectionOf, signsOf, book, clock, newId, log, signal },
  });
  const pace = { debounceMs: () => settings().debounceMs };
  const lanes = createLanes({ ...turnDeps, ...traced, sender, connectionOf, mark, ...pace });
  const ofDue = { engine, ledger, admission, sender, connectionOf, clock, newId, log, signal, book };
  const due = createDue({
    ...{ ...ofDue, ...byConfig, channels: options.channels },
    ...{ limits, lanes, tellOwners, assistants, giveUpMs },
  });

  return {
    ...{ masking, limiter, accessOf, sender, admission, welcome, separated, accessAdmin, links },
    ...{ ledgerContent, approvers, assistants, handoffs, tellOwners, asks, handOvers, reading },
    ...{ passedBy, giveUpMs, places, tokens, status, lanes, limits, due, mark },
    ...{ book, connectionOf, exportsFolder, profileOf: byConfig.profileOf },
  };
}
