// Telegram's own parser (TDLib, offline) as the judge of text and entities. Skips aloud where it is not installed.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { renderTelegram } from '#adapters/text/telegram.ts';
import { answers, runs } from './answers.ts';
import { type SentEntity, telegramBody } from './bodies.ts';

const judge = join(import.meta.dirname, '..', '..', 'judge');
const library = join(judge, 'node_modules', '@prebuilt-tdlib', 'linux-x64-glibc', 'libtdjson.so');
const skip = existsSync(library)
  ? false
  : 'TDLib is not installed here: run `npm run judge:install` (Linux on x64, glibc)';

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

const verdict = z.union([
  z.object({
    _: z.literal('formattedText'),
    text: z.string(),
    entities: z.array(
      z.looseObject({
        _: z.string(),
        offset: z.int(),
        length: z.int(),
        type: z.object({ _: z.string(), url: z.string().optional(), language: z.string().optional() }),
      }),
    ),
  }),
  z.object({ _: z.literal('error'), message: z.string() }),
]);

type Tdl = {
  configure(options: { tdjson: string; verbosityLevel: number }): void;
  execute(request: object): unknown;
};

/** Only static, synchronous functions are called: no client is made and nothing is connected. */
function openJudge(): (request: object) => z.infer<typeof verdict> {
  const load = createRequire(join(judge, 'package.json'));
  const tdl = load('tdl') as Tdl; // the package's own types are outside this project
  tdl.configure({ tdjson: library, verbosityLevel: 0 });
  return (request) => verdict.parse(tdl.execute(request));
}

type NativeEntity = Extract<z.infer<typeof verdict>, { _: 'formattedText' }>['entities'][number];

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

test('Telegram itself judges', { skip }, async (t) => {
  const ask = openJudge();
  await t.test('E6, T8: every part is accepted and its entities come back unchanged', () => {
    fc.assert(
      fc.property(answers, fc.constantFrom(undefined, 400), (source, limit) => {
        for (const part of renderTelegram(source, { units: limit })) {
          const { text, entities } = telegramBody(part);
          // the function also reads Markdown of its own; letters in place of its marks leave only the entities to judge
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
      { numRuns: runs },
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
