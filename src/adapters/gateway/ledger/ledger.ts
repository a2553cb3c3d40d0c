// gateway.sqlite as a whole: its stores and the one way to change several of them at once.

import { type Amendments, createAmendments } from '#adapters/gateway/ledger/inbox/amendments.ts';
import { type ContentRows, createContentRows } from '#adapters/gateway/ledger/inbox/content-rows.ts';
import { type Corrections, createCorrections } from '#adapters/gateway/ledger/inbox/corrections.ts';
import { createInbox, type Inbox } from '#adapters/gateway/ledger/inbox/inbox.ts';
import { createReceivedFiles, type ReceivedFiles } from '#adapters/gateway/ledger/inbox/received-files.ts';
import { createTakenBack, type TakenBack } from '#adapters/gateway/ledger/inbox/taken-back.ts';
import { type AccessTokens, createAccessTokens } from '#adapters/gateway/ledger/people/access-tokens.ts';
import { type Company, createCompany } from '#adapters/gateway/ledger/people/company.ts';
import { createIdentities, type Identities, samePerson } from '#adapters/gateway/ledger/people/identities.ts';
import { createLinkCodes, type LinkCodes } from '#adapters/gateway/ledger/people/link-codes.ts';
import {
  createPairingRequests,
  type PairingRequests,
} from '#adapters/gateway/ledger/people/pairing-requests.ts';
import { createPersons, type Persons } from '#adapters/gateway/ledger/people/persons.ts';
import { createRelink } from '#adapters/gateway/ledger/people/relink.ts';
import { createTokenOwners } from '#adapters/gateway/ledger/people/token-owners.ts';
import { createGivenFeedback, type GivenFeedback } from '#adapters/gateway/ledger/turns/given-feedback.ts';
import { createHeld, type Held } from '#adapters/gateway/ledger/turns/held.ts';
import {
  createLaneSettingsStore,
  type LaneSettingsStore,
} from '#adapters/gateway/ledger/turns/lane-settings.ts';
import { createProposals, type Proposals } from '#adapters/gateway/ledger/turns/proposals.ts';
import { createTakenFirings, type TakenFirings } from '#adapters/gateway/ledger/turns/taken-firings.ts';
import { createTurnUsageStore, type TurnUsageStore } from '#adapters/gateway/ledger/turns/turn-usage.ts';
import { createTurns, type Turns } from '#adapters/gateway/ledger/turns/turns.ts';
import type { ActiveProblems } from '#base/active-problems.ts';
import type { Clock } from '#base/clock.ts';
import {
  createDiskFailureHandler,
  type DiskFailureHandler,
  isDiskFailure,
} from '#base/files/disk-failures.ts';
import { createFileSync } from '#base/files/file-sync.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import { type Checkpoints, createCheckpoints } from '#base/sqlite/checkpoints.ts';
import { emptyLog } from '#base/sqlite/empty-log.ts';
import { createGroupCommit, type Durability } from '#base/sqlite/group-commit.ts';
import { logOf, openSqlite, type Sqlite } from '#base/sqlite/sqlite.ts';
import { type Bindings, createBindings } from './bindings.ts';
import { type BotAccounts, createBotAccounts } from './bot-accounts.ts';
import { type ChatMigrations, createChatMigrations } from './chat-migrations.ts';
import { type Cursors, createCursors } from './cursors.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import { createMaskRows, type MaskRows } from './mask-rows.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createPlaceNameRows, type PlaceNameRows } from './place-names.ts';
import { createPostedAnswers, type PostedAnswers } from './posted-answers.ts';
import { createPostedRequests, type PostedRequests } from './posted-requests.ts';
import { createRefusedChanges, type RefusedChanges } from './refused-changes.ts';
import { createLedgerRetention, type LedgerRetention } from './retention.ts';
import { createRooms, type Rooms } from './rooms.ts';
import { createSavedNotes, type SavedNotes } from './saved-notes.ts';
import { gatewayMigrations } from './schema.ts';
import { createTraffic, type Traffic } from './traffic.ts';

export interface Ledger extends Pick<DiskFailureHandler, 'explain' | 'persist'> {
  inbox: Inbox;
  turns: Turns;
  outbox: Outbox;
  bindings: Bindings;
  company: Company;
  cursors: Cursors;
  held: Held;
  identities: Identities;
  persons: Persons;
  accessTokens: AccessTokens;
  pairingRequests: PairingRequests;
  linkCodes: LinkCodes;
  laneSettings: LaneSettingsStore;
  botAccounts: BotAccounts;
  turnUsage: TurnUsageStore;
  chatMigrations: ChatMigrations;
  rooms: Rooms;
  placeNames: PlaceNameRows;
  corrections: Corrections;
  amendments: Amendments;
  savedNotes: SavedNotes;
  givenFeedback: GivenFeedback;
  postedAnswers: PostedAnswers;
  takenBack: TakenBack;
  refusedChanges: RefusedChanges;
  takenFirings: TakenFirings;
  proposals: Proposals;
  receivedFiles: ReceivedFiles;
  postedRequests: PostedRequests;
  traffic: Traffic;
  /** What is stored about persons and chats, as a whole. */
  content: ContentRows;
  retention: LedgerRetention;
  /** How answers got to their chats. */
  deliveries: Deliveries;
  /** What people wrote and received, table by table, as far as it is to be masked. */
  unmasked: readonly MaskRows[];
  /** Empties the log into the file, so that what was overwritten stands nowhere. */
  emptyLog(): void;
  /**
   * Runs `work` (synchronous) in one immediate transaction: all of it is committed, or none. A failure of the disk is a
   * ParleyError `storage_failed`; `persist` waits it out.
   */
  transact<T>(work: () => T): T;
  /** What `work` (synchronous) gives; all that it wrote is taken back. */
  preview<T>(work: () => T): T;
  /**
   * As `transact`, but together with what else is written at the moment: resolves as `durability` says, once the disk has it when it
   * says nothing. `written` is called as soon as it is written.
   */
  commit<T>(work: () => T, durability?: Durability, written?: (result: T) => void): Promise<T>;
  /** Resolves once the disk has all that was committed before the call; rejects as `commit` does. */
  onDisk(): Promise<void>;
  /** Lets go of the file at once, and resolves when nothing in this process touches it any more. */
  close(): Promise<void>;
}

/**
 * Opens gateway.sqlite. The inbox is the promise to answer, so what is accepted survives a power cut: its commits wait for the
 * disk (an fdatasync of the log), off the main thread, where `synchronous = FULL` would stand still.
 */
export function openLedger(options: {
  path: string;
  clock: Clock;
  newId: NewId;
  /** See `GatewayOptions`. */
  personIDs?: 'made' | 'derived' | undefined;
  log: Log;
  problems: ActiveProblems;
}): Ledger {
  const database = openSqlite({
    path: options.path,
    clock: options.clock,
    migrations: gatewayMigrations,
    // what is masked or removed is overwritten in the file
    prepare: (opened) => void opened.pragma('secure_delete = ON'),
  });
  const checkpoints = createCheckpoints(database);
  const storage = createDiskFailureHandler({ ...options, written: checkpoints.written });
  try {
    return storesOf({ database, storage, checkpoints }, options);
  } catch (error) {
    database.close();
    throw storage.explain(error) ?? error;
  }
}

function storesOf(
  {
    database,
    storage,
    checkpoints,
  }: { database: Sqlite; storage: DiskFailureHandler; checkpoints: Checkpoints },
  { clock, newId, personIDs }: { clock: Clock; newId: NewId; personIDs?: 'made' | 'derived' | undefined },
): Ledger {
  const traffic = createTraffic(database);
  const people = createIdentities(database, personIDs === 'derived' ? samePerson : () => newId('per'));
  const bindings = createBindings(database);
  const linkCodes = createLinkCodes(database);
  const relink = createRelink(database, { bindings, linkCodes });
  const tokenOwners = createTokenOwners(database);
  const disk = createFileSync(logOf(database));
  const group = createGroupCommit(database, { storage, disk, clock });
  const transact = <T>(work: () => T): T => storage.write(() => database.transaction(work).immediate());
  return {
    inbox: createInbox(database),
    turns: createTurns(database),
    outbox: createOutbox(database, traffic),
    bindings,
    company: createCompany(database),
    cursors: createCursors(database),
    held: createHeld(database),
    identities: people,
    persons: createPersons(database, {
      people,
      relink: (change) => relink(() => tokenOwners(change)),
    }),
    accessTokens: createAccessTokens(database),
    pairingRequests: createPairingRequests(database),
    linkCodes,
    laneSettings: createLaneSettingsStore(database),
    botAccounts: createBotAccounts(database),
    turnUsage: createTurnUsageStore(database),
    chatMigrations: createChatMigrations(database, clock),
    rooms: createRooms(database),
    placeNames: createPlaceNameRows(database),
    corrections: createCorrections(database),
    amendments: createAmendments(database),
    savedNotes: createSavedNotes(database),
    givenFeedback: createGivenFeedback(database),
    postedAnswers: createPostedAnswers(database),
    takenBack: createTakenBack(database),
    refusedChanges: createRefusedChanges(database),
    takenFirings: createTakenFirings(database),
    proposals: createProposals(database),
    receivedFiles: createReceivedFiles(database),
    postedRequests: createPostedRequests(database),
    traffic,
    content: createContentRows(database),
    deliveries: createDeliveries(database),
    retention: createLedgerRetention(database, transact),
    unmasked: createMaskRows(database),
    emptyLog: () => void emptyLog(database),
    explain: storage.explain,
    persist: storage.persist,
    transact,
    preview(work) {
      const taken = Symbol('taken back');
      let result: ReturnType<typeof work> | undefined;
      try {
        transact(() => {
          result = work();
          throw taken;
        });
      } catch (error) {
        if (error !== taken) throw error;
      }
      return result as ReturnType<typeof work>; // the work has returned, or its error was thrown
    },
    commit: (work, durability = 'on disk', written) => group.commit(work, durability, written),
    onDisk: group.onDisk,
    async close() {
      try {
        group.flush();
        database.pragma('optimize');
      } catch (error) {
        if (!isDiskFailure(error)) throw error; // a favour to the next start, not a duty
      } finally {
        disk.close();
        database.close();
        await checkpoints.settled();
      }
    },
  };
}
