// Who may read what a batch of messages says, and what its run may recall from somewhere else.

import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import { messageAudienceIn } from '#adapters/gateway/ledger/lane.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Reading, Recallable } from '#adapters/gateway/readers/reading.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { MessageAudience } from '#adapters/gateway/terms/message-audience.ts';
import type { Profile } from '#adapters/gateway/terms/profiles.ts';

/** The audience of a batch, whose messages are of one room: restricted if any of them is. */
export function placeOfBatch(
  batch: readonly [InboxRow, ...InboxRow[]],
  ledger: Pick<Ledger, 'chatMigrations' | 'rooms'>,
): MessageAudience {
  const [first] = batch;
  const restricted = batch.some((row) => messageAudienceIn(ledger, row).restricted);
  return { ...messageAudienceIn(ledger, first), restricted };
}

/** The chats that the run may recall from, its own chat included. */
export async function recallableBy(
  row: InboxRow,
  {
    reading,
    profileOf,
  }: { reading: Pick<Reading, 'inPrivate' | 'inRoom'>; profileOf: (address: Address) => Profile },
): Promise<Recallable> {
  const { address } = row;
  if (profileOf(address).memory === 'chat-only') return { reach: { audiences: [], spaces: [] } };
  return address.kind === 'dm' ? reading.inPrivate(row) : reading.inRoom(address);
}
