// The actions of `parley memory` that only read: status, search, list, show, audit, export.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { dreamLines } from '#app/screen/dream-words.ts';
import { fileLines } from '#app/screen/file-words.ts';
import { paragraph, wrapped } from '#app/screen/screen.ts';
import { refusalLines, vectorWords } from '#app/screen/vector-words.ts';
import { asCalled } from '#base/called-as.ts';
import { ParleyError } from '#base/errors.ts';
import { counted } from '#base/text.ts';
import type { Forgotten } from '#memory/types/maintenance.ts';
import type { Hit } from '#memory/types/recall.ts';
import { titledAudiences } from './audience.ts';
import { entryLines, formatMinute, type MemoryAction, namedScope, required } from './call.ts';
import { indexed } from './files.ts';
import { chosenTag } from './memory-options.ts';

/** How much there is and what does not work; with `--deep` also whether all fits together and whether secrets are in it. */
export const statusAction: MemoryAction = async ({ memory, home, values, print }) => {
  const repaired = values.fix ? await memory.repairDreams() : [];
  if (values.fix || values.index) await indexed(memory, values.json ? 'silent' : 'shown');
  const [state, places] = [await memory.status({ imported: true }), await memory.places()];
  const deep = values.deep
    ? { ...(await memory.verify()), secrets: (await memory.scan({ mode: 'look' })).found }
    : undefined;
  if (values.json) print(JSON.stringify({ ...state, places, ...deep, ...(values.fix && { repaired }) }));
  else {
    print(`entries    ${state.chunks}`);
    print(`vectors    ${vectorWords(state)}`);
    for (const line of refusalLines(state)) print(`           ${line}`);
    if (state.responses > 0) print(`answers    ${state.responses} stored`);
    if (state.imported !== undefined) print(`imported   ${importedWords(state.imported)}`);
    if (state.files !== undefined) for (const line of fileLines(state.files)) print(line);
    if (state.dreaming !== undefined) for (const line of dreamLines(state.dreaming)) print(line);
    for (const words of repaired) print(`repaired   ${words}`);
    print(asCalled(`degraded   ${state.degraded.length === 0 ? 'nothing' : state.degraded.join('; ')}`));
    if (deep !== undefined) {
      print(asCalled(`problems   ${deep.problems.length === 0 ? 'none' : deep.problems.join('; ')}`));
      print(
        asCalled(
          `secrets    ${deep.secrets.length === 0 ? 'none' : `in ${deep.secrets.length}; see "parley memory scan"`}`,
        ),
      );
    }
    const titles = titledAudiences(
      home,
      places.map(({ audience }) => audience),
    );
    for (const { audience, entries } of places) {
      const title = titles.get(audience);
      print(`  ${String(entries).padStart(7)}  ${title ?? audience}`);
      if (title !== undefined) print(`           ${audience}`);
    }
  }
  return deep === undefined || deep.problems.length + deep.secrets.length === 0 ? 0 : 1;
};

function importedWords({ files, withoutPassages }: { files: number; withoutPassages: number }): string {
  return `${counted(files, 'file')}${withoutPassages === 0 ? '' : `; ${withoutPassages} without a passage`}`;
}

/** `parley memory search WORDS`: prints what memory finds, best first. */
export const searchAction: MemoryAction = async (call) => {
  const { memory, values, print } = call;
  const text = required(call.operand, 'a text to search for');
  const limit = values.limit === undefined ? undefined : Math.min(values.limit, 100);
  const query = {
    ...{
      text,
      scope: { ...(await namedScope(call)), sessionID: values.session },
      projectID: values.project,
      besideProject: true,
      limit,
    },
    corpus: values.corpus,
  };
  if (values.records) {
    const records = await memory.records({ ...query, channelTag: values.channel, hostTag: values.host });
    if (values.json) print(JSON.stringify({ records }));
    else {
      for (const record of records)
        for (const line of entryLines({ ...record, speaker: record.agent }, `${record.score.toFixed(2)}  `))
          print(line);
      if (records.length === 0) print('Nothing was found.');
    }
    return 0;
  }
  const { hits, degraded } = await memory.search(query);
  if (values.json) print(JSON.stringify({ hits, degraded }));
  else {
    for (const hit of hits) {
      for (const line of entryLines(hit, `${hit.score.toFixed(2)}  `)) print(line);
      if (values.explain) {
        const place = `${hit.tier}; ${hit.audience}; session ${hit.sessionID || 'none'}`;
        for (const line of [...whyLines(hit), ...wrapped(place, indented.length)])
          print(`${indented}${line}`);
      }
    }
    if (hits.length === 0) print('Nothing was found.');
    for (const words of degraded) print(`Not everything was searched: ${words}.`);
  }
  return 0;
};

/** Why a hit was found, for a terminal of 80 columns. */
function whyLines({ why, scoreParts }: Hit): string[] {
  const isLinked = scoreParts.associated !== undefined;
  const reasons = [
    why.words.length === 0 ? undefined : `words: ${why.words.join(', ')}`,
    isLinked ? 'linked to a better entry by its run, key or tag' : undefined,
    why.neighbour === true && !isLinked ? 'next to an entry that has words of the question' : undefined,
    why.speaker === true ? 'the question names its speaker' : undefined,
    scoreParts.key === undefined ? undefined : 'the question names its key',
    why.vector === undefined ? undefined : `similar in meaning (${why.vector.toFixed(2)} of 1)`,
    `meets ${Math.round(100 * (scoreParts.meets ?? 0))} % of the question`,
  ];
  return wrapped(reasons.filter((one) => one !== undefined).join('; '), indented.length);
}

/** Before a line of an explanation. */
const indented = '      ';

/** `parley memory list`: prints entries, newest first. */
export const listAction: MemoryAction = async (call) => {
  const { memory, values, print } = call;
  const { kind, key, tag = [] } = values;
  if (kind !== undefined || key !== undefined || tag.length > 0 || values.pinned) return listRecords(call);
  const entries = await memory.list({
    scope: await namedScope(call),
    projectID: values.project,
    limit: values.limit,
    before: values.until,
    words: values.contains,
  });
  if (values.json) print(JSON.stringify({ entries }));
  else if (entries.length === 0) print('There is nothing in memory that fits.');
  else for (const entry of entries) for (const line of entryLines(entry)) print(line);
  return 0;
};

/** Records by their kind, key, tag or pin, changed last first. */
const listRecords: MemoryAction = async (call) => {
  const { memory, values, print } = call;
  if (values.until !== undefined)
    throw new ParleyError('invalid_usage', 'Expected --until without --kind, --key, --tag and --pinned.', {
      hint: 'Records are listed by their last change, and not up to a date.',
    });
  const records = await memory.marked({
    scope: await namedScope(call),
    ...{ words: values.contains, projectID: values.project, limit: values.limit ?? 50 },
    ...{ kind: values.kind, key: values.key, tag: chosenTag(values) },
    pinned: values.pinned ? true : undefined,
  });
  if (values.json) print(JSON.stringify({ records }));
  else if (records.length === 0) print('There is nothing in memory that fits.');
  for (const record of values.json ? [] : records) {
    const { kind, key, tags, pinned, agent: speaker } = record;
    for (const line of entryLines({ ...record, speaker })) print(line);
    const about = [
      kind,
      ...(key === undefined ? [] : [`key ${key}`]),
      ...tags.map((tag) => `#${tag}`),
      ...(pinned ? ['pinned'] : []),
    ];
    for (const line of paragraph(about.join('; '))) print(line);
  }
  return 0;
};

/** One entry with its provenance, and of a record all its versions, also of one that is found no more. */
export const showAction: MemoryAction = async (call) => {
  const id = required(call.operand, 'the id of an entry');
  const scope = await namedScope(call);
  const entry = await call.memory.show({ id, scope });
  const versions = await call.memory.records({ scope, ids: [entry?.recordID ?? id] });
  const forgotten =
    entry === undefined
      ? await call.memory.forgotten({ id, of: call.values.audience ?? 'every audience' })
      : undefined;
  if (forgotten !== undefined && versions.length === 0) {
    call.print(
      call.values.json ? JSON.stringify({ forgotten }) : wrapped(forgottenNotice(forgotten)).join('\n'),
    );
    return 1;
  }
  if (entry === undefined && versions.length === 0)
    throw new ParleyError('not_found', `There is no entry ${id}.`, { hint: 'See "parley memory list".' });
  const shown = versions.length === 0 ? entry : { ...(entry ?? versions.at(-1)), versions };
  call.print(JSON.stringify(shown, null, call.values.json ? undefined : 2));
  return 0;
};

/** When an entry was forgotten, by which person and why. */
function forgottenNotice({ id, at, by, audience, reason }: Forgotten): string {
  const why = reason === undefined ? 'No reason was given.' : `Reason: ${reason}`;
  return `${id} was forgotten on ${formatMinute(at)} UTC by ${by}; it belonged to ${audience}. ${why}`;
}

/** `parley memory audit`: prints the changes of records, without their texts. */
export const auditAction: MemoryAction = async ({ memory, values, print }) => {
  const events = await memory.audit({
    of: values.audience ?? 'every audience',
    limit: values.limit,
  });
  if (values.json) print(JSON.stringify({ events }));
  else if (events.length === 0) print('Nothing was done to memories yet.');
  else
    for (const { at, action, actor, audience, ids, detail } of events) {
      const details = Object.entries(detail).map(([name, value]) => `${name} ${value}`);
      const more = ids.length > 1 ? [`and ${ids.length - 1} more`] : [];
      for (const line of paragraph(`${formatMinute(at)}  ${action}  ${actor}  ${audience}`))
        print(line.slice(2));
      for (const line of paragraph([ids[0] ?? '-', ...more, ...details].join('; '))) print(line);
    }
  return 0;
};

/** Writes a line of JSON for each memory into the file, or to standard output. */
export const exportAllAction: MemoryAction = async (call) => {
  const { memory, values, operand, print } = call;
  const lines = memory.export({ scope: await namedScope(call), projectID: values.project });
  let count = 0;
  if (operand === undefined) {
    for await (const line of lines) print(JSON.stringify(line));
    return 0;
  }
  const file = createWriteStream(operand, { flags: 'wx', mode: 0o600 });
  await once(file, 'open').catch((cause: unknown) => {
    throw new ParleyError(
      'invalid_usage',
      `${operand} cannot be written: it is there already, or its folder is not.`,
      {
        hint: 'Name a file that is not there yet.',
        cause,
      },
    );
  });
  for await (const line of lines) {
    if (!file.write(`${JSON.stringify(line)}\n`)) await once(file, 'drain');
    count += 1;
  }
  file.end();
  await finished(file);
  print(
    values.json
      ? JSON.stringify({ memories: count })
      : `${counted(count, 'memory')} ${count === 1 ? 'was' : 'were'} written to ${operand}.`,
  );
  return 0;
};
