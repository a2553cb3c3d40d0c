// `parley memory ...`: what its owner does with the memory file, beside a running gateway or without one. Not what chats may see.
import { join } from 'node:path';
import { loadConfig } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { createIds } from '#base/ids.ts';
import { createMemory } from '#memory/memory.ts';
import type { Keeping, Memory } from '#memory/terms/contract.ts';
import type { Entry } from '#memory/terms/keeping.ts';
import type { Scope } from '#memory/terms/scope.ts';
import type { CommandInput } from './input.ts';
import { type MemoryValues, memoryValues } from './memory-options.ts';
import { showProgress } from './progress.ts';

interface Call {
  memory: Memory & Keeping;
  /** The one operand: a path, a text, an id. */
  operand: string | undefined;
  values: MemoryValues;
  print: (line: string) => void;
}

type Action = (call: Call) => Promise<number>;

const actions: Readonly<Record<string, Action>> = {
  status,
  search,
  list,
  show,
  import: importFiles,
  forget,
  verify,
};

const help = `Usage: parley memory ACTION [OPTIONS]

Whoever may read the home folder reads all of it: these commands ask for every
audience unless --audience names one.

  status                 how much is remembered, and what does not work
  search TEXT            the best entries  [--limit N] [--explain]
  list                   the newest entries  [--limit N] [--until DATE]
  show ID                one entry with its provenance
  import PATH            files into memory  --format directory|transcript
                         --audience person:ID|room:KEY  [--space KEY --public]
  forget                 shows what is meant; with --apply forgets it for good
                         [--id ID]... [--person ID] [--chat ADDRESS]
                         [--session ID] [--project ID] [--source PATH]
                         [--from DATE] [--until DATE] [--words TEXT]
  verify [WORDS]         whether all fits together, and whether a word of WORDS
                         stands anywhere in the files

Options for all: --audience A, --project ID, --json, --config FILE`;

/** Runs one action; resolves with 0, or 1 when a file failed, nothing was found to show, or a trace remains. */
export async function memory(input: CommandInput): Promise<number> {
  const [name = 'help', ...operands] = input.rest;
  if (name === 'help' || input.values.help === true) {
    input.print(help);
    return 0;
  }
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined)
    throw new ParleyError('wrong_call', `"${name}" is not an action of "parley memory".`, {
      cure: `Choose one of ${Object.keys(actions).join(', ')}.`,
    });
  const values = memoryValues(input.values);
  const { home } = loadConfig(input);
  const opened = createMemory({
    path: join(home, 'memory.sqlite'),
    clock: systemClock,
    newId: createIds(systemClock),
  });
  try {
    const operand = operands.length === 0 ? undefined : operands.join(' ');
    return await action({ memory: opened, operand, values, print: input.print });
  } finally {
    await opened.close();
  }
}

/** All that the file holds, or the one audience that was named. */
async function scopeOf({ memory: from, values }: Call): Promise<Scope> {
  if (values.audience !== undefined) return { audiences: [values.audience], spaces: [], everyone: false };
  const places = await from.places();
  return { audiences: places.map(({ audience }) => audience), spaces: [], everyone: true };
}

function needed<T>(value: T | undefined, what: string): T {
  if (value !== undefined) return value;
  throw new ParleyError('wrong_call', `Expected ${what}.`, { cure: 'See "parley memory help".' });
}

async function status({ memory: from, values, print }: Call): Promise<number> {
  const [state, places] = [await from.status(), await from.places()];
  if (values.json) print(JSON.stringify({ ...state, places }));
  else {
    print(`entries    ${state.chunks}`);
    print(`vectors    ${state.vectors} (${state.embedding})`);
    print(`degraded   ${state.degraded.length === 0 ? 'nothing' : state.degraded.join('; ')}`);
    for (const { audience, entries } of places) print(`  ${String(entries).padStart(7)}  ${audience}`);
  }
  return 0;
}

async function search(call: Call): Promise<number> {
  const { memory: from, values, print } = call;
  const { hits, degraded } = await from.search({
    text: needed(call.operand, 'a text to search for'),
    scope: await scopeOf(call),
    projectID: values.project,
    limit: values.limit === undefined ? undefined : Math.min(values.limit, 100),
  });
  if (values.json) print(JSON.stringify({ hits, degraded }));
  else {
    for (const hit of hits) {
      print(`${hit.score.toFixed(2)}  ${lineOf(hit)}`);
      if (values.explain) {
        const parts = Object.entries(hit.scoreParts).map(([name, value]) => `${name} ${value.toFixed(2)}`);
        print(`      ${parts.join(', ')}; ${hit.audience}; session ${hit.sessionID}`);
      }
    }
    if (hits.length === 0) print('Nothing was found.');
    for (const words of degraded) print(`Not everything was searched: ${words}.`);
  }
  return 0;
}

async function list(call: Call): Promise<number> {
  const { values, print } = call;
  const entries = await call.memory.list({
    scope: await scopeOf(call),
    projectID: values.project,
    limit: values.limit,
    before: values.until,
  });
  if (values.json) print(JSON.stringify({ entries }));
  else for (const entry of entries) print(lineOf(entry));
  return 0;
}

async function show(call: Call): Promise<number> {
  const id = needed(call.operand, 'the id of an entry');
  const entry = await call.memory.show({ id, scope: await scopeOf(call) });
  if (entry === undefined)
    throw new ParleyError('not_found', `There is no entry ${id}.`, { cure: 'See "parley memory list".' });
  call.print(JSON.stringify(entry, null, call.values.json ? undefined : 2));
  return 0;
}

async function importFiles({ memory: into, operand, values, print }: Call): Promise<number> {
  const progress = showProgress('files', values.json ? 'silent' : 'shown');
  const report = await into.importPath({
    path: needed(operand, 'the path of a file or folder'),
    format: needed(values.format, '--format directory or --format transcript'),
    where: {
      audience: needed(
        values.audience,
        '--audience person:ID or room:KEY: who may be shown what is imported',
      ),
      space: values.space,
      restricted: !values.public,
    },
    projectID: values.project,
    onFile: progress.update,
  });
  progress.end();
  if (values.json) print(JSON.stringify(report));
  else {
    const { files, chunks } = report;
    print(
      `files    ${files.stored} stored, ${files.unchanged} unchanged, ${files.empty} empty, ${files.failed} failed`,
    );
    print(`entries  ${chunks.stored} stored, ${chunks.removed} removed`);
    for (const { path, words, cure } of report.failures)
      print(`  ${path}: ${words}${cure === undefined ? '' : ` ${cure}`}`);
  }
  return report.files.failed === 0 ? 0 : 1;
}

async function forget(call: Call): Promise<number> {
  const { values, print } = call;
  const result = await call.memory.forget({
    scope: await scopeOf(call),
    selection: {
      ids: values.id,
      person: values.person,
      chat: values.chat,
      session: values.session,
      project: values.project,
      source: values.source,
      from: values.from,
      until: values.until,
      words: values.words,
    },
    mode: values.apply ? 'forget' : 'preview',
  });
  if (values.json) print(JSON.stringify(result));
  else {
    print(
      `${result.entries} entries ${result.forgotten ? 'are forgotten' : 'would be forgotten; nothing was changed'}.`,
    );
    if (!result.forgotten) for (const entry of result.samples) print(`  ${lineOf(entry)}`);
    if (!result.forgotten && result.entries > 0) print('Add --apply to forget them for good.');
    for (const words of result.remains) print(`  remains: ${words}`);
  }
  return result.remains.length === 0 ? 0 : 1;
}

async function verify({ memory: of, operand, values, print }: Call): Promise<number> {
  const found = await of.verify(operand?.split(/\s+/));
  if (values.json) print(JSON.stringify(found));
  else {
    for (const words of found.problems) print(words);
    for (const { word, file } of found.traces) print(`"${word}" stands in ${file}`);
    if (found.problems.length + found.traces.length === 0)
      print('All fits together, and no trace was found.');
  }
  return found.problems.length + found.traces.length === 0 ? 0 : 1;
}

function lineOf({ id, at, speaker, platform, text }: Entry): string {
  const line = text.replace(/\s+/g, ' ');
  return `${id}  ${new Date(at).toISOString().slice(0, 16)}  ${platform}  ${speaker}  ${line.length > 100 ? `${line.slice(0, 99)}…` : line}`;
}
