// `parley memory ...`: the operator's commands for the memory file, next to a running gateway or without one.
import { join } from 'node:path';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { refuseExtra, type Takes } from '#app/commands/parts/takes.ts';
import { dreamingOf, memoryFilesOf } from '#app/compose/memory-files.ts';
import { type LoadedConfig, loadConfig } from '#app/config/load.ts';
import { shareHome } from '#app/home/home-share.ts';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { createIds } from '#base/ids.ts';
import { createMemory, type MemoryOptions } from '#memory/memory.ts';
import type { ActionContext, MemoryAction } from './call.ts';
import { memoryValues, ownNames } from './memory-options.ts';

interface Known extends Takes {
  /** Loaded when it is called: to search takes less time than to load what the others need. */
  load?: () => Promise<MemoryAction>;
  /** In place of `load`, for what does not open the file of the memory. */
  without?: () => Promise<
    (input: CommandInput, call: Pick<ActionContext, 'operand' | 'values'>) => Promise<number>
  >;
}

const whose = ['audience', 'project'];
const selecting = [
  ...['id', 'person', 'chat', 'session', 'project', 'source', 'from', 'until', 'contains'],
  ...['kind', 'key', 'tag'],
];
const why = ['reason', 'audience'];
const covering = ['family', 'namespace', 'approved'];

const actions: Readonly<Record<string, Known>> = {
  status: {
    load: async () => (await reads()).statusAction,
    words: 'none',
    options: ['deep', 'index', 'fix'],
  },
  budget: {
    load: async () => (await import('./budget.ts')).budgetAction,
    words: 'none',
    options: ['audience'],
  },
  search: {
    load: async () => (await reads()).searchAction,
    words: 'text',
    options: ['limit', 'explain', 'records', 'channel', 'host', 'corpus', ...whose],
  },
  list: {
    load: async () => (await reads()).listAction,
    words: 'none',
    options: ['limit', 'until', 'contains', 'kind', 'key', 'tag', 'pinned', ...whose],
  },
  files: { load: async () => (await filing()).filesAction, words: 'none', options: ['audience'] },
  get: { load: async () => (await filing()).getAction, words: 'one', options: ['lines', 'line', 'audience'] },
  note: { load: async () => (await filing()).noteAction, words: 'text', options: ['audience'] },
  index: { load: async () => (await filing()).indexAction, words: 'none', options: ['force'] },
  show: { load: async () => (await reads()).showAction, words: 'one', options: ['audience'] },
  put: {
    load: async () => (await writes()).putAction,
    words: 'text',
    options: [
      ...['kind', 'tier', 'supersedes', 'expires', 'channel', 'host', 'space', 'public', 'session'],
      ...['key', 'tag', 'pinned', 'sensitive', 'agent', ...whose],
    ],
  },
  import: {
    load: async () => (await writes()).importFilesAction,
    words: 'one',
    options: [
      ...['path', 'format', 'space', 'public', 'tier', 'sync-deletes', 'allow-empty'],
      ...['account', 'session', 'agent', ...whose],
    ],
  },
  promote: {
    load: async () => (await writes()).promoteAction,
    words: 'one',
    options: ['to', 'reason', 'subject', 'expires', 'dry-run', 'revert', ...covering, ...whose],
  },
  'promote-explain': { load: async () => (await dreams()).explainAction, words: 'one' },
  'rem-harness': { load: async () => (await dreams()).harnessAction, words: 'none', options: ['audience'] },
  'rem-backfill': {
    load: async () => (await dreams()).backfillAction,
    words: 'none',
    options: ['from', 'revert', 'audience'],
  },
  pin: { load: async () => (await writes()).pinAction, words: 'one', options: ['unpin', 'audience'] },
  report: {
    load: async () => (await writes()).reportAction,
    words: 'one',
    options: ['failed', 'reason', 'audience'],
  },
  demote: { load: async () => (await writes()).demoteAction, words: 'one', options: why },
  retract: { load: async () => (await writes()).retractAction, words: 'one', options: why },
  preflight: {
    load: async () => (await knows()).preflightAction,
    words: 'text',
    options: [...covering, ...whose],
  },
  knowledge: {
    load: async () => (await knows()).knowledgeAction,
    words: 'none',
    options: ['limit', ...whose],
  },
  withdraw: { load: async () => (await knows()).withdrawAction, words: 'one', options: ['audience'] },
  forget: {
    load: async () => (await import('./forget.ts')).forgetAction,
    words: 'none',
    options: [...selecting, 'audience', 'apply', 'everywhere', 'reason'],
  },
  audit: { load: async () => (await reads()).auditAction, words: 'none', options: ['limit', 'audience'] },
  export: { load: async () => (await reads()).exportAllAction, words: 'one', options: whose },
  reindex: { load: async () => (await upkeep()).reindexAction, words: 'none' },
  verify: { load: async () => (await upkeep()).verifyAction, words: 'text' },
  scan: { load: async () => (await upkeep()).scanAction, words: 'none', options: ['fix'] },
  'drop-caches': { load: async () => (await upkeep()).dropCachesAction, words: 'none' },
  distill: {
    without: async () => (await import('./distill.ts')).distill,
    words: 'one',
    options: ['importance', 'audience'],
  },
  download: { without: async () => (await import('./download.ts')).download, words: 'none' },
};

const dreams = () => import('./dreaming.ts');
const filing = () => import('./files.ts');
const reads = () => import('./reading.ts');
const writes = () => import('./writing.ts');
const knows = () => import('./knowledge.ts');
const upkeep = () => import('./maintenance.ts');

const memoryHelp = `Usage: parley memory ACTION [OPTIONS]

Anyone who may read the home folder reads all of it: these commands ask for
every audience unless --audience names one.

  status          how much is remembered, and what does not work; with --deep
                  also whether all fits together and holds no secrets;
                  --index indexes changed files first; --fix finishes what was
                  begun and left
  budget          how much of each budget is used, and what would go next
  search TEXT     the best entries  [--limit N] [--explain]
                  --records: governed records only, by their words
                  [--channel TAG] [--host TAG]
                  [--corpus memory|sessions|wiki]: files, conversations, pages
  files           the memory files, and whether they are indexed
  get PATH        lines of one, as it is now  [--line N] [--lines N]
  note TEXT       a line at the end of today's note of one audience
  index           indexes what changed in files; --force all of them again
  list            the newest entries  [--limit N] [--until DATE]
                  [--contains TEXT]; records only, changed last first:
                  [--kind KIND] [--key KEY] [--tag TAG] [--pinned]
  show ID         one entry with its provenance and all its versions
  put TEXT        stores a record, for person:operator unless --audience names
                  another  [--kind note|fact|solution_capsule|procedure|
                  preference] [--key KEY] [--tag TAG]... [--pinned]
                  [--sensitive] [--agent NAME]
                  [--tier session|project|global] [--supersedes ID]
                  [--expires DATE] [--channel TAG] [--host TAG]
  import PATH     files into memory, for person:operator unless --audience
                  names another  --format FORMAT  [--space KEY --public]
                  [--tier session|project|global] [--sync-deletes]
                  [--session ID] [--agent NAME]; --path PATH says it too;
                  with --sync-deletes, --allow-empty lets most of it go
                  directory   Markdown and text below a folder, as its
                              .gitignore leaves them, to 2 MiB each
                  openclaw    MEMORY.md and memory/ of its workspaces
                  transcript  conversations in JSON, or a turn a line in JSONL
                  telegram    the JSON export of Telegram Desktop: its folder,
                              its result.json, or a zip of it
                  slack       the zip of a Slack export, or its folder
                  discord     Discord's data package, or JSON files of
                              DiscordChatExporter: a zip, a folder, a file
                  --account ID, with the last three: rooms belong to themselves,
                  as the bot with this account knows them
  distill SESSION lasting facts of a conversation, stored: found by the model
                  of the running Parley, by rules where none runs
                  [--importance 0.5]
  promote ID      a record to a wider tier  --to project|global --reason TEXT
                  --to knowledge: it is reused where it covers the work
                  --subject TEXT --reason TEXT [--family TEXT]
                  [--namespace TEXT] [--expires DATE] [--approved]
  promote         writes what was recalled often into MEMORY.md  [--dry-run]
                  promote ID --revert takes one promotion back
  promote-explain ID  the parts of a candidate's score, and its verdict
  rem-harness     what the next sweep would do; nothing is written
  rem-backfill    summaries of earlier days in DREAMS.md  --from DAYS
                  --revert takes all of them back
  pin ID          every prompt of its audience has the record  [--unpin]
  report ID       a procedure worked, or did not  [--failed] [--reason TEXT]
  demote ID       a record is no longer found, until promoted  [--reason TEXT]
  retract ID      a record is withdrawn and stays as history  [--reason TEXT]
  preflight TEXT  whether knowledge covers work on this subject
                  [--family TEXT] [--namespace TEXT] [--approved]
  knowledge       all of it, promoted last first  [--limit N]
  withdraw ID     knowledge is no longer reused, and its record stays
  forget          shows what is meant; with --apply forgets it permanently
                  [--id ID]... [--person NAME|PLATFORM:ID|per_ID]
                  [--chat ADDRESS|room:KEY|#ROOM] [--session ID] [--project ID]
                  [--source PATH] [--from DATE] [--until DATE] [--contains TEXT]
                  [--kind KIND] [--key KEY] [--tag TAG] [--reason TEXT]
                  a NAME means all accounts of the person, an account itself;
                  --everywhere, with a person, a chat or a session: also in
                  conversations, files of runs, the inbox, the outbox and
                  files that came
  audit           who did what to which memories  [--limit N]
  export [FILE]   a line of JSON for each memory
  reindex         makes words, full text and vectors again
  download        the files of the local embedding model that the config names;
                  one that was cut continues where it stopped
  verify [WORDS]  whether all fits together, and whether a word of WORDS
                  is in any file of the home folder, and in which
  drop-caches     deletes cached answers, and vectors that wait for an import
  scan            secrets that were stored before they were looked for; with
                  --fix masks them permanently

Options for all: --json, --config FILE; for what reads or stores memories also
--audience A and --project ID. --project-id and --session-id are other names of
--project and --session.`;

/** Runs one action; resolves with 0, or 1 when a file failed, nothing was found to show, or a trace remains. */
export async function parleyMemory(input: CommandInput): Promise<number> {
  const [name = 'help', ...operands] = input.rest;
  if (name === 'help' || input.values.help === true) {
    input.print(memoryHelp);
    return 0;
  }
  const operand = operands.length === 0 ? undefined : operands.join(' ');
  const known = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (known === undefined)
    throw new ParleyError('invalid_usage', `"${name}" is not an action of "parley memory".`, {
      hint: `Choose one of ${Object.keys(actions).join(', ')}.`,
    });
  const named = ownNames(input.values);
  refuseExtra({ command: 'memory', action: name, takes: known }, { rest: input.rest, values: named });
  // so many days back, where everything else takes a date
  const values = memoryValues(
    name === 'rem-backfill' ? { ...named, from: undefined, days: named.from } : named,
  );
  if (known.without !== undefined) return (await known.without())(input, { operand, values });
  if (name === 'forget' && values.everywhere)
    return (await import('./everywhere.ts')).forgetEverywhere(input, values);
  const action = await known.load?.();
  if (action === undefined) throw new Error(`"${name}" does nothing`);
  const loaded = loadConfig(input);
  const partition = partitionOf(loaded, values.agent);
  const embedder = await embedderOf(loaded);
  using share = new DisposableStack();
  share.adopt(shareHome(loaded.home), (held) => held.release());
  const opened = createMemory({
    path: join(loaded.home, 'memory.sqlite'),
    clock: systemClock,
    newId: createIds(systemClock),
    files: memoryFilesOf(loaded),
    dreaming: dreamingOf(loaded),
    ways: loaded.config.memory.recall.ways,
    budgets: loaded.config.memory.budgets,
    ...embedder,
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
  const { team: _, ...others } = config.agents;
  const all = new Map<string, { partition?: string | undefined }>([
    ...Object.entries(others as Record<string, { partition?: string | undefined }>),
    [config.agent.name, config.agent],
  ]);
  const agent = all.get(name);
  if (agent === undefined)
    throw new ParleyError('invalid_usage', `There is no agent "${name}".`, {
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
