// Questions about generated documents, put to search and to plain FTS5.
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Memory } from '#memory/types/contract.ts';
import { createBaseline } from './baseline.ts';
import { generateDocuments } from './documents.ts';
import { type Answered, figuresOf, lineOf, percentile, tableHead } from './figures.ts';

const writtenAt = new Date('2026-01-01T00:00:00Z');

/** Prints a table and gives its figures. */
export async function onDocuments(
  memory: Memory,
  folder: string,
  print: (line: string) => void,
): Promise<Record<string, unknown>> {
  const { files, questions } = generateDocuments();
  const documents = join(folder, 'documents');
  mkdirSync(documents);
  for (const { name, text } of files) {
    const path = join(documents, name);
    writeFileSync(path, text);
    // of equals the newer comes first: without times of their own the order would depend on which files were written in the same millisecond
    utimesSync(path, writtenAt, writtenAt);
  }
  const where = { audience: 'room:bench:documents', restricted: true } as const;
  const { chunks } = await memory.importPath({ path: documents, format: 'directory', where });
  const scope = { audiences: [where.audience], spaces: [], everyone: false };
  const baseline = createBaseline(
    files.flatMap(({ sections }) =>
      sections.map(({ id, heading, body }) => ({ id, text: `${heading}\n${body}` })),
    ),
  );
  const times: number[] = [];
  const [found, plain]: [Answered[], Answered[]] = [[], []];
  for (const { question, category, evidence } of questions) {
    const began = performance.now();
    const { hits } = await memory.search({ text: question, scope, limit: 20 });
    times.push(performance.now() - began);
    const ids = hits.map(({ text }) => /\(section (\d+\.\d+)\)/.exec(text)?.[1] ?? '');
    found.push({ category, evidence, found: ids });
    plain.push({ category, evidence, found: baseline.search(question, 20) });
  }
  baseline.close();
  const [ours, theirs] = [figuresOf(found), figuresOf(plain)];
  print(`documents (${files.length} generated files, ${chunks.stored} passages)\n${tableHead}`);
  print(lineOf('plain FTS5 (porter, OR)', theirs));
  print(lineOf('parley', ours));
  const p95ms = percentile(times, 0.95);
  print(`milliseconds a query: p50 ${percentile(times, 0.5)}, p95 ${p95ms}`);
  return {
    r5: ours.recall5,
    r10: ours.recall10,
    r20: ours.recall20,
    mrr: ours.mrr,
    ndcg10: ours.ndcg10,
    p95ms,
  };
}
