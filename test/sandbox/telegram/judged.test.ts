// The sandbox's rules for entities against Telegram's own library, offline. Skipped where that is not installed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cleanMessageText } from '#sandbox/telegram/entities/entity-cleaning.ts';
import type { TgEntity } from '#sandbox/telegram/world/wire.ts';
import { noTdlib, openTdlib } from '../../support/tdlib.ts';

const names: Readonly<Record<string, string>> = {
  bold: 'textEntityTypeBold',
  italic: 'textEntityTypeItalic',
  underline: 'textEntityTypeUnderline',
  strikethrough: 'textEntityTypeStrikethrough',
  spoiler: 'textEntityTypeSpoiler',
  code: 'textEntityTypeCode',
  pre: 'textEntityTypePre',
  blockquote: 'textEntityTypeBlockQuote',
  text_link: 'textEntityTypeTextUrl',
};

type Judged = { text: string; entities: string[] } | { refused: string };

/** What the library makes of a text without markup. */
function createJudge(): (text: string, entities: readonly TgEntity[]) => Judged {
  const ask = openTdlib();
  return (text, entities) => {
    const typed = entities.map(({ type, offset, length, url }) => ({
      _: 'textEntity',
      offset,
      length,
      type: { _: names[type], ...(url === undefined ? {} : { url }) },
    }));
    const result = ask({ _: 'parseMarkdown', text: { _: 'formattedText', text, entities: typed } });
    if (result._ === 'error') return { refused: result.message.toLowerCase() };
    return {
      text: result.text,
      entities: result.entities.map((one) => `${one.type._} ${one.offset}+${one.length}`),
    };
  };
}

function cleaned(text: string, entities: readonly TgEntity[]): Judged {
  try {
    const saved = cleanMessageText(text, entities);
    return {
      text: saved.text,
      entities: saved.entities.map((one) => `${names[one.type]} ${one.offset}+${one.length}`),
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { refused: error.message.replace('Bad Request: ', '').toLowerCase() };
  }
}

test('entities of any kind and place come out as in the library of Telegram (E6)', { skip: noTdlib }, () => {
  const judge = createJudge();
  const kinds = fc.constantFrom(...Object.keys(names));
  const entity = fc.tuple(kinds, fc.integer({ min: -1, max: 14 }), fc.integer({ min: -1, max: 14 }));
  const given = fc.array(entity, { minLength: 1, maxLength: 8 });
  // No whitespace at the ends, which the library leaves alone here, and nothing that it would take for markup.
  const inner = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\r', '\n', '\t', '👉'), maxLength: 8 });
  fc.assert(
    fc.property(inner, given, (middle, list) => {
      const text = `x${middle}y`;
      const entities = list.map(([type, offset, length]) =>
        type === 'text_link' ? { type, offset, length, url: 'https://a.org/' } : { type, offset, length },
      );
      assert.deepEqual(cleaned(text, entities), judge(text, entities));
    }),
    { numRuns: 1000 },
  );
});
