// Which assistant answers a message: the one that was chosen in the chat, else the most specific binding, else the usual one.

import { laneOf, type SessionsBy } from '#adapters/gateway/ledger/lane.ts';
import { assistantIn, withAssistant } from '#adapters/gateway/ledger/lane-name.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Language } from '#adapters/gateway/phrases/language.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import type { Role } from '#adapters/gateway/terms/role.ts';

export interface Assistant {
  name: string;
  /** Who may choose it in a direct message. */
  choosableBy: Role | 'nobody';
  /** What the bot itself speaks where it is bound; the config's language when absent. */
  language?: Language | undefined;
}

/** Where an assistant answers: all that is named has to hold. */
export interface AssistantBinding {
  assistant: string;
  platform?: string | undefined;
  /** The name of a bot in the config. */
  account?: string | undefined;
  /** The platform's own ids. */
  space?: string | undefined;
  room?: string | undefined;
  /** The name under which a person is known. */
  person?: string | undefined;
}

export interface AssistantRules {
  /** The usual one first. */
  all: readonly [Assistant, ...Assistant[]];
  bindings: readonly AssistantBinding[];
}

export interface Assistants {
  /** All that are configured, the usual one first. */
  all(): readonly Assistant[];
  /** The lane of a message, which names the assistant that answers it. */
  laneOf(event: MessageEvent, person: string, sessions: SessionsBy): string;
  /** The lane of the same place and person, as of now: another one where another assistant was chosen or bound since. */
  laneNow(lane: string, at: { address: Address; person: string }): string;
  /** The name of the assistant that answers in a lane. */
  nameIn(lane: string): string;
  /** An assistant that was chosen for a lane and is not configured any more. */
  goneFrom(lane: string): string | undefined;
  /** The language of the assistant that is bound to a place, whoever speaks there; else that of the config. */
  languageAt(address: Address): Language;
}

/** What a binding may name, from the most to the least specific. */
const specific = ['room', 'person', 'space', 'account', 'platform'] as const;

/** The binding that holds at a place for a person (undefined: nobody that is known); undefined where none does. Pure. */
export function bindingAt(
  bindings: readonly AssistantBinding[],
  at: { address: Address; account: string; person: () => string | undefined },
): AssistantBinding | undefined {
  const { platform, space, chat } = at.address;
  // a group of Telegram is its own space
  const here = { platform, account: at.account, space: space ?? chat, room: chat };
  const holds = ({ assistant: _, person, ...place }: AssistantBinding): boolean =>
    (['platform', 'account', 'space', 'room'] as const).every(
      (key) => place[key] === undefined || place[key] === here[key],
    ) &&
    (person === undefined || person === at.person());
  const rank = (binding: AssistantBinding): number =>
    specific.reduce((sum, key) => sum * 2 + (binding[key] === undefined ? 0 : 1), 0);
  return bindings.filter(holds).sort((one, other) => rank(other) - rank(one))[0];
}

/** Over the settings of the moment; `accountOf` gives the name of the bot whose chat an address is. */
export function createAssistants({
  ledger,
  settings,
  accountOf,
}: {
  ledger: Pick<Ledger, 'laneSettings' | 'persons'>;
  /** Only the usual one, of the name `agent`, where there are no rules. */
  settings: () => {
    agent: string;
    assistants?: AssistantRules | undefined;
    language?: Language | undefined;
  };
  accountOf: (address: Address) => string;
}): Assistants {
  const rules = (): AssistantRules => {
    const { agent: name, assistants } = settings();
    return assistants ?? { all: [{ name, choosableBy: 'owner' }], bindings: [] };
  };
  const isKnown = (name: string): boolean => rules().all.some((one) => one.name === name);
  const bound = (address: Address, person: string | undefined): string | undefined => {
    const { bindings } = rules();
    if (bindings.length === 0) return undefined;
    const name = (): string | undefined =>
      person === undefined ? undefined : ledger.persons.standingOf(person).name;
    return bindingAt(bindings, { address, account: accountOf(address), person: name })?.assistant;
  };
  const laneNow: Assistants['laneNow'] = (lane, { address, person }) => {
    const [usual, ...others] = rules().all;
    if (others.length === 0) return withAssistant(lane, undefined);
    const { agent: chosen } = ledger.laneSettings.of(lane);
    const name = chosen !== undefined && isKnown(chosen) ? chosen : bound(address, person);
    return withAssistant(lane, name === usual.name ? undefined : name);
  };
  return {
    all: () => rules().all,
    laneNow,
    laneOf: (event, person, sessions) =>
      laneNow(laneOf(event, person, sessions), { address: event.address, person }),
    nameIn: (lane) => assistantIn(lane) ?? rules().all[0].name,
    goneFrom(lane) {
      const { agent: chosen } = ledger.laneSettings.of(lane);
      return chosen === undefined || isKnown(chosen) ? undefined : chosen;
    },
    languageAt(address) {
      const name = bound(address, undefined);
      return rules().all.find((one) => one.name === name)?.language ?? settings().language ?? 'en';
    },
  };
}
