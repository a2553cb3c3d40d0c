// `parley memory ...`: what its owner does with the memory file, beside a running gateway or without one. Not what chats may see.
import { join } from 'node:path';
import { type Loaded, loadConfig } from '#app/config/load.ts';
import { shareHome } from '#app/home-share.ts';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { createIds } from '#base/ids.ts';
import { createMemory, type MemoryOptions } from '#memory/memory.ts';
import type { CommandInput } from './input.ts';
import type { Action } from './memory/call.ts';
import { memoryValues } from './memory-options.ts';

/** Loaded when they are called: to search takes less time than to load what the others need. */
const actions: Readonly<Record<string, () => Promise<Action>>> = {
  status: async () => (await import('./memory/reading.ts')).status,
  search: async () => (await import('./memory/reading.ts')).search,
  list: async () => (await import('./memory/reading.ts')).list,
  show: async () => (await import('./memory/reading.ts')).show,
  put: async () => (await import('./memory/writing.ts')).put,
  import: async () => (await import('./memory/writing.ts')).importFiles,
  promote: async () => (await import('./memory/writing.ts')).promote,
  demote: async () => (await import('./memory/writing.ts')).demote,
  retract: async () => (await import('./memory/writing.ts')).retract,
  preflight: async () => (await import('./memory/knowledge.ts')).preflight,
  knowledge: async () => (await import('./memory/knowledge.ts')).knowledge,
  withdraw: async () => (await import('./memory/knowledge.ts')).withdraw,
  forget: async () => (await import('./memory/forget.ts')).forget,
  audit: async () => (await import('./memory/reading.ts')).audit,
  export: async () => (await import('./memory/reading.ts')).exportAll,
  reindex: async () => (await import('./memory/upkeep.ts')).reindex,
  verify: async () => (await import('./memory/upkeep.ts')).verify,
  scan: async () => (await import('./memory/upkeep.ts')).scan,
  'drop-caches': async () => (await import('./memory/upkeep.ts')).dropCaches,
};

/** At most 80 columns wide. */
export const memoryHelp = `Usage: parley memory ACTION [OPTIONS]

Whoever may read the home folder reads all of it: these commands ask for every
audience unless --audience names one.

  status          how much is remembered, and what does not work; with --deep
                  also whether all fits together and holds no secrets
  search TEXT     the best entries  [--limit N] [--explain]
                  --records: governed records alone, by their words
                  [--channel TAG] [--host TAG]
  list            the newest entries  [--limit N] [--until DATE] [--words TEXT]
  show ID         one entry with its provenance and all its versions
  put TEXT        keeps a record, for person:operator unless --audience names
                  another  [--kind note|fact|solution_capsule]
                  [--tier session|project|global] [--supersedes ID]
                  [--expires DATE] [--channel TAG] [--host TAG]
  import PATH     files into memory  --format FORMAT
                  --audience person:ID|room:KEY  [--space KEY --public]
                  [--tier session|project|global] [--sync-deletes]
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
  distil SESSION  what a conversation holds of lasting worth, kept as facts: by
                  the model of the running Parley, by rules where none runs
                  [--importance 0.5]
  promote ID      a record to a wider tier  --to project|global --reason TEXT
                  --to knowledge: it is reused where it covers the work
                  --subject TEXT --reason TEXT [--family TEXT]
                  [--namespace TEXT] [--expires DATE] [--approved]
  demote ID       a record is no longer found, until promoted  [--reason TEXT]
  retract ID      a record is withdrawn and stays as history  [--reason TEXT]
  preflight TEXT  whether knowledge covers work on this subject
                  [--family TEXT] [--namespace TEXT] [--approved]
  knowledge       all of it, promoted last first  [--limit N]
  withdraw ID     knowledge is no longer reused, and its record stays
  forget          shows what is meant; with --apply forgets it for good
                  [--id ID]... [--person NAME|PLATFORM:ID|per_ID]
                  [--chat ADDRESS|room:KEY] [--session ID] [--project ID]
                  [--source PATH] [--from DATE] [--until DATE] [--words TEXT]
                  [--reason TEXT]
                  a NAME means all accounts of the person, an account itself;
                  --everywhere, with a person, a chat or a session: also in
                  conversations, files of runs, the inbox, the outbox and
                  files that came
  audit           who did what to which memories  [--limit N]
  export [FILE]   a line of JSON for each memory
  reindex         makes words, full text and vectors anew
  verify [WORDS]  whether all fits together, and whether a word of WORDS
                  stands in any file of the home folder, and in which
  drop-caches     throws away kept answers, and vectors that wait for an import
  scan            secrets that were stored before they were looked for; with
                  --fix masks them for good

Options for all: --audience A, --project ID, --json, --config FILE`;

/** Runs one action; resolves with 0, or 1 when a file failed, nothing was found to show, or a trace remains. */
export async function memory(input: CommandInput): Promise<number> {
  const [name = 'help', ...operands] = input.rest;
  if (name === 'help' || input.values.help === true) {
    input.print(memoryHelp);
    return 0;
  }
  const operand = operands.length === 0 ? undefined : operands.join(' ');
  if (name === 'distil') {
    const { distil } = await import('./memory/distil.ts');
    return distil(input, { operand, values: memoryValues(input.values) });
  }
  if (name === 'forget' && input.values.everywhere === true)
    return (await import('./memory/everywhere.ts')).forgetEverywhere(input, memoryValues(input.values));
  const load = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (load === undefined)
    throw new ParleyError('wrong_call', `"${name}" is not an action of "parley memory".`, {
      cure: `Choose one of ${[...Object.keys(actions), 'distil'].join(', ')}.`,
    });
  const action = await load();
  const values = memoryValues(input.values);
  const loaded = loadConfig(input);
  const embedder = await embedderOf(loaded);
  using share = new DisposableStack();
  share.adopt(shareHome(loaded.home), (held) => held.release());
  const opened = createMemory({
    path: join(loaded.home, 'memory.sqlite'),
    clock: systemClock,
    newId: createIds(systemClock),
    ...embedder,
    // a running gateway makes the vectors, and the next one does
    embed: 'questions only',
    // nothing else waits for an answer here, and a thread takes longer to start than a search
    threadAbove: { rows: Number.MAX_SAFE_INTEGER, bytes: 0 },
  });
  try {
    return await action({ memory: opened, home: loaded.home, operand, values, print: input.print });
  } finally {
    await opened.close();
  }
}

/** A model's libraries are loaded where one is configured. */
async function embedderOf(loaded: Loaded): Promise<Pick<MemoryOptions, 'embedder' | 'embedderMissing'>> {
  if (loaded.config.memory.embedding === undefined) return {};
  return (await import('#app/compose/embedder.ts')).chooseEmbedder(loaded);
}
