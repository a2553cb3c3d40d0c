// `npm run bench:retrieval -- --data FILE`: how good and how fast the public search is on conversations and on documents, beside plain FTS5.
// With `--everywhere` each question is asked of all conversations at once, where plain FTS5 is still asked of the right one alone.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createMemory } from '#memory/memory.ts';
import type { Keeping, Memory } from '#memory/terms/contract.ts';
import { createBaseline } from './baseline.ts';
import { type Conversation, importConversations, readConversations, scopeOf } from './conversations.ts';
import { generateDocuments } from './documents.ts';
import { type Answered, figuresOf, lineOf, percentile, tableHead } from './figures.ts';

const { values } = parseArgs({ options: { data: { type: 'string' }, everywhere: { type: 'boolean' } } });
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const writtenAt = new Date('2026-01-01T00:00:00Z');
const folder = mkdtempSync(join(tmpdir(), 'parley-retrieval-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const memory = createMemory({
  path: join(folder, 'memory.sqlite'),
  clock: systemClock,
  newId: createIds(systemClock),
});
const result: Record<string, unknown> = {};
if (values.data === undefined) print('No --data FILE with conversations was given: documents only.');
else Object.assign(result, await onConversations(memory, readConversations(values.data)));
Object.assign(result, await onDocuments(memory));
await memory.close();
print(JSON.stringify(result));

async function onConversations(
  into: Memory & Keeping,
  conversations: readonly Conversation[],
): Promise<Record<string, unknown>> {
  await importConversations(into, conversations, join(folder, 'transcripts'));
  const [found, plain]: Answered[][] = [[], []];
  const [times, busy]: [number[], number[]] = [[], []];
  let plainMs = 0;
  const audiences = conversations.flatMap(({ id }) => scopeOf(id).audiences);
  for (const { id, turns, questions } of conversations) {
    const baseline = createBaseline(turns.map((turn) => ({ id: turn.id, text: withDate(turn) })));
    for (const { question, category, evidence } of questions) {
      const [began, cpu] = [performance.now(), process.threadCpuUsage()];
      const within = values.everywhere
        ? { scope: { ...scopeOf(id), audiences } }
        : { scope: scopeOf(id), projectID: id };
      const { hits } = await into.search({ text: question, ...within, limit: 20 });
      times.push(performance.now() - began);
      busy.push(cpuSince(cpu));
      // turns of different conversations are numbered alike
      const own = new Set<string>(scopeOf(id).audiences);
      const ids = hits.map(({ audience, messageIDs: [first = ''] }) =>
        own.has(audience) ? first : `of another: ${first}`,
      );
      found?.push({ category, evidence, found: ids });
      const before = process.threadCpuUsage();
      plain?.push({ category, evidence, found: baseline.search(question, 20) });
      plainMs += cpuSince(before);
    }
    baseline.close();
  }
  const [ours, theirs] = [figuresOf(found ?? []), figuresOf(plain ?? [])];
  print(`conversations\n${tableHead}`);
  print(lineOf('porter OR with dates (FTS5)', theirs));
  print(lineOf('parley', ours));
  const byCategory = Map.groupBy(found ?? [], (one) => one.category);
  for (const [category, list] of byCategory) print(lineOf(`  ${category}`, figuresOf(list)));
  const speed = speedOf(times, busy);
  print(
    `milliseconds a query: p50 ${speed.p50}, p95 ${speed.p95}; of the processor: p50 ${speed.cpu50}, p95 ${speed.cpu95}`,
  );
  const each = (sum: number): number => Math.round((100 * sum) / times.length) / 100;
  const [mean, plainMean] = [each(busy.reduce((sum, one) => sum + one, 0)), each(plainMs)];
  print(`of the processor on average: ${mean}; plain FTS5: ${plainMean}`);
  return { conversations: { ...ours, ms: { ...speed, mean } }, baseline: { ...theirs, mean: plainMean } };
}

async function onDocuments(into: Memory & Keeping): Promise<Record<string, unknown>> {
  const { files, questions } = generateDocuments();
  const documents = join(folder, 'documents');
  mkdirSync(documents);
  for (const { name, text } of files) {
    const path = join(documents, name);
    writeFileSync(path, text);
    // of equals the newer comes first: without a time of their own that would be which file was written in the same millisecond
    utimesSync(path, writtenAt, writtenAt);
  }
  const where = { audience: 'room:bench:documents', restricted: true } as const;
  const { chunks } = await into.importPath({ path: documents, format: 'directory', where });
  const scope = { audiences: [where.audience], spaces: [], everyone: false };
  const baseline = createBaseline(
    files.flatMap(({ sections }) =>
      sections.map(({ id, heading, body }) => ({ id, text: `${heading}\n${body}` })),
    ),
  );
  const [times, busy]: [number[], number[]] = [[], []];
  const [found, plain]: Answered[][] = [[], []];
  for (const { question, category, evidence } of questions) {
    const [began, cpu] = [performance.now(), process.threadCpuUsage()];
    const { hits } = await into.search({ text: question, scope, limit: 20 });
    times.push(performance.now() - began);
    busy.push(cpuSince(cpu));
    found?.push({
      category,
      evidence,
      found: hits.map(({ text }) => /\(section (\d+\.\d+)\)/.exec(text)?.[1] ?? ''),
    });
    plain?.push({ category, evidence, found: baseline.search(question, 20) });
  }
  baseline.close();
  const [ours, theirs] = [figuresOf(found ?? []), figuresOf(plain ?? [])];
  print(`documents (${files.length} generated files, ${chunks.stored} passages)\n${tableHead}`);
  print(lineOf('porter OR (FTS5)', theirs));
  print(lineOf('parley', ours));
  const speed = speedOf(times, busy);
  print(
    `milliseconds a query: p50 ${speed.p50}, p95 ${speed.p95}; of the processor: p50 ${speed.cpu50}, p95 ${speed.cpu95}`,
  );
  return { documents: { ...ours, ms: speed }, documentsBaseline: theirs };
}

/** What a query took by the clock, and of the processor alone: a busy machine shows in the first. */
function speedOf(times: readonly number[], busy: readonly number[]) {
  return {
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    cpu50: percentile(busy, 0.5),
    cpu95: percentile(busy, 0.95),
  };
}

function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

function withDate({ text, caption, at }: Conversation['turns'][number]): string {
  const day = new Date(at).toLocaleDateString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `${text} ${caption ?? ''} ${day}`;
}
