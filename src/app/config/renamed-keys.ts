// The names that keys and values of the config had in the version before. They still work for one version, with a warning.
import { isDeepStrictEqual } from 'node:util';

interface Rename {
  /** Path of the key; `*` matches any name. */
  from: string;
  /** The new name, in the same place; with dots, a place below it. */
  to: string;
  /** Values that have a new form, by their old one; of a list, each of its values. */
  values?: Readonly<Record<string, unknown>>;
}

const renames: readonly Rename[] = [
  { from: 'channels.telegram.apiRoot', to: 'apiUrl' },
  { from: 'channels.*.signs', to: 'indicators' },
  { from: 'channels.*.mentionOpens', to: 'replyInThread', values: { 'a thread': true, 'no thread': false } },
  { from: 'channels.*.pace', to: 'rateLimits', values: { 'on refusal': 'reactive' } },
  { from: 'channels.*.memory', to: 'memory', values: { 'all they may': 'shared', 'this chat': 'chat-only' } },
  { from: 'channels.*.rooms.each.*.who', to: 'allow' },
  { from: 'channels.*.rooms.each.*.answers', to: 'respondTo' },
  { from: 'channels.*.rooms.each', to: 'overrides' },
  { from: 'channels.*.rooms.only', to: 'include' },
  { from: 'channels.*.rooms.who', to: 'allow' },
  { from: 'channels.*.rooms.answers', to: 'respondTo' },
  { from: 'channels.*.commands', to: 'commands', values: { who: 'whoami', pair: 'pairings' } },
  { from: 'approvals.asked', to: 'requestIn', values: { 'in the room': 'room', 'in private': 'direct' } },
  { from: 'engine.names', to: 'allowedHosts' },
  { from: 'memory.distil.silentMinutes', to: 'idleMinutes' },
  { from: 'memory.distil', to: 'distill' },
  { from: 'memory.embedding.keepPrefix', to: 'documentPrefix' },
  { from: 'memory.embedding.askPrefix', to: 'queryPrefix' },
  { from: 'uploads.keepDays', to: 'retentionDays' },
  { from: 'uploads.limitMiB', to: 'maxSizeMiB' },
  { from: 'runs.keepDays', to: 'retentionDays' },
  { from: 'runs.keepCount', to: 'maxCount' },
];

/**
 * The config as it was read from the file, with its old names replaced by the new ones, and a warning for each that was found.
 * A key that is there under both names is not renamed, so that the schema refuses the old one. The input is not changed.
 */
export function withNewNames(value: unknown): { value: unknown; warnings: string[] } {
  const warnings: string[] = [];
  const copy = structuredClone(value);
  for (const rename of renames) apply(rename, copy, warnings);
  return { value: copy, warnings };
}

function apply({ from, to, values }: Rename, config: unknown, warnings: string[]): void {
  const path = from.split('.');
  const key = path.pop() ?? '';
  for (const { holder, at } of holders(config, path)) {
    if (!Object.hasOwn(holder, key) || (to !== key && Object.hasOwn(holder, to))) continue;
    const old = holder[key];
    const now = Array.isArray(old) ? old.map((each) => newValue(each, values)) : newValue(old, values);
    const isOldValue = !isDeepStrictEqual(now, old);
    if (to === key && !isOldValue) continue;
    delete holder[key];
    holder[to] = now;
    const shown = isOldValue ? `${to}: ${JSON.stringify(now)}` : to;
    const was = isOldValue ? `${[...at, key].join('.')}: ${JSON.stringify(old)}` : [...at, key].join('.');
    warnings.push(`The config key "${was}" has a new name: "${[...at, shown].join('.')}".`);
  }
}

function newValue(old: unknown, values: Rename['values']): unknown {
  return typeof old === 'string' && values !== undefined && Object.hasOwn(values, old) ? values[old] : old;
}

/** Every object at a path, with the names that it was reached by. */
function holders(
  root: unknown,
  path: readonly string[],
): { holder: Record<string, unknown>; at: string[] }[] {
  let found = isRecord(root) ? [{ holder: root, at: [] as string[] }] : [];
  for (const step of path)
    found = found.flatMap(({ holder, at }) =>
      (step === '*' ? Object.keys(holder) : [step]).flatMap((name) => {
        const next = Object.hasOwn(holder, name) ? holder[name] : undefined;
        return isRecord(next) ? [{ holder: next, at: [...at, name] }] : [];
      }),
    );
  return found;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
