// `parley memory ...`: the operator's commands for the memory file, next to a running gateway or without one.
import { join } from 'node:path';
import { declaredAction } from '#app/commands/parts/declared-action.ts';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { dreamingOf, memoryFilesOf } from '#app/compose/memory-files.ts';
import { type LoadedConfig, loadConfig } from '#app/config/load.ts';
import { shareHome } from '#app/home/home-share.ts';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { createIds } from '#base/ids.ts';
import { createMemory, type MemoryOptions } from '#memory/memory.ts';
import type { ActionContext, MemoryAction } from './call.ts';
import { requireKnownSession } from './known-session.ts';
import { memoryValues, requireOwner } from './memory-options.ts';
import { refuseUnused } from './refuse-unused.ts';

/** Loaded when it is called: to search takes less time than to load what the others need. */
type Known =
  | { load: () => Promise<MemoryAction> }
  /** What does not open the file of the memory. */
  | {
      without: () => Promise<
        (input: CommandInput, call: Pick<ActionContext, 'operand' | 'values'>) => Promise<number>
      >;
    };

const actions: Readonly<Record<string, Known>> = {
  status: { load: async () => (await reads()).statusAction },
  budget: { load: async () => (await import('./budget.ts')).budgetAction },
  search: { load: async () => (await reads()).searchAction },
  list: { load: async () => (await reads()).listAction },
  files: { load: async () => (await filing()).filesAction },
  get: { load: async () => (await filing()).getAction },
  note: { load: async () => (await filing()).noteAction },
  index: { load: async () => (await filing()).indexAction },
  show: { load: async () => (await reads()).showAction },
  put: { load: async () => (await writes()).putAction },
  import: { load: async () => (await writes()).importFilesAction },
  promote: { load: async () => (await writes()).promoteAction },
  'promote-explain': { load: async () => (await dreams()).explainAction },
  'rem-harness': { load: async () => (await dreams()).harnessAction },
  'rem-backfill': { load: async () => (await dreams()).backfillAction },
  pin: { load: async () => (await writes()).pinAction },
  report: { load: async () => (await writes()).reportAction },
  demote: { load: async () => (await writes()).demoteAction },
  retract: { load: async () => (await writes()).retractAction },
  preflight: { load: async () => (await knows()).preflightAction },
  knowledge: { load: async () => (await knows()).knowledgeAction },
  withdraw: { load: async () => (await knows()).withdrawAction },
  forget: { load: async () => (await import('./forget.ts')).forgetAction },
  audit: { load: async () => (await reads()).auditAction },
  export: { load: async () => (await reads()).exportAllAction },
  reindex: { load: async () => (await upkeep()).reindexAction },
  verify: { load: async () => (await upkeep()).verifyAction },
  scan: { load: async () => (await upkeep()).scanAction },
  'drop-caches': { load: async () => (await upkeep()).dropCachesAction },
  distill: { without: async () => (await import('./distill.ts')).distill },
  download: { without: async () => (await import('./download.ts')).download },
};

const dreams = () => import('./dreaming.ts');
const filing = () => import('./files.ts');
const reads = () => import('./reading.ts');
const writes = () => import('./writing.ts');
const knows = () => import('./knowledge.ts');
const upkeep = () => import('./maintenance.ts');

/** Runs one action; resolves with 0, or 1 when a file failed, nothing was found to show, or a trace remains. */
export async function parleyMemory(input: CommandInput): Promise<number> {
  const [name = '', ...operands] = input.rest;
  const operand = operands.join(' ').trim() === '' ? undefined : operands.join(' ');
  const known = declaredAction(actions, name);
  const given = input.values;
  // so many days back, where everything else takes a date
  const values = memoryValues(
    name === 'rem-backfill' ? { ...given, from: undefined, days: given.from } : given,
  );
  refuseUnused(name, values);
  if ('without' in known) return (await known.without())(input, { operand, values });
  if (name === 'forget' && values.everywhere)
    return (await import('./everywhere.ts')).forgetEverywhere(input, values);
  const action = await known.load();
  const loaded = loadConfig(input);
  // what is forgotten may be of an agent that only the journal knows
  const partition = name === 'forget' ? undefined : partitionOf(loaded, values.agent);
  requireOwner(values);
  if (values.tier === 'session') await requireKnownSession(input, values, loaded.config.memory.sessionTier);
  using share = new DisposableStack();
  share.adopt(shareHome(loaded.home), (held) => held.release());
  const opened = createMemory({
    path: join(loaded.home, 'memory.sqlite'),
    clock: systemClock,
    newId: createIds(systemClock),
    files: memoryFilesOf(loaded),
    dreaming: dreamingOf(loaded),
    ways: { association: loaded.config.memory.recall.association },
    budgets: loaded.config.memory.budgets,
    ...(await embedderOf(loaded)),
    // a running gateway makes the vectors, and the next one does
    embed: 'questions only',
    // nothing else waits for an answer here, and a thread takes longer to start than a search
    threadAbove: { rows: Number.MAX_SAFE_INTEGER, bytes: 0 },
  });
  try {
    return await action({
      memory: opened,
      home: loaded.home,
      operand,
      values,
      partition,
      print: input.print,
    });
  } finally {
    await opened.close();
  }
}

/** The memory of an agent of the config that has its own; undefined for what agents share. */
function partitionOf({ config }: LoadedConfig, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const all = new Map<string, { partition: string }>([
    ...Object.entries(config.assistants),
    [config.agent.name, config.agent],
  ]);
  const agent = all.get(name);
  if (agent === undefined)
    throw new ParleyError('invalid_usage', `There is no assistant "${name}".`, {
      hint: `Name one of ${[...all.keys()].join(', ')}.`,
    });
  return agent.partition === 'own' ? name : undefined;
}

/** A model's libraries are loaded where one is configured. */
async function embedderOf(
  loaded: LoadedConfig,
): Promise<Pick<MemoryOptions, 'embedder' | 'embedderMissing'>> {
  if (loaded.config.memory.embedding === undefined) return {};
  return (await import('#app/compose/embedder.ts')).chooseEmbedder(loaded);
}
