// A ledger in a separate folder, with the rows that tests of its tables begin with.
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { NewInboxRow } from '#adapters/gateway/ledger/inbox/inbox.ts';
import { type Ledger, openLedger } from '#adapters/gateway/ledger/ledger.ts';
import { type Address, parseAddress } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { createActiveProblems } from '#base/active-problems.ts';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { quietLog } from '../../../support/quiet-log.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

export const here = parseAddress('discord:channel:bot:G:C:-');
export const thread = parseAddress('discord:channel:bot:G:C:T');

/** Opens the ledger at this path, or in a new folder; it closes with the test. */
export function openedLedger(t: TestContext, path = join(tempFolder(t), 'gateway.sqlite')): Ledger {
  const ledger = openLedger({
    path,
    clock: systemClock,
    newId: createIds(systemClock),
    log: quietLog().log,
    problems: createActiveProblems(systemClock),
  });
  t.after(() => ledger.close());
  return ledger;
}

/** A ledger and the ways in which people come into it. */
export function openPeople(t: TestContext) {
  const path = join(tempFolder(t), 'gateway.sqlite');
  const ledger = openedLedger(t, path);
  const meet = (userID: string, name = userID, platform = 'discord') =>
    ledger.identities.meet(platform, { id: userID, name });
  const give = (userID: string, name: string, more: object = {}) =>
    ledger.persons.give(
      { platform: 'discord', userID, shownAs: userID },
      { name, role: 'guest', by: 'approved', at: 1, ...more },
    );
  return { path, ledger, meet, give };
}

export function eventOf(nativeID: string, event: Partial<MessageEvent> = {}): MessageEvent {
  return {
    type: 'message',
    address: here,
    nativeID,
    at: 1,
    actor: { id: 'u1', name: 'Ann', isBot: false },
    addressed: 'mention',
    text: `text of ${nativeID}`,
    files: [],
    ...event,
  };
}

/** Inserts a message under the id `inb_N`, N being its platform's id. */
export function put(
  ledger: Ledger,
  nativeID: string,
  { event = {}, ...row }: Partial<Omit<NewInboxRow, 'event'>> & { event?: Partial<MessageEvent> } = {},
): boolean {
  return ledger.inbox.insert({
    id: `inb_${nativeID}`,
    lane: 'lane',
    person: 'per_1',
    kind: 'message',
    receivedAt: 1,
    ...row,
    event: eventOf(nativeID, event),
  });
}

/** Inserts a turn that runs. */
export function begin(ledger: Ledger, id: string, turn: { lane?: string; address?: Address } = {}): void {
  ledger.turns.insert({ id, lane: 'lane', address: here, replyTo: undefined, at: 1, ...turn });
}
