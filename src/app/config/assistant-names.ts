// Every assistant that a config names outside of `assistants`, where assistants are bound, and what is wrong with both. Pure.
import type { z } from 'zod';
import { mainAccount } from '#adapters/gateway/terms/channel.ts';
import { platformIDs } from './access-schema.ts';
import type { bindings as bindingsSchema } from './assistant-schema.ts';

type Binding = z.infer<typeof bindingsSchema>[number];

interface Wrong {
  path: (string | number)[];
  message: string;
}

/** What of a config names assistants. Not picked from `Config`, whose schema uses this file. */
interface Naming {
  agent: { name: string; partition: string };
  assistants: Readonly<Record<string, { partition: string }>>;
  bindings: readonly Binding[];
  limits: { assistants: Readonly<Record<string, object>> };
  channels: Readonly<Record<keyof typeof platformIDs, { accounts: Readonly<Record<string, object>> }>>;
  memory: {
    active: { agents?: readonly string[] | undefined };
    budgets?: { agents?: object | undefined } | undefined;
  };
}

const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ');

/** What is wrong with them, by the key: one that does not exist, a name that two have, or memory that is not separate where that is needed. */
export function wrongAssistantNames({ agent, assistants, bindings, limits, memory }: Naming): Wrong[] {
  const all = [[agent.name, agent] as const, ...Object.entries(assistants)];
  const names = all.map(([name]) => name);
  const own = all.flatMap(([name, { partition }]) => (partition === 'own' ? [name] : []));
  const unknown = (path: (string | number)[], name: string): Wrong[] =>
    names.includes(name)
      ? []
      : [
          {
            path,
            message: `there is no assistant ${JSON.stringify(name)}; there are: ${quoted([...new Set(names)])}`,
          },
        ];
  return [
    ...names.flatMap((name, at) => {
      const like = names.slice(0, at).find((other) => other.toLowerCase() === name.toLowerCase());
      const is = like === agent.name ? 'the name of `agent`' : 'another assistant';
      return like === undefined
        ? []
        : [{ path: ['assistants', name], message: `expected a name of its own; ${quoted([like])} is ${is}` }];
    }),
    ...bindings.flatMap(({ assistant }, index) => unknown(['bindings', index, 'assistant'], assistant)),
    ...(memory.active.agents ?? []).flatMap((name, index) =>
      unknown(['memory', 'active', 'agents', index], name),
    ),
    ...Object.keys(limits.assistants).flatMap((name) => unknown(['limits', 'assistants', name], name)),
    ...Object.keys(memory.budgets?.agents ?? {})
      .filter((name) => !own.includes(name))
      .map((name) => ({
        path: ['memory', 'budgets', 'agents', name],
        message: `expected an assistant with \`partition: "own"\` (${own.join(', ') || 'there is none'})`,
      })),
  ];
}

/** Bindings that say no place, one that cannot be, or one that another binding has. */
export function wrongBindings({ bindings, channels }: Pick<Naming, 'bindings' | 'channels'>): Wrong[] {
  const placeOf = ({ assistant: _, ...place }: Binding): string =>
    JSON.stringify(Object.entries(place).sort(([a], [b]) => a.localeCompare(b)));
  return bindings.flatMap((binding, index): Wrong[] => {
    const at = (key: string, message: string): Wrong => ({ path: ['bindings', index, key], message });
    const before = bindings.findIndex((other) => placeOf(other) === placeOf(binding));
    if (Object.keys(binding).length === 1)
      return [at('assistant', 'expected where it answers: a platform, account, space, room or person')];
    if (before < index) {
      const { assistant } = bindings[before] ?? binding;
      return [at('assistant', `"bindings.${before}" binds ${quoted([assistant])} to the same place`)];
    }
    return wrongPlace(binding, channels).map(({ key, message }) => at(key, message));
  });
}

function wrongPlace(
  { platform, account, space, room }: Binding,
  channels: Naming['channels'],
): { key: string; message: string }[] {
  const within = Object.entries({ account, space, room }).filter(([, value]) => value !== undefined);
  if (platform === undefined || platform === 'terminal') {
    const message = `it needs a "platform" that has one: discord, telegram or slack`;
    return within.map(([key]) => ({ key, message }));
  }
  const known = [mainAccount, ...Object.keys(channels[platform].accounts)];
  const ids = [
    ['space', space],
    ['room', room],
  ] as const;
  return [
    ...(account === undefined || known.includes(account)
      ? []
      : [
          {
            key: 'account',
            message: `there is no account ${JSON.stringify(account)} in "channels.${platform}.accounts"; there are: ${quoted(known)}`,
          },
        ]),
    ...ids.flatMap(([key, id]) => {
      const { error } = id === undefined ? {} : platformIDs[platform][key].safeParse(id);
      return (error?.issues ?? []).map(({ message }) => ({ key, message }));
    }),
  ];
}
