// Small real documents of every format that is read, made by their specifications. Not a test.
import { zipOf } from './zip.ts';

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const relations = (targets: Record<string, string>): string =>
  `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(
    targets,
  )
    .map(([id, target]) => `<Relationship Id="${id}" Type="t" Target="${target}"/>`)
    .join('')}</Relationships>`;
const types = (main: string, type: string): string =>
  `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`;

const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const paragraph = (text: string): string => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** A Word document with this XML in its body, and further files. */
export function docx(body: string, more: Record<string, string> = {}): Buffer {
  return zipOf({
    '[Content_Types].xml': types('word/document.xml', 'wordprocessingml.document'),
    '_rels/.rels': relations({ rId1: 'word/document.xml' }),
    'word/document.xml': `${xml}<w:document ${w}><w:body>${body}</w:body></w:document>`,
    ...more,
  });
}

/** Headings, a list, a table with one in it, what was deleted, a footnote and two pages. */
export const report = docx(
  [
    '<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>Herons</w:t></w:r></w:p>',
    paragraph('They land &amp; rest at nine.'),
    '<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>grey</w:t></w:r></w:p>',
    '<w:p><w:r><w:delText>gone</w:delText><w:instrText>PAGE</w:instrText></w:r></w:p>',
    `<w:tbl><w:tr><w:tc>${paragraph('place')}</w:tc><w:tc>${paragraph('count')}</w:tc></w:tr>`,
    `<w:tr><w:tc>${paragraph('pond|lake')}</w:tc><w:tc>${paragraph('7')}${paragraph('or 8')}</w:tc></w:tr></w:tbl>`,
    '<w:p><w:r><w:br w:type="page"/><w:t>On the second page.</w:t></w:r></w:p>',
  ].join(''),
  {
    'word/footnotes.xml': `${xml}<w:footnotes ${w}><w:footnote>${paragraph('Seen by Ann.')}</w:footnote></w:footnotes>`,
  },
);

/** Two sheets, one hidden, with shared, inline and computed strings, numbers, dates and a gap. */
export const workbook = zipOf({
  '[Content_Types].xml': types('xl/workbook.xml', 'spreadsheetml.sheet'),
  '_rels/.rels': relations({ rId1: 'xl/workbook.xml' }),
  'xl/workbook.xml': `${xml}<workbook xmlns:r="r"><sheets><sheet name="Prices" sheetId="1" r:id="rId2"/><sheet name="Old" sheetId="2" state="hidden" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations({
    rId1: 'worksheets/sheet2.xml',
    rId2: '/xl/worksheets/sheet1.xml',
  }),
  'xl/sharedStrings.xml': `${xml}<sst><si><t>Tea</t></si><si><r><t>Mi</t></r><r><t>lk</t></r><rPh><t>sound</t></rPh></si></sst>`,
  'xl/styles.xml': `${xml}<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/><numFmt numFmtId="165" formatCode="0.00 &quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
  'xl/worksheets/sheet1.xml': `${xml}<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1"><f>0.1+0.2</f><v>0.30000000000000004</v></c></row><row r="2"/><row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3" s="1"><v>45292</v></c><c r="C3" s="2"><v>45292.75</v></c><c r="D3" s="3"><v>2</v></c><c r="E3" t="b"><v>1</v></c><c r="F3" t="inlineStr"><is><t>a|b</t></is></c></row></sheetData></worksheet>`,
  'xl/worksheets/sheet2.xml': `${xml}<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>`,
});

/** A sheet as programs write it that compute nothing. */
export const uncomputed = zipOf({
  '[Content_Types].xml': types('xl/workbook.xml', 'spreadsheetml.sheet'),
  '_rels/.rels': relations({ rId1: 'xl/workbook.xml' }),
  'xl/workbook.xml': `${xml}<workbook xmlns:r="r"><sheets><sheet name="Sums" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations({ rId1: 'worksheets/sheet1.xml' }),
  'xl/worksheets/sheet1.xml': `${xml}<worksheet><sheetData><row r="1"><c r="A1"><v>2</v></c><c r="B1"><f>SUM(A1:A1)</f><v/></c></row></sheetData></worksheet>`,
});

/** A sheet with a word in its first cell and one in the last that a sheet has. */
export const farCell = zipOf({
  '[Content_Types].xml': types('xl/workbook.xml', 'spreadsheetml.sheet'),
  '_rels/.rels': relations({ rId1: 'xl/workbook.xml' }),
  'xl/workbook.xml': `${xml}<workbook xmlns:r="r"><sheets><sheet name="Far" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations({ rId1: 'worksheets/sheet1.xml' }),
  'xl/worksheets/sheet1.xml': `${xml}<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>near</t></is></c></row><row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>far</t></is></c></row></sheetData></worksheet>`,
});

const a = 'xmlns:a="a" xmlns:p="p" xmlns:r="r"';
const slide = (text: string): string =>
  `${xml}<p:sld ${a}><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r><a:fld type="slidenum"><a:t>9</a:t></a:fld></a:p></p:txBody></p:sld>`;

/** Two slides whose order is not that of their names, one with notes. */
export const slides = zipOf({
  '[Content_Types].xml': types('ppt/presentation.xml', 'presentationml.presentation'),
  '_rels/.rels': relations({ rId1: 'ppt/presentation.xml' }),
  'ppt/presentation.xml': `${xml}<p:presentation ${a}><p:sldIdLst><p:sldId r:id="rId2" id="256"/><p:sldId id="257" r:id="rId1"/></p:sldIdLst></p:presentation>`,
  'ppt/_rels/presentation.xml.rels': relations({ rId1: 'slides/slide1.xml', rId2: 'slides/slide2.xml' }),
  'ppt/slides/slide1.xml': slide('The end'),
  'ppt/slides/slide2.xml': slide('The beginning'),
  'ppt/slides/_rels/slide2.xml.rels': relations({ rId1: '../notesSlides/notesSlide1.xml' }),
  'ppt/notesSlides/notesSlide1.xml': slide('Speak slowly'),
});

const odf = (mime: string, body: string, manifest = ''): Buffer =>
  zipOf({
    mimetype: mime,
    'META-INF/manifest.xml': `${xml}<manifest:manifest xmlns:manifest="m">${manifest}</manifest:manifest>`,
    'content.xml': `${xml}<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d" xmlns:dc="c"><office:body>${body}</office:body></office:document-content>`,
  });

const openText = (manifest?: string): Buffer =>
  odf(
    'application/vnd.oasis.opendocument.text',
    '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h text:outline-level="2">Otters</text:h><text:p>They<text:s text:c="2"/>swim<office:annotation><dc:creator>Bob</dc:creator><text:p>sure?</text:p></office:annotation>.</text:p><text:soft-page-break/><text:p>And dive.</text:p>',
    manifest,
  );
export const odt = openText();
export const lockedOdt = openText('<manifest:encryption-data/>');
export const notedOdt = odf(
  'application/vnd.oasis.opendocument.text',
  '<text:p>They dive<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>As Bob says.</text:p><text:p>And Ann.</text:p></text:note-body></text:note>, deep.</text:p>',
);
export const ods = odf(
  'application/vnd.oasis.opendocument.spreadsheet',
  '<table:table table:name="Costs"><table:table-row><table:table-cell table:number-columns-repeated="2"/><table:table-cell><text:p>rent</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row></table:table>',
);

/** A book whose second chapter comes first in the archive. */
export const epub = zipOf({
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': `${xml}<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>`,
  'OPS/two.xhtml': '<html><body><h1>Two</h1><p>The tide falls.</p></body></html>',
  'OPS/one%20a.xhtml': '<html><body><p>wrong</p></body></html>',
  'OPS/one a.xhtml':
    '<html><head><style>p{}</style></head><body><h1>One</h1><p>The tide rises.</p></body></html>',
  'OPS/book.opf': `${xml}<package><manifest><item id="b" href="two.xhtml"/><item id="a" href="one%20a.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>`,
});

/** Fonts of two code pages, Unicode with what older programs show, a table and what is no text. */
export const rtf = Buffer.from(
  String.raw`{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}}{\info{\title Hidden}}{\*\generator Any;}` +
    String.raw`\f0 Caf\'e9 \u8211- closed\par {\f1 \'cf\'f0\'e8\'e2\'e5\'f2}\par a\cell b\row \{x\}\par}`,
  'latin1',
);

/** A PDF with these texts as its pages; a page without text has a picture in their place. `more` is in its trailer. */
export function pdfOf(pages: readonly string[], more = ''): Buffer {
  const first = 4;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, index) => `${first + index * 2} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, index) => {
      const lines = text.split('\n').map((line) => `(${line.replaceAll(/[()\\]/g, '\\$&')}) Tj 0 -16 Td`);
      const content = text === '' ? '0 0 10 10 re f' : `BT /F1 12 Tf 20 700 Td ${lines.join(' ')} ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + index * 2 + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  return pdfFrom(objects, more);
}

/** A PDF of these objects, the first its catalogue. */
export function pdfFrom(objects: readonly (string | Buffer)[], more = ''): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let at = pieces[0]?.length ?? 0;
  const add = (piece: Buffer): void => {
    pieces.push(piece);
    at += piece.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(at);
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]));
  }
  const start = at;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  add(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`));
  add(
    Buffer.from(
      `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${more} >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(pieces);
}

/** A PDF that asks for a password. */
export const lockedPdf = pdfOf(
  ['secret'],
  `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}> >>`,
);

/** A long page of the web, most of it a script. */
export const longPage = Buffer.from(
  `<!doctype html><html><body><script>${'let a;'.repeat(10_000)}</script><h1>Gulls</h1><p>They cry at dawn.</p></body></html>`,
);
