// The table of the documents' statements: each test that it names is there, under that title.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

interface Row {
  document: string;
  section: string;
  statement: string;
  where: string;
}

/** The rows of the table, with the headings that they stand below. */
function rowsOf(page: string): Row[] {
  let [document, section] = ['', ''];
  return page.split('\n').flatMap((line): Row[] => {
    if (line.startsWith('## ')) document = line.slice(3);
    else if (line.startsWith('### ')) section = line.slice(4);
    const [, statement, where] = /^\| (.+?) \| (.+) \|$/.exec(line) ?? [];
    if (statement === undefined || where === undefined || /^(?:statement|---)$/.test(statement)) return [];
    return [{ document, section, statement, where }];
  });
}

/** The titles of a test file, as they stand in its source: a template has its holes. */
function titlesOf(source: string): Set<string> {
  const calls = source.matchAll(/\btest(?:\.\w+)?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs);
  return new Set([...calls].map(([, , title = '']) => title));
}

const rows = rowsOf(readFileSync(join(import.meta.dirname, 'documents.md'), 'utf8'));

test('each statement of the documents names a test that is there, or is left out', () => {
  const wrong = rows.flatMap(({ statement, where }): string[] => {
    if (where.startsWith('not done: ')) return [];
    const [, file, title = ''] = /^`([\w./-]+\.test\.ts)`: (.+)$/.exec(where) ?? [];
    if (file === undefined) return [`${statement}: expected \`FILE\`: TITLE, got ${where}`];
    const path = join(import.meta.dirname, file);
    if (!existsSync(path)) return [`${statement}: there is no test/${file}`];
    return titlesOf(readFileSync(path, 'utf8')).has(title)
      ? []
      : [`${statement}: test/${file} has no test with the title ${title}`];
  });
  assert.deepEqual(wrong, []);
});

test('what is left out of the documents stands in the page of memory, each with its reason, and nothing else does', () => {
  const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'memory.md'), 'utf8');
  const [, leftOut = ''] = page.split('\n## Left out\n');
  const said = rowsOf(leftOut.split('\n## ')[0] ?? '');
  const notDone = rows.filter(({ where }) => where.startsWith('not done: '));
  assert.deepEqual(
    said.map(({ statement }) => statement),
    notDone.map(({ statement }) => statement),
  );
  for (const { statement, where } of said) assert.ok(where.length > 20, `${statement}: ${where}`);
});

test('the table has all five documents in order, and says each statement of a section once', () => {
  assert.deepEqual(
    [...new Set(rows.map(({ document }) => document))].map((name) => /`(.+)`/.exec(name)?.[1]),
    [
      'agent-memory-schema',
      'openclaw-memory',
      'tandem-memory-internals',
      'tandem-under-the-hood',
      'tyrum-memory',
    ],
  );
  const statements = rows.map(({ document, section, statement }) => `${document}, ${section}: ${statement}`);
  assert.deepEqual(
    statements.filter((statement, at) => statements.indexOf(statement) !== at),
    [],
  );
  assert.ok(rows.length >= 300, `${rows.length} rows`);
});
