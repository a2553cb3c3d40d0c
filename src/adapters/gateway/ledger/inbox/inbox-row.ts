// A message in the inbox as it is stored, and as it is read.
import type { z } from 'zod';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { parseAddress } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { anyObject, parseJson } from '#base/json.ts';

type InboxKind = 'message' | 'command';

export type InboxState = 'waiting' | 'taken' | 'answered' | 'refused' | 'cancelled';

export interface InboxRow {
  id: string;
  address: Address;
  lane: string;
  person: string;
  kind: InboxKind;
  state: InboxState;
  turnID: string | undefined;
  event: MessageEvent;
  writtenAt: number;
  receivedAt: number;
  /** When its author deleted it; its words are gone then. */
  deletedAt: number | undefined;
}

export interface RawInboxRow {
  id: string;
  address: string;
  lane: string;
  person: string;
  kind: InboxKind;
  state: InboxState;
  turn_id: string | null;
  event: string;
  said_at_ms: number;
  received_at_ms: number;
  deleted_at_ms: number | null;
}

const storedEvent = anyObject as unknown as z.ZodType<MessageEvent>; // written only by `insert`, in this file

/** Converts a row of the table `inbox`. */
export function inboxRowOf(raw: RawInboxRow): InboxRow {
  return {
    id: raw.id,
    address: parseAddress(raw.address),
    lane: raw.lane,
    person: raw.person,
    kind: raw.kind,
    state: raw.state,
    turnID: raw.turn_id ?? undefined,
    event: parseJson(raw.event, storedEvent, `inbox row ${raw.id}`),
    writtenAt: raw.said_at_ms,
    receivedAt: raw.received_at_ms,
    deletedAt: raw.deleted_at_ms ?? undefined,
  };
}

/** The columns that `inboxRowOf` reads. */
export const inboxColumns =
  'id, address, lane, person, kind, state, turn_id, event, said_at_ms, received_at_ms, deleted_at_ms';
