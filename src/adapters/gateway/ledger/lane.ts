// Which lane a message belongs to (one lane, one session), and which memory audience its place is.
import { type Address, formatAddress, roomOf, spaceOf } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import type { MessageAudience } from '#adapters/gateway/terms/message-audience.ts';
import type { Ledger } from './ledger.ts';

/** `room`: everyone in a room or thread shares one session; `person`: each person there has their own. */
export type SessionsBy = 'room' | 'person';

/** The key of a lane: the direct message or a topic of it, the room or thread, or one person in it. */
export function laneOf(event: MessageEvent, person: string, sessions: SessionsBy): string {
  const { address } = event;
  if (address.kind === 'dm') return event.topic === true ? formatAddress(address) : roomOf(address);
  return sessions === 'room' ? formatAddress(address) : `${formatAddress(address)}#${person}`;
}

/**
 * The place of a message by its room's first address, when the platform has moved it since. A room that the platform said nothing about
 * counts as restricted, and so does one that is known to be closed, whatever the message says. A thread that is known as a room of its own is
 * one also where the message does not say so: a button's press, and what is due.
 */
export function messageAudienceIn(
  ledger: Pick<Ledger, 'chatMigrations' | 'rooms'>,
  { event, person, address }: { event: MessageEvent; person: string; address: Address },
): MessageAudience {
  const home = ledger.chatMigrations.originalAddress(address);
  const said = messageAudienceOf(event, person, home);
  const place = isOwnRoom(ledger, address) ? { ...said, audience: `room:${formatAddress(home)}` } : said;
  return { ...place, restricted: place.restricted || ledger.rooms.get(place.audience)?.restricted === true };
}

/** Whether a thread is known as a room of its own: it has other readers than the room above it. */
export function isOwnRoom(
  { chatMigrations, rooms }: Pick<Ledger, 'chatMigrations' | 'rooms'>,
  address: Address,
): boolean {
  const home = chatMigrations.originalAddress(address);
  return home.thread !== undefined && rooms.get(`room:${formatAddress(home)}`) !== undefined;
}

/** The audience of a message written at `address`, as the message itself reports it. */
export function messageAudienceOf({ room }: MessageEvent, person: string, address: Address): MessageAudience {
  if (address.kind === 'dm') return { audience: `person:${person}`, space: undefined, restricted: true };
  const whole = room?.privateThread === true ? formatAddress(address) : roomOf(address);
  return { audience: `room:${whole}`, space: spaceOf(address), restricted: room?.restricted ?? true };
}
