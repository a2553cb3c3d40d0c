// What `parley memory forget` means: the options as they are typed, in every form in which a person or a chat is shown.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createMeant, type Meant, readMeant } from '#adapters/gateway/ledger/meant.ts';
import { ParleyError } from '#base/errors.ts';
import type { Selection } from '#memory/types/maintenance.ts';
import { chosenTag, type MemoryValues } from './memory-options.ts';

interface MeantSelection {
  selection: Selection;
  /** Accounts that the gateway of this home folder has met. */
  persons: string[];
  /** Said when an account is meant and its person has others. */
  hint: string | undefined;
}

/** The selection of the options; names and accounts are those of the gateway's ledger in the home folder, where there is one. */
export function meantBy(values: MemoryValues, home: string): MeantSelection {
  const ledger = join(home, 'gateway.sqlite');
  const ask = (meant: Meant): MeantSelection => {
    const person = values.person === undefined ? undefined : meant.persons(values.person);
    const chat = values.chat === undefined ? undefined : meant.chats(values.chat);
    const sessions = [...(chat?.sessions ?? []), ...(values.session === undefined ? [] : [values.session])];
    return {
      selection: {
        ids: values.id,
        person: person?.keys,
        chat: chat === undefined || chat.chats.length === 0 ? undefined : chat.chats,
        session: sessions.length === 0 ? undefined : sessions,
        run: values.run,
        agent: values.agent,
        project: values.project,
        kind: values.kind,
        key: values.key,
        tag: chosenTag(values),
        source: values.source,
        from: values.from,
        until: values.until,
        words: values.contains,
      },
      persons: person?.persons ?? [],
      hint:
        person?.oneOf === undefined
          ? undefined
          : `That is one account of ${person.oneOf}; --person ${JSON.stringify(person.oneOf)} means all of them.`,
    };
  };
  const asks = (values.person ?? values.chat) !== undefined && existsSync(ledger);
  return asks ? readMeant(ledger, ask) : ask(createMeant(undefined));
}

/** Options that choose what is forgotten. Those of time are besides. */
const selectors = [
  'id',
  'person',
  'chat',
  'session',
  'run',
  'agent',
  'project',
  'source',
  'contains',
  'kind',
  'key',
  'tag',
] as const;

/** Throws a ParleyError `invalid_usage` where nothing is chosen, since all of it is never meant. */
export function requireSelection(values: MemoryValues): void {
  const all = [...selectors, 'from', 'until'] as const;
  if (all.some((name) => values[name] !== undefined)) return;
  const named = all.map((name) => `--${name}`).join(', ');
  throw new ParleyError('invalid_usage', `Expected at least one of ${named}.`);
}

/** The selecting options as they were typed, for a command line that repeats them. */
export function typedSelection(values: MemoryValues): string {
  const typed: Readonly<Record<string, string>> = values.typed;
  const chosen = selectors.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [`--${typed[name] ?? name} ${[value].flat().join(' ')}`];
  });
  return [...chosen, ...((values.from ?? values.until) === undefined ? [] : ['the time'])].join(' and ');
}
