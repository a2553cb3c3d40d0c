// Texts and entities as Telegram would keep them: bounds, trimming, nesting, what it finds by itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cleanMessageText } from '#sandbox/telegram/entities/entity-cleaning.ts';
import { readEntity } from '#sandbox/telegram/entities/read-entity.ts';
import type { TgEntity } from '#sandbox/telegram/world/wire.ts';

const bold = (offset: number, length: number): TgEntity => ({ type: 'bold', offset, length });
const of = (type: string, offset: number, length: number): TgEntity => ({ type, offset, length });
const spans = (text: string, entities: TgEntity[]) =>
  cleanMessageText(text, entities).entities.map(({ type, offset, length }) => `${type} ${offset}+${length}`);
const refusal = (text: string, entity: TgEntity) => {
  try {
    cleanMessageText(text, [entity]);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return 'taken';
};

test('entities outside the text or inside a character are refused with their place (E6)', () => {
  assert.equal(refusal('aba caba', bold(-1, 1)), 'Bad Request: receive an entity with incorrect offset -1');
  assert.equal(refusal('aba caba', bold(0, -1)), 'Bad Request: receive an entity with incorrect length -1');
  assert.equal(
    refusal('aba caba', bold(3, 6)),
    'Bad Request: entity beginning at UTF-16 offset 3 ends after the end of the text at UTF-16 offset 9',
  );
  assert.equal(
    refusal('aba caba', bold(9, 1)),
    'Bad Request: entity begins after the end of the text at UTF-16 offset 9',
  );
  assert.equal(
    refusal('👉 👉', bold(1, 1)),
    'Bad Request: entity begins in a middle of a UTF-16 symbol at byte offset 4',
  );
  assert.equal(
    refusal('👉 👉', bold(0, 1)),
    'Bad Request: entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol at byte offset 4',
  );
});

test('whitespace at the ends goes, and entities move with the text', () => {
  assert.deepEqual(cleanMessageText('  \n hi there \n', [bold(7, 5)]), {
    text: 'hi there',
    entities: [bold(3, 5)],
  });
  assert.deepEqual(cleanMessageText('  hi  ', [bold(0, 6)]), { text: '  hi', entities: [bold(0, 4)] });
  assert.deepEqual(cleanMessageText('  a   b', [bold(3, 3)]), { text: 'a   b', entities: [bold(1, 3)] });
  assert.deepEqual(cleanMessageText('a\r\nb\tc', [bold(3, 1)]), { text: 'a\nb c', entities: [bold(2, 1)] });
});

test('whole entities win over later whole ones, and nothing is styled inside code', () => {
  assert.deepEqual(spans('abcdefgh', [of('code', 0, 4), of('pre', 2, 4)]), ['code 0+4']);
  assert.deepEqual(spans('abcdefgh', [of('code', 2, 3), bold(0, 8)]), ['bold 0+2', 'code 2+3', 'bold 5+3']);
  assert.deepEqual(spans('abcdefgh', [of('blockquote', 0, 5), of('code', 3, 4)]), ['blockquote 0+5']);
  assert.deepEqual(spans('abcdefgh', [of('blockquote', 0, 5), of('code', 3, 2)]), [
    'blockquote 0+5',
    'code 3+2',
  ]);
});

test('styles of one kind are merged and crossing ones are cut', () => {
  assert.deepEqual(spans('abcdefgh', [bold(0, 3), bold(3, 2)]), ['bold 0+5']);
  assert.deepEqual(spans('abcdefgh', [bold(0, 5), of('italic', 3, 5)]), [
    'bold 0+3',
    'italic 3+5',
    'bold 3+2',
  ]);
  assert.deepEqual(spans('abcdefgh', [of('blockquote', 0, 4), bold(2, 4)]), [
    'blockquote 0+4',
    'bold 2+2',
    'bold 4+2',
  ]);
});

test('no more than a hundred entities remain, and styles are dropped first', () => {
  const text = 'ab '.repeat(120);
  const styles = Array.from({ length: 99 }, (_, index) => bold(index * 3, 1));
  const codes = Array.from({ length: 10 }, (_, index) => of('code', 300 + index * 3, 1));
  const { entities } = cleanMessageText(text, [...styles, ...codes]);
  assert.equal(entities.length, 100);
  assert.equal(entities.filter(({ type }) => type === 'code').length, 10);
});

test('links, mentions, commands, addresses and hashtags are found, but not in code', () => {
  assert.deepEqual(spans('/stop@parley_bot see https://a.org/x, @guest me@a.org #new', []), [
    'bot_command 0+16',
    'url 21+15',
    'mention 38+6',
    'email 45+8',
    'hashtag 54+4',
  ]);
  assert.deepEqual(spans('run https://a.org now', [of('code', 4, 13)]), ['code 4+13']);
  assert.deepEqual(spans('run https://a.org now', [of('blockquote', 0, 21)]), [
    'blockquote 0+21',
    'url 4+13',
  ]);
});

test('entities of a kind or with a link that Telegram does not take are left out', () => {
  const place = { offset: 0, length: 1 };
  assert.equal(readEntity({ type: 'mention', ...place }), undefined);
  assert.equal(readEntity({ type: 'bold', offset: 0 }), undefined);
  assert.equal(readEntity({ type: 'text_link', ...place, url: 'javascript:alert(1)' }), undefined);
  assert.equal(readEntity({ type: 'text_link', ...place, url: 'http://nohost' }), undefined);
  assert.equal(readEntity({ type: 'text_link', ...place, url: 'example.org' })?.url, 'http://example.org/');
});

test('whatever is given in bounds comes out trimmed, in bounds, and nested or apart', () => {
  const kinds = ['bold', 'italic', 'code', 'pre', 'blockquote', 'text_link', 'spoiler'];
  const given = fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(30), fc.nat(30)), { maxLength: 12 });
  const letters = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\r', '@', '/', '#'), maxLength: 30 });
  fc.assert(
    fc.property(letters, given, (raw, list) => {
      const inside = list
        .map(([type, a, b]) => ({ type, offset: Math.min(a, raw.length), length: b }))
        .map((entity) => ({ ...entity, length: Math.min(entity.length, raw.length - entity.offset) }));
      const { text, entities } = cleanMessageText(raw, inside);
      for (const one of entities) {
        assert.ok(one.length > 0 && one.offset >= 0 && one.offset + one.length <= text.length);
        for (const other of entities) {
          const crossing =
            one.offset < other.offset &&
            other.offset < one.offset + one.length &&
            one.offset + one.length < other.offset + other.length;
          assert.ok(!crossing, JSON.stringify({ text, entities }));
        }
      }
      assert.equal(text, text.replace(/[ \n]+$/, ''));
      assert.deepEqual(cleanMessageText(text, entities), { text, entities });
    }),
    { numRuns: 500 },
  );
});
