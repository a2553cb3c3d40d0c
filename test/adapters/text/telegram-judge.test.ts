// Telegram's own parser (TDLib, offline) as the judge of text and entities. Skips aloud where it is not installed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { renderTelegram } from '#adapters/text/telegram.ts';
import { type NativeEntity, noTdlib, openTdlib } from '../../support/tdlib.ts';
import { answers, assertion } from './answers.ts';
import { type SentEntity, telegramBody } from './bodies.ts';

const nativeTypes: Record<string, string> = {
  bold: 'Bold',
  italic: 'Italic',
  underline: 'Underline',
  strikethrough: 'Strikethrough',
  code: 'Code',
  pre: 'Pre',
  text_link: 'TextUrl',
  blockquote: 'BlockQuote',
  expandable_blockquote: 'ExpandableBlockQuote',
};

const splittable = /Bold|Italic|Underline|Strikethrough/;

/**
 * Entities in one order, with bold and the like as the units they cover: the function used here hands these back cut at the
 * starts of others, which means the same.
 */
function normal(entities: readonly NativeEntity[]): unknown[] {
  const covered = new Map<string, number[]>();
  const whole: NativeEntity[] = [];
  for (const entity of entities) {
    if (!splittable.test(entity.type._)) whole.push(entity);
    else {
      const units = covered.get(entity.type._) ?? [];
      for (let i = 0; i < entity.length; i++) units.push(entity.offset + i);
      covered.set(entity.type._, units);
    }
  }
  return [whole, [...covered].sort(([a], [b]) => (a < b ? -1 : 1))];
}

function native({ type, offset, length, url, language }: SentEntity): NativeEntity {
  const kind = type === 'pre' && language !== undefined ? 'PreCode' : (nativeTypes[type] ?? type);
  const more = { ...(url === undefined ? {} : { url }), ...(language === undefined ? {} : { language }) };
  return { _: 'textEntity', offset, length, type: { _: `textEntityType${kind}`, ...more } };
}

test('Telegram itself judges', { skip: noTdlib }, async (t) => {
  const ask = openTdlib();
  await t.test('every part is accepted and its entities come back unchanged (E6, T8)', () => {
    fc.assert(
      fc.property(answers, fc.constantFrom(undefined, 400), (source, limit) => {
        for (const part of renderTelegram(source, { units: limit })) {
          const { text, entities } = telegramBody(part);
          // the function also reads a Markdown of its own; letters in place of its marks leave only the entities to judge
          const neutral = text.replace(/[*_~|`[\]]/g, 'x');
          const sent = entities.map(native);
          const got = ask({
            _: 'parseMarkdown',
            text: { _: 'formattedText', text: neutral, entities: sent },
          });
          if (got._ === 'error') assert.fail(got.message);
          assert.equal(got.text, neutral);
          assert.deepEqual(normal(got.entities), normal(sent));
        }
      }),
      assertion,
    );
  });

  await t.test('an entity past the end or through a character is refused', () => {
    const bold = { _: 'textEntity', offset: 0, length: 9, type: { _: 'textEntityTypeBold' } };
    const past = ask({ _: 'parseMarkdown', text: { _: 'formattedText', text: 'short', entities: [bold] } });
    assert.equal(past._, 'error');
    const half = { ...bold, offset: 1, length: 1 };
    const torn = ask({ _: 'parseMarkdown', text: { _: 'formattedText', text: '👍', entities: [half] } });
    assert.equal(torn._, 'error');
  });
});
