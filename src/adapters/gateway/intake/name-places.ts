// Takes in what a platform calls a place: inside the transaction of its event. Which rooms are asked about is name-keeper.ts.

import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { PlaceNameRows } from '#adapters/gateway/ledger/place-names.ts';
import { type Address, formatAddress } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent, PlaceNamedEvent } from '#adapters/gateway/terms/inbound.ts';
import type { PlaceNames } from '#engine/wire/channels/place-names.ts';

type Named = Pick<PlaceNamedEvent, 'address' | 'names'>;
type Which = Parameters<PlaceNameRows['set']>[2];

/** Notes the names of a place, under its first address too, by which memory knows it; whether something is other than before. */
export function namePlace(
  { chatMigrations, placeNames }: Pick<Ledger, 'chatMigrations' | 'placeNames'>,
  { address, names }: Named,
  which: Which,
): boolean {
  const first = chatMigrations.originalAddress(address);
  const isMoved = formatAddress(first) !== formatAddress(address);
  const changed = placeNames.set(address, names, which);
  return (isMoved && placeNames.set(first, names, which)) || changed;
}

/** What a message says of the names of its place. */
export function namesOfMessage(
  { address, room }: Pick<MessageEvent, 'address' | 'room'>,
  { placeNames }: Pick<Ledger, 'placeNames'>,
): PlaceNames {
  const { names = {}, openedAs } = room ?? {};
  const isNew = openedAs !== undefined && placeNames.of(address).thread === undefined;
  return isNew ? { thread: openedAs, ...names } : names;
}

/** The same for a place in which something was said to the bot; of any other only what has a name gets its new one. */
export function nameKnownPlace(
  ledger: Pick<Ledger, 'chatMigrations' | 'placeNames' | 'rooms' | 'inbox'>,
  named: Named,
): boolean {
  return namePlace(ledger, named, isKnown(ledger, named.address) ? 'all' : 'renamed');
}

function isKnown(
  { chatMigrations, rooms, inbox }: Pick<Ledger, 'chatMigrations' | 'rooms' | 'inbox'>,
  address: Address,
): boolean {
  if (address.thread !== undefined && inbox.hasChat(address)) return true;
  return rooms.get(`room:${formatAddress(chatMigrations.originalAddress(address))}`) !== undefined;
}
