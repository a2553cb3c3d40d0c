// What the renderer writes is what Telegram's rules would keep: nothing refused, moved or dropped. How entities are cut is left open.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTelegramChannel } from '#adapters/telegram/channel.ts';
import { bodyOf } from '#adapters/telegram/codecs/part-body.ts';
import { systemClock } from '#base/clock.ts';
import { createLog } from '#base/log/log.ts';
import { cleanMessageText } from '#sandbox/telegram/entities/entity-cleaning.ts';
import { readEntity } from '#sandbox/telegram/entities/read-entity.ts';
import type { TgEntity } from '#sandbox/telegram/world/wire.ts';

const fragments = [
  '**bold**',
  '*it*',
  '~~no~~',
  '`code`',
  '[a link](https://example.com/a)',
  '***both***',
  '# Head\n',
  '> quoted\n',
  '```ts\nconst a = 1;\n```\n',
  '- item\n',
  '1. one\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
  '\n\n',
  ' ',
  '\n',
  '👋',
  'e\u030a',
  'word',
  '**',
  '`',
  '_',
  '](',
  '<b>',
  '\r',
  '\t',
  '@helper_bot',
  'https://a.org',
  '/stop',
  '&amp;',
];
const found = new Set(['url', 'email', 'bot_command', 'mention', 'hashtag']);

/** What covers a unit of the text, however it is cut. */
function over(entities: readonly TgEntity[], at: number): string[] {
  return entities
    .filter(({ offset, length }) => offset <= at && at < offset + length)
    .map(({ type, url, language }) => `${type} ${url ?? language ?? ''}`)
    .sort();
}

test('rendered Markdown of any shape passes the rules of Telegram with its text and looks unchanged (E6)', () => {
  const log = createLog({ level: 'silent', mask: (text) => text });
  const channel = createTelegramChannel({ token: '1:unused-token', clock: systemClock, log });
  const source = fc.array(fc.constantFrom(...fragments), { maxLength: 40 }).map((list) => list.join(''));
  fc.assert(
    fc.property(source, (markdown) => {
      for (const part of channel.render(markdown)) {
        const { text, entities } = bodyOf(part);
        const given = entities.flatMap((entity) => readEntity(entity) ?? []);
        assert.equal(given.length, entities.length);
        const saved = cleanMessageText(text, given);
        // Telegram shows a tab as one space.
        assert.equal(saved.text, text.replaceAll('\t', ' '));
        const whole = saved.entities.filter(({ type }) => !found.has(type));
        for (let at = 0; at < text.length; at += 1) assert.deepEqual(over(whole, at), over(given, at));
      }
    }),
    { numRuns: 200 },
  );
});
