// The words that the glossary replaces: none may come back.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

/** A pattern of the glossary's second table, and how many places may have it. */
const rows = [
  ...readFileSync(join(root, 'docs', 'glossary.md'), 'utf8').matchAll(/^\| `(.+)` \| (.+) \| (\d+) \|$/gm),
].map(([, pattern = '', instead = '', left = '']) => ({
  pattern: pattern.replaceAll('\\|', '|'),
  instead,
  left: Number(left),
}));

const lines = ['src', 'test', 'bench', 'docs', 'README.md', 'CONTRIBUTING.md']
  .flatMap((place) =>
    place.endsWith('.md')
      ? [place]
      : globSync(`${place}/**/*.{ts,js,md,html}`, { cwd: root, exclude: ['**/node_modules/**'] }),
  )
  .filter((path) => !path.endsWith('glossary.md'))
  .flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .map((text, at) => ({ at: `${path}:${at + 1}`, text })),
  );

test('the glossary lists the words that are not used', () => {
  assert.ok(rows.length > 50, `expected the table of the glossary, found ${rows.length} rows`);
  assert.ok(lines.length > 10_000);
});

for (const { pattern, instead, left } of rows)
  test(`"${instead}" replaces ${pattern}`, () => {
    const regex = new RegExp(pattern, 'gu');
    const found = lines.flatMap(({ at, text }) =>
      [...text.matchAll(regex)].map(() => `${at}: ${text.trim().slice(0, 120)}`),
    );
    assert.ok(
      found.length <= left,
      `${found.length} places have it, ${left} may. Rewrite the newest, or those here:\n${found.slice(0, 20).join('\n')}`,
    );
    assert.equal(
      found.length,
      left,
      `${found.length} places are left: write that number into docs/glossary.md`,
    );
  });
