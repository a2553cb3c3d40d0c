// Markdown as an import cuts it: the headings that a full parse finds, blocks that stay whole, and no word lost.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { markdownBlocks } from '#memory/import/items/markdown-blocks.ts';
import { plainWords } from '#memory/words/tokens.ts';

const text = ['running', 'commands', 'memory', 'architecture']
  .map((page) => readFileSync(join(import.meta.dirname, `../../docs/${page}.md`), 'utf8'))
  .join('\n');

test('the headings of a long file are those that a full parse finds', () => {
  const parsed = fromMarkdown(text).children.flatMap((node) =>
    node.type === 'heading'
      ? [[node.depth, text.slice(node.position?.start.offset, node.position?.end.offset).replace(/^#+ /, '')]]
      : [],
  );
  const found = [...markdownBlocks(text)].flatMap((block) =>
    block.kind === 'heading' ? [[block.depth, block.text]] : [],
  );
  assert.ok(parsed.length > 10);
  assert.deepEqual(found, parsed);
});

test('fences, lists and underlined headings stay whole, with what is indented below them', () => {
  const source = [
    '# One #',
    'Two',
    '===',
    'a paragraph',
    'of two lines',
    '```sh',
    '# no heading',
    '',
    'echo',
    '```',
    '- first',
    '',
    '  more of it',
    '- second',
    '',
    'after',
    '---',
    '***',
  ].join('\n');
  assert.deepEqual(
    [...markdownBlocks(source)],
    [
      { kind: 'heading', depth: 1, text: 'One' },
      { kind: 'heading', depth: 1, text: 'Two' },
      { kind: 'block', text: 'a paragraph\nof two lines' },
      { kind: 'block', text: '```sh\n# no heading\n\necho\n```' },
      { kind: 'block', text: '- first\n\n  more of it\n- second' },
      { kind: 'heading', depth: 2, text: 'after' },
      { kind: 'block', text: '***' },
    ],
  );
});

test('whatever stands in a file, its words come out in order', () => {
  const line = fc.constantFrom(
    'word',
    '# head',
    '- item',
    '  deeper',
    '```',
    '---',
    '',
    '> quote',
    '| a | b |',
    '2) two',
    '\ttab',
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const source = lines.join('\n');
      const out = [...markdownBlocks(source)].map((block) => block.text).join('\n');
      assert.deepEqual(plainWords(out), plainWords(source));
    }),
  );
});
