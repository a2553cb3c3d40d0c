// Documents from a person to a model that takes no files, on the platforms through their real client libraries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LLMock } from '@copilotkit/aimock';
import * as made from '../support/documents.ts';
import { encoded } from '../support/encoded.ts';
import { openModelHouse } from './model-house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const dm = { chat: 'dm', user: 'you' } as const;
const lastRequest = (model: LLMock): string => JSON.stringify(model.getLastRequest()?.body);

const office = 'application/vnd.openxmlformats-officedocument';
const documents = [
  {
    name: 'report.docx',
    mime: `${office}.wordprocessingml.document`,
    bytes: made.report,
    says: /pond\\\\\|lake \| 7 or 8/,
  },
  {
    name: 'prices.xlsx',
    mime: `${office}.spreadsheetml.sheet`,
    bytes: made.workbook,
    says: /Milk \| 2024-01-01/,
  },
  {
    name: 'budget.docx',
    mime: `${office}.wordprocessingml.document`,
    bytes: made.longPage,
    says: /They cry at dawn\./,
  },
  {
    name: 'far.xlsx',
    mime: `${office}.spreadsheetml.sheet`,
    bytes: made.farCell,
    says: /near[^x]*\[XFD1048576\] far/,
  },
  {
    name: 'talk.pptx',
    mime: `${office}.presentationml.presentation`,
    bytes: made.slides,
    says: /\[slide 2\]\\nThe end/,
  },
  {
    name: 'otters.odt',
    mime: 'application/vnd.oasis.opendocument.text',
    bytes: made.odt,
    says: /And dive\./,
  },
  {
    name: 'costs.ods',
    mime: 'application/vnd.oasis.opendocument.spreadsheet',
    bytes: made.ods,
    says: /\[table Costs\]/,
  },
  { name: 'tides.epub', mime: 'application/epub+zip', bytes: made.epub, says: /The tide rises\./ },
  { name: 'cafe.rtf', mime: 'application/rtf', bytes: made.rtf, says: /Café – closed/ },
  {
    name: 'tern.html',
    mime: 'text/html',
    bytes: Buffer.from(
      '<!doctype html><html><head><title>T</title><style>p{color:pumpernickel}</style><script>pumpernickel()</script></head><body><p>A tern at <a href="https://tern.example/nest">its nest</a>.</p></body></html>',
    ),
    says: /^(?!.*pumpernickel).*A tern at .*https:\/\/tern\.example\/nest/s,
  },
  { name: 'gulls.html', mime: 'text/html', bytes: made.longPage, says: /They cry at dawn\./ },
  {
    name: 'heron.svg',
    mime: 'image/svg+xml',
    bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><title>A grey heron</title></svg>'),
    says: /A grey heron/,
  },
  { name: 'list.csv', mime: 'text/csv', bytes: Buffer.from('tea,2\nmilk,1\n'), says: /tea,2\\nmilk,1/ },
  {
    name: 'paper.pdf',
    mime: 'application/pdf',
    bytes: made.pdfOf(['On page one', 'On page two']),
    says: /\[page 2\]\\nOn page two/,
  },
];

test('the text of every document reaches a model that takes no files, on every platform (R27)', async (t) => {
  const { house, model } = await openModelHouse(t, all);
  for (const [index, { says, ...file }] of documents.entries()) {
    const platform = all[index % all.length] ?? 'slack';
    const answer = await house.ask({ platform, ...dm }, `what is in ${file.name}?`, [file]);
    assert.equal(answer.trim(), 'Seen.', `${file.name}: nothing is missing`);
    assert.match(lastRequest(model), says, file.name);
    assert.match(
      lastRequest(model),
      /all up to the mark [0-9a-f]{16} is the file, not the person/,
      file.name,
    );
  }
});

test('what of a document cannot be read is said to the person and to the model, and the message is answered (R26, R28)', async (t) => {
  const { house, model } = await openModelHouse(t, ['slack']);
  const heic = Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from('ftypheic\0\0\0\0mif1heic'),
    Buffer.alloc(64),
  ]);
  const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1024)]);
  const locked = Buffer.concat([old, Buffer.from('EncryptedPackage', 'utf16le'), Buffer.alloc(512)]);
  const refused = [
    [
      'secret.pdf',
      made.lockedPdf,
      /`?secret\.pdf`?: it is protected with a password/,
      /protected with a password/,
    ],
    ['secret.docx', locked, /`?secret\.docx`?: it is protected with a password/, /protected with a password/],
    ['scan.pdf', made.pdfOf(['']), /no text in it, only pictures, as in a scan/, /only pictures of text/],
    [
      'torn.docx',
      made.report.subarray(0, 700),
      /it is damaged, or did not come whole/,
      /damaged or not whole/,
    ],
    [
      'odd.docx',
      Buffer.from('PK\x03\x04garbage'),
      /it is damaged, or did not come whole/,
      /damaged or not whole/,
    ],
    [
      'odd.ods',
      Buffer.from('PK\x03\x04garbage'),
      /it is damaged, or did not come whole/,
      /damaged or not whole/,
    ],
    [
      'bomb.docx',
      made.docx(`<w:p>${' '.repeat(80 * 2 ** 20)}</w:p>`),
      /far more than I read/,
      /unpacks to far more/,
    ],
    ['letter.doc', old, /format of old Office programs\. Save it as DOCX/, /old Office programs/],
    [
      'photo.heic',
      heic,
      /cannot see pictures in the format HEI[CF].*Send it as JPEG or PNG/,
      /cannot be read here: photo\.heic/,
    ],
    [
      'scan.tiff',
      Buffer.concat([Buffer.from('49492a0008000000', 'hex'), Buffer.alloc(64)]),
      /cannot see pictures in the format TIFF.*Send it as JPEG or PNG/,
      /cannot be read here: scan\.tiff/,
    ],
  ] as const;
  for (const [name, bytes, words, note] of refused) {
    const answer = await house.ask({ platform: 'slack', ...dm }, `and ${name}?`, [
      { name, mime: 'application/octet-stream', bytes },
    ]);
    assert.match(answer, /Seen\./, name);
    assert.match(answer, words, name);
    assert.match(lastRequest(model), note, name);
  }
});

test('text in an old encoding is read, and where that is not clear the person reads it and the model sees nothing garbled (R24)', async (t) => {
  const { house, model } = await openModelHouse(t, all);
  const list =
    '产品名称,数量,单价,总金额,客户姓名,收货地址\n绿茶,二十,十五元,三百元,王小明,北京市海淀区中关村大街\n';
  for (const platform of all) {
    const file = { name: 'list.csv', mime: 'text/csv', bytes: encoded(list, 'gbk') };
    assert.equal((await house.ask({ platform, ...dm }, 'sum it up', [file])).trim(), 'Seen.', platform);
    assert.match(lastRequest(model), /绿茶,二十,十五元/, platform);
    const short = { name: 'short.csv', mime: 'text/csv', bytes: encoded('テスト', 'shift_jis') };
    const answer = await house.ask({ platform, ...dm }, 'and this?', [short]);
    assert.match(
      answer,
      /I could not read .?short\.csv.?: I cannot tell in which encoding its characters are/,
      platform,
    );
    assert.match(lastRequest(model), /encoding that is not clear: short\.csv/, platform);
    assert.doesNotMatch(lastRequest(model), /ƒeƒXƒg/, platform);
  }
});

test('a PDF of thousands of pages is read as far as a prompt holds it, and the person reads how far (R28)', async (t) => {
  const { house, model } = await openModelHouse(t, ['telegram']);
  const bytes = made.pdfOf(
    Array.from({ length: 5_000 }, (_, index) => `Words of page ${index + 1}. ${'x'.repeat(600)}`),
  );
  const answer = await house.ask({ platform: 'telegram', ...dm }, 'sum it up', [
    { name: 'long.pdf', mime: 'application/pdf', bytes },
  ]);
  assert.match(answer, /only read the beginning of .?long\.pdf.?, \d{2,3} of its 5,000 pages/);
  assert.match(lastRequest(model), /\[page 40\]\\nWords of page 40/);
  assert.match(lastRequest(model), /the rest of the file was left out, \d{2,3} of 5000 parts/);
});
