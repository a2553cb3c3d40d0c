// What holds for every answer on every platform: limits, nothing lost, nothing torn, no markup shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { discordSurface, renderDiscord } from '#adapters/text/discord.ts';
import { healUnfinished } from '#adapters/text/heal.ts';
import type { Surface } from '#adapters/text/layout/leaf.ts';
import type { MessagePart } from '#adapters/text/part.ts';
import { renderSlack, slackSurface } from '#adapters/text/slack.ts';
import { renderTelegram, telegramSurface } from '#adapters/text/telegram.ts';
import { answers, assertion } from './answers.ts';
import { discordContent, slackMarkdown, telegramBody } from './bodies.ts';
import { inkOf, readsAsItsText } from './reader.ts';
import { visibleText } from './visible.ts';

/**
 * What Slack takes for a call or a reference (https://docs.slack.dev/messaging/formatting-message-text): an id has a letter and at least one letter
 * or digit more. `<@U word` is none, and stays as it is in code.
 */
const callsSomebody = /<(?:!(?:channel|here|everyone|group|subteam\^)|@[UWBT][A-Z0-9]|#[CDG][A-Z0-9])/i;

const units = fc.constantFrom(undefined, 400, 1000);

/** A table's header may stand at the top of several parts; everything else stands once. */
function withoutRepeats(parts: MessagePart[], whole: string): string {
  let at = 0;
  for (const part of parts) {
    for (const line of part.text.split('\n')) {
      const ink = inkOf(line);
      if (whole.startsWith(ink, at)) at += ink.length;
    }
  }
  return whole.slice(0, at);
}

function check(
  render: (source: string, limits?: { units?: number | undefined }) => MessagePart[],
  surface: Surface,
): void {
  fc.assert(
    fc.property(answers, units, (source, limit) => {
      const parts = render(source, { units: limit });
      const whole = inkOf(visibleText(source, surface));
      for (const part of parts) {
        assert.notEqual(inkOf(part.text), '', 'a part shows nothing');
        assert.ok(part.text.isWellFormed(), 'a surrogate pair is torn');
      }
      assert.equal(withoutRepeats(parts, whole), whole);
      if (source.trim() !== '') assert.ok(parts.length > 0, 'text that is not blank gives a part');
    }),
    assertion,
  );
}

test('Discord parts show everything once, in order, with no character torn (E1, E4)', () =>
  check(renderDiscord, discordSurface));
test('Telegram parts show everything once, in order, with no character torn (E1, E4)', () =>
  check(renderTelegram, telegramSurface));
test('Slack parts show everything once, in order, with no character torn (E1, E4)', () =>
  check(renderSlack, slackSurface));

test('every Discord and Slack part reads, as Markdown, as exactly the text it represents (E2, E5)', () => {
  fc.assert(
    fc.property(answers, units, (source, limit) => {
      for (const part of renderDiscord(source, { units: limit })) {
        assert.ok(discordContent(part).length <= (limit ?? 2000));
        readsAsItsText('discord', part);
      }
      for (const part of renderSlack(source, { units: limit })) {
        const { markdown, fallback } = slackMarkdown(part);
        assert.ok(markdown.length <= (limit ?? 11_900) && fallback.length <= 3900 && fallback.trim() !== '');
        assert.doesNotMatch(`${markdown}${fallback}`, callsSomebody);
        readsAsItsText('slack', part);
      }
    }),
    assertion,
  );
});

test('Telegram entities are sorted, nested, within the text, and at most a hundred (E6, T8)', () => {
  fc.assert(
    fc.property(answers, units, (source, limit) => {
      for (const part of renderTelegram(source, { units: limit })) {
        const { text, entities } = telegramBody(part);
        assert.ok(text.length >= 1 && text.length <= (limit ?? 4096) && text === text.trimEnd());
        assert.ok(
          text === text.trimStart() || entities[0]?.offset === 0,
          'white space that Telegram would trim',
        );
        assert.ok(entities.length <= 100);
        const ends: number[] = [];
        let last = 0;
        for (const { type, offset, length } of entities) {
          const words = text.slice(offset, offset + length);
          assert.ok(
            length > 0 && words.length === length && words === words.trimEnd() && words.isWellFormed(),
          );
          assert.ok(type === 'pre' || type.endsWith('blockquote') || words === words.trimStart());
          assert.ok(offset >= last);
          last = offset;
          while ((ends.at(-1) ?? Number.POSITIVE_INFINITY) <= offset) ends.pop();
          assert.ok(offset + length <= (ends.at(-1) ?? Number.POSITIVE_INFINITY), 'entities cross');
          ends.push(offset + length);
        }
      }
    }),
    assertion,
  );
});

test('an answer cut off anywhere can be healed and rendered, and loses nothing that a marker did not announce', () => {
  fc.assert(
    fc.property(answers, fc.nat(), (source, at) => {
      const healed = healUnfinished(source.slice(0, at % (source.length + 1)));
      for (const part of renderDiscord(healed)) assert.ok(discordContent(part).length <= 2000);
      assert.equal(healUnfinished('A finished sentence.\n\n'), 'A finished sentence.\n\n');
    }),
    assertion,
  );
});
