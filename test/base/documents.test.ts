// Documents as text, in the thread that reads them.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import type { DocumentCalls, DocumentFormat } from '#base/documents/document-calls.ts';
import { documentThreads } from '#base/documents/document-threads.ts';
import * as made from '../support/documents.ts';
import { tempFolder } from '../support/temp-folder.ts';

const limits = { cpuMs: 8_000, ms: 60_000 };

async function read(
  t: TestContext,
  { format, bytes, maxChars = 40_000 }: { format: DocumentFormat; bytes: Buffer; maxChars?: number },
): Promise<DocumentCalls['document']['result']> {
  const path = join(tempFolder(t), 'document');
  writeFileSync(path, bytes);
  const { signal } = new AbortController();
  return documentThreads().call('document', { file: path, format, maxChars }, { limits, signal });
}

async function textOf(t: TestContext, format: DocumentFormat, bytes: Buffer): Promise<string> {
  const result = await read(t, { format, bytes });
  assert.ok('text' in result, JSON.stringify(result));
  assert.equal(result.cut, false);
  return result.text;
}

test('a Word document is its headings, lists, tables, pages and footnotes, without what was deleted', async (t) => {
  assert.equal(
    await textOf(t, 'word', made.report),
    [
      '## Herons',
      'They land & rest at nine.',
      '- grey',
      '',
      '| place | count |',
      '| pond\\|lake | 7 or 8 |',
      '',
      '[page 2]',
      'On the second page.',
      '',
      '[footnotes]',
      'Seen by Ann.',
    ].join('\n'),
  );
});

test('a workbook is the tables of its sheets, with dates as dates and numbers as people see them', async (t) => {
  assert.equal(
    await textOf(t, 'sheets', made.workbook),
    [
      '[sheet Prices]',
      '| Tea |  | 0.3 |',
      '| Milk | 2024-01-01 | 2024-01-01 18:00 | 2 | TRUE | a\\|b |',
      '',
      '[sheet Old (hidden)]',
      '| 1 |',
    ].join('\n'),
  );
});

test('a cell far from all others is shown with its place, and the cells between are not', async (t) => {
  assert.equal(await textOf(t, 'sheets', made.farCell), '[sheet Far]\n| near |\n[XFD1048576] far');
});

test('a presentation is its slides in the order in which they are shown, with their notes', async (t) => {
  assert.equal(
    await textOf(t, 'slides', made.slides),
    '[slide 1]\nThe beginning\n[notes]\nSpeak slowly\n\n[slide 2]\nThe end',
  );
});

test('a formula that no program has computed yet is shown as the formula', async (t) => {
  assert.equal(await textOf(t, 'sheets', made.uncomputed), '[sheet Sums]\n| 2 | =SUM(A1:A1) |');
});

test('a note in an OpenDocument text stands apart from the words around it', async (t) => {
  assert.equal(
    await textOf(t, 'open document', made.notedOdt),
    'They dive [note: As Bob says. And Ann.], deep.',
  );
});

test('OpenDocument texts and sheets are read, without what was deleted', async (t) => {
  assert.equal(
    await textOf(t, 'open document', made.odt),
    '## Otters\nThey  swim [comment: sure?].\n\n[page 2]\nAnd dive.',
  );
  assert.equal(await textOf(t, 'open document', made.ods), '[table Costs]\n|  |  | rent |');
});

test('a book is its chapters in the order in which they are read', async (t) => {
  assert.equal(
    await textOf(t, 'book', made.epub),
    '[part 1]\nOne\n\nThe tide rises.\n\n[part 2]\nTwo\n\nThe tide falls.',
  );
});

test('RTF is its words in whatever code page they are', async (t) => {
  assert.equal(await textOf(t, 'rich text', made.rtf), 'Café – closed\nПривет\na | b |\n{x}');
});

test('a long page is its text without scripts', async (t) => {
  assert.equal(await textOf(t, 'html', made.longPage), 'Gulls\n\nThey cry at dawn.');
});

test('a table whose cells, captions, columns and paragraphs have no end tags is the same rows', async (t) => {
  const page = (html: string) => textOf(t, 'html', Buffer.from(html));
  for (const [html, text] of [
    [
      '<table><thead><tr><th>Name<th>Price<tbody><tr><td>Tea<td>2<tfoot><tr><td>Sum<td>2</table>',
      '| Name | Price |\n| Tea | 2 |\n| Sum | 2 |',
    ],
    [
      '<table><caption>Prices<tr><th>Name<th>Price<tr><td>Tea<td>2</table>',
      'Prices\n\n| Name | Price |\n| Tea | 2 |',
    ],
    [
      '<table><colgroup><col><col><tr><td><p>Tea<td><p>2<p>or 3<tr><td><b>Milk<td>3</table>',
      '| Tea | 2 or 3 |\n| Milk | 3 |',
    ],
    ['<table><tr><td><ul><li>one<li>two<td>b<tr><td>c<td>d</table>', '|  * one * two | b |\n| c | d |'],
  ] as const)
    assert.equal(await page(html), text);
});

test('a table of a page is a row for each of its rows, and what a page only lays out in tables is its words, none of them joined', async (t) => {
  const page = (body: string) => textOf(t, 'html', Buffer.from(`<!doctype html><body>${body}</body>`));
  assert.equal(
    await page(
      '<p>Of 2026</p><table><caption>Boats</caption><thead><tr><th>name<th>cost</thead><tbody><tr><td>Möwe<td><p>12</p><p>or 13</p><tr><td colspan="2">both<td>a|b<tr></table><p>End',
    ),
    'Of 2026\n\nBoats\n\n| name | cost |\n| Möwe | 12 or 13 |\n| both |  | a\\|b |\n\nEnd',
  );
  assert.equal(
    await page(
      '<table><tr><td>Menu</td><td>News</td></tr><tr><td><table><tr><td>gull</td><td>2</td></tr></table></td></tr></table>',
    ),
    'Menu\nNews\n\n| gull | 2 |',
  );
  assert.equal(await page('<table><tr><td>one</td></tr><tr><td>two</td></tr></table>'), 'one\ntwo');
});

test('a PDF is the text of its pages with their numbers, and of a long one it is said how much was read', async (t) => {
  assert.equal(
    await textOf(t, 'pdf', made.pdfOf(['First (one)\nline', '', 'Third'])),
    '[page 1]\nFirst (one)\nline\n\n[page 2]\n\n[page 3]\nThird',
  );
  const long = made.pdfOf(Array.from({ length: 300 }, (_, index) => `The words of page ${index + 1}`));
  const result = await read(t, { format: 'pdf', bytes: long, maxChars: 400 });
  assert.ok('text' in result);
  assert.equal(result.cut, true);
  assert.equal(result.pages?.of, 300);
  assert.ok((result.pages?.read ?? 300) < 20, `${result.pages?.read} pages were read for 400 characters`);
  assert.ok(result.text.length <= 400);
});

const unread: readonly (readonly [string, DocumentFormat, Buffer, string])[] = [
  ['a PDF with a password', 'pdf', made.lockedPdf, 'password'],
  ['an encrypted OpenDocument text', 'open document', made.lockedOdt, 'password'],
  ['a scan', 'pdf', made.pdfOf(['', '']), 'only pictures'],
  ['a PDF that breaks off', 'pdf', Buffer.from('%PDF-1.4\n1 0 obj\n<<>>'), 'damaged'],
  ['a Word document that breaks off', 'word', made.report.subarray(0, 600), 'damaged'],
  ['a zip that is no document', 'word', made.epub, 'damaged'],
  ['a workbook called a book', 'book', made.workbook, 'damaged'],
  ['a Word document without words', 'word', made.docx('<w:p/>'), 'no text'],
];
for (const [what, format, bytes, reason] of unread)
  test(`${what} is not read: ${reason} (R28)`, async (t) => {
    assert.deepEqual(await read(t, { format, bytes }), { unread: reason });
  });

test('a document that unpacks to far more than it has is refused (R28)', async (t) => {
  const bomb = made.docx(`<w:p>${' '.repeat(200 * 2 ** 20)}</w:p>`);
  assert.ok(bomb.length < 2 ** 20, 'it is small as it comes');
  assert.deepEqual(await read(t, { format: 'word', bytes: bomb }), { unread: 'unpacks too large' });
});

test('a PDF with a page of 600 MB is ended, and the next document is read (R28)', async (t) => {
  const content = deflateSync(Buffer.alloc(600 * 2 ** 20, ' '));
  const stream = Buffer.concat([
    Buffer.from(`<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);
  const bomb = made.pdfFrom([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
    stream,
  ]);
  await assert.rejects(read(t, { format: 'pdf', bytes: bomb }), { code: 'reading_over_limit' });
  assert.match(await textOf(t, 'word', made.report), /Herons/);
});
