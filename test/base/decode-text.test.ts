// Text in the encodings that people send: read, or nothing, and never garbled.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText } from '#base/files/decode-text.ts';
import { encoded } from '../support/encoded.ts';

const long: readonly (readonly [string, string])[] = [
  [
    'gbk',
    '产品名称,数量,单价,总金额,客户姓名,收货地址\n绿茶,二十,十五元,三百元,王小明,北京市海淀区中关村大街\n牛奶,十,八元,八十元,李华,上海市浦东新区\n',
  ],
  ['shift_jis', 'これは鷺についての報告です。九時に池に降ります。カタカナもあります。'],
  ['euc-jp', 'これは鷺についての報告です。九時に池に降ります。'],
  ['iso-2022-jp', 'これは鷺についての報告です。'],
  ['big5', '這是一個關於蒼鷺的報告，牠們在九點鐘降落在池塘邊。'.repeat(3)],
  ['euc-kr', '왜가리에 대한 보고서입니다. 아홉 시에 연못에 내립니다.'.repeat(2)],
  [
    'windows-1250',
    'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.'.repeat(2),
  ],
  ['windows-1251', 'Имя;Цена\nЧай;2\n'],
  ['koi8-r', 'Отчёт о цаплях: они садятся в девять часов у пруда.'],
  ['windows-1252', 'Name;Straße\nMüller;Hauptstraße 5\n'],
  ['windows-1252', 'Le café est fermé – déjà vu “oui”. Été à Paris, où êtes-vous ?'],
  ['windows-1252', 'Það er gott veður í dag og við förum út að ganga. Þórður á stóran hund.'],
  ['windows-1257', 'Eesti keeles räägime täna uuest tootest ja öösel sööme šokolaadi.'],
  ['windows-1253', 'Καλημέρα κόσμε, αυτή είναι μια αναφορά'],
  ['windows-1254', 'İstanbul şehrinde güneşli bir gün, çok güzel'],
  ['windows-1255', 'שלום עולם, זהו דוח על אנפות'],
  ['windows-1256', 'مرحبا بالعالم هذا تقرير عن الطيور'],
  ['utf-16le', 'plain text without a mark'],
  ['utf-16be', 'plain text without a mark'],
];
for (const [encoding, text] of long)
  test(`text in ${encoding} is read: ${text.slice(0, 12).trim()} (R24)`, () => {
    assert.equal(decodeText(encoded(text, encoding), 'said to be text'), text);
  });

test('text of which too little is there to tell its encoding is nothing, and never garbled (R24)', () => {
  for (const [encoding, text] of [
    ['gbk', '名称,价格\n茶,2\n'],
    ['shift_jis', '名前,値段\nお茶,2\n'],
    ['shift_jis', 'テスト'],
    ['big5', '名稱,價格\n茶,2\n'],
    ['euc-kr', '이름,가격\n'],
    ['windows-1250', 'Zażółć gęślą jaźń'],
    ['windows-1257', 'Šiandien aptarėme naują gaminį. Ąžuolas žydi.'],
    ['macintosh', 'Müller; Hauptstraße; Größe; Übung'],
  ] as const)
    assert.equal(decodeText(encoded(text, encoding), 'said to be text'), undefined, text);
});

/** Short texts: those that are read, and those that are said to be unreadable, since they could be something else. */
const short: readonly (readonly [string, 'read' | 'unreadable', readonly string[]])[] = [
  [
    'euc-kr',
    'read',
    [
      '안녕하세요, 오늘 회의는 세 시에 있습니다.',
      '내일 서울에서 만나요',
      '파일을 확인해 주세요',
      '보고서를 다시 보내 주시기 바랍니다.',
    ],
  ],
  ['euc-kr', 'unreadable', ['제품,수량,가격\n녹차,2,15\n', '감사합니다', 'ㅋㅋㅋㅋ 안녕']],
  ['euc-jp', 'read', ['ファイルを確認してください', '東京で会いましょう', 'カタカナのテキスト']],
  ['euc-jp', 'unreadable', ['会議は三時です。', '名前,値段\nお茶,2\n', 'テスト']],
  ['gbk', 'read', ['今天下午三点开会，请准时参加。']],
  ['gbk', 'unreadable', ['北京,北京,天津,广州\n', '请查看附件，谢谢']],
  ['big5', 'unreadable', ['請查看附件，謝謝']],
  [
    'windows-1254',
    'read',
    ['Toplantı yarın saat üçte, lütfen unutmayın.', 'Bu dosya çok büyük değil', 'İyi günler'],
  ],
  ['windows-1254', 'unreadable', ['Kapı açık']],
  ['windows-1257', 'read', ['Eesti keeles räägime täna', 'Žąsys skrenda į pietus']],
  ['windows-1257', 'unreadable', ['Šiandien aptarėme naują gaminį.', 'Labdien, šodien ir jauka diena']],
  ['windows-1251', 'read', ['Привет']],
  ['windows-1252', 'read', ['það er gott veður', 'Grüße aus Köln', 'Þórður á hund']],
  ['windows-1253', 'read', ['Η συνάντηση είναι στις τρεις']],
  ['windows-1255', 'read', ['הפגישה בשלוש']],
  ['windows-1256', 'read', ['الاجتماع في الساعة الثالثة']],
  ['windows-874', 'unreadable', ['สวัสดีครับ วันนี้อากาศดีมาก']],
];
for (const [encoding, how, texts] of short)
  test(`a few words in ${encoding} are ${how === 'read' ? 'read where they can be nothing else' : 'unreadable where they could be something else'} (R24)`, () => {
    for (const text of texts)
      assert.equal(
        decodeText(encoded(text, encoding), 'said to be text'),
        how === 'read' ? text : undefined,
        text,
      );
  });

test('a last letter that UTF-8 has not is read in the encoding of the file, and not lost', () => {
  const bytes = Uint8Array.from(Buffer.from('Wir treffen uns morgen im Café', 'latin1'));
  assert.notEqual(decodeText(bytes, 'said to be text'), 'Wir treffen uns morgen im Caf');
  const torn = Buffer.from('Das Café ist am See, und das nächste Café').subarray(0, -1);
  assert.equal(decodeText(torn, 'said to be text'), 'Das Café ist am See, und das nächste Caf');
});

test('a text in ASCII with the mark of UTF-8 before it is read as what it is', () => {
  const bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('name,price\r\ntea,2\r\n')]);
  assert.equal(decodeText(bytes, 'said to be text'), 'name,price\r\ntea,2\r\n');
});
