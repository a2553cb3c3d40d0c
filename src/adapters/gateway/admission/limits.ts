// How much people, rooms and assistants may use within a day, and what people are told once it is used up. Owners have no limits, and commands count for nothing.

import { assistantIn } from '#adapters/gateway/ledger/lane-name.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import { roomOf } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import type { Role } from '#adapters/gateway/terms/role.ts';
import type { Assistants } from './assistants.ts';

/** Each within 24 hours; without a number there is no limit. */
export interface Limit {
  messages?: number | undefined;
  tokens?: number | undefined;
  costUSD?: number | undefined;
}

export interface Limits {
  person: Limit;
  room: Limit;
  /** Of each assistant, used by everyone together. */
  assistant?: Limit | undefined;
  /** Of single assistants by name: each takes the place of the same one of `assistant`. */
  assistants?: Readonly<Record<string, Limit>> | undefined;
}

/** Nobody is limited. */
export const noLimits: Limits = { person: {}, room: {} };

/** What was used within the last 24 hours. */
export type Used = Required<{ [Unit in keyof Limit]: number }>;

const dayMs = 86_400_000;

/** The messages, tokens and costs of these accounts of one person together, in rooms and in private. */
export function usedBy(
  accounts: readonly string[],
  { ledger, now }: { ledger: Pick<Ledger, 'inbox' | 'turnUsage'>; now: number },
): Used {
  const since = now - dayMs;
  return {
    messages: ledger.inbox.fromPersons(accounts, since),
    ...ledger.turnUsage.byPersons(accounts, since),
  };
}

/** Which limit is used up: whose, of what, and how much of it there is within a day. */
export interface UsedUp {
  by: 'person' | 'room' | 'assistant';
  /** The assistant. */
  name?: string | undefined;
  unit: 'messages' | 'tokens' | 'dollars';
  limit: number;
}

/**
 * What is used up for a message that is about to be taken; undefined while nothing is. What a run costs is known at its end, so that
 * the last answer within a limit may go beyond it.
 */
export function limitUsedUp(
  { address }: MessageEvent,
  {
    ledger,
    limits,
    person,
    role,
    lane,
    nameIn,
    now,
  }: {
    ledger: Pick<Ledger, 'inbox' | 'persons' | 'turnUsage'>;
    limits: Limits;
    /** The account that speaks; undefined for one that was never met. */
    person: string | undefined;
    role: Role;
    /** Where it would be answered; called only where assistants have limits. */
    lane: () => string;
    nameIn: Assistants['nameIn'];
    now: number;
  },
): UsedUp | undefined {
  if (role === 'owner') return undefined;
  const since = now - dayMs;
  const { persons, inbox, turnUsage: spent } = ledger;
  if (person !== undefined && isSet(limits.person)) {
    const { key } = persons.standingOf(person);
    const all = key === undefined ? [person] : persons.idsOf(key);
    const what = beyond(limits.person, usedBy(all, { ledger, now }));
    if (what !== undefined) return { by: 'person', ...what };
  }
  if (address.kind !== 'dm' && isSet(limits.room)) {
    const used = { messages: inbox.countIn(address, since), ...spent.inRoom(roomOf(address), since) };
    const what = beyond(limits.room, used);
    if (what !== undefined) return { by: 'room', ...what };
  }
  const { assistant = {}, assistants = {} } = limits;
  if (!isSet(assistant) && Object.keys(assistants).length === 0) return undefined;
  const at = lane();
  const name = nameIn(at);
  const limit = limitOf(limits, name);
  const what = isSet(limit) ? beyond(limit, usedOf(assistantIn(at), { ledger, now })) : undefined;
  return what === undefined ? undefined : { by: 'assistant', name, ...what };
}

const limitOf = ({ assistant, assistants }: Limits, name: string): Limit => ({
  ...assistant,
  ...assistants?.[name],
});

/** The assistants that have a limit, with what everyone together used of them; `names` has the usual one first. */
export function usedOfAssistants(
  names: readonly string[],
  { limits, ...at }: { ledger: Pick<Ledger, 'inbox' | 'turnUsage'>; limits: Limits; now: number },
): { name: string; used: Used; limits: Limit }[] {
  return names.flatMap((name, index) => {
    const limit = limitOf(limits, name);
    return isSet(limit) ? [{ name, used: usedOf(index === 0 ? undefined : name, at), limits: limit }] : [];
  });
}

/** What everyone together used of an assistant; undefined means the usual one. */
function usedOf(
  assistant: string | undefined,
  { ledger, now }: { ledger: Pick<Ledger, 'inbox' | 'turnUsage'>; now: number },
): Used {
  const since = now - dayMs;
  return {
    messages: ledger.inbox.toAssistant(assistant, since),
    ...ledger.turnUsage.ofAssistant(assistant, since),
  };
}

const isSet = ({ messages, tokens, costUSD }: Limit): boolean =>
  messages !== undefined || tokens !== undefined || costUSD !== undefined;

function beyond(limit: Limit, used: Used): Omit<UsedUp, 'by' | 'name'> | undefined {
  if (limit.messages !== undefined && used.messages >= limit.messages)
    return { unit: 'messages', limit: limit.messages };
  if (limit.tokens !== undefined && used.tokens >= limit.tokens)
    return { unit: 'tokens', limit: limit.tokens };
  if (limit.costUSD !== undefined && used.costUSD >= limit.costUSD)
    return { unit: 'dollars', limit: limit.costUSD };
  return undefined;
}
