// What an answer could make people see that is not there: text in another order, an address under another name, half a character.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderDiscord } from '#adapters/text/discord.ts';
import { renderSlack } from '#adapters/text/slack.ts';
import { renderTelegram } from '#adapters/text/telegram.ts';

const renderers = { discord: renderDiscord, telegram: renderTelegram, slack: renderSlack };
const bodies = (source: string, units?: number) =>
  Object.entries(renderers).map(([name, render]) => ({ name, parts: render(source, { units }) }));

test('a cut inside a character that is longer than any room tears no surrogate pair, at whatever place it falls (E4)', () => {
  const endless = '👩\u200d'.repeat(400); // one grapheme of 1,200 units
  for (let before = 0; before < 4; before += 1)
    for (const source of [
      `${'x'.repeat(before)}${endless}`,
      `\`\`\`\n${'x'.repeat(before)}${endless}\n\`\`\``,
    ])
      for (const { name, parts } of bodies(source, 400)) {
        assert.ok(parts.length > 2, name);
        for (const { text, body } of parts) {
          assert.ok(text.isWellFormed(), `${name} ${before}`);
          assert.doesNotMatch(JSON.stringify(body), /\\ud[89a-f]|\ufffd/i, `${name} ${before}`);
        }
        const all = parts.map(({ text }) => text).join('');
        assert.equal(all.match(/👩/gu)?.length, 400, `${name} ${before}`);
      }
});

test('characters that reverse the order of letters are removed from what is sent, wherever they are', () => {
  for (const sign of ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e'])
    for (const source of [
      `open photo_${sign}gnp.exe now`,
      `\`photo_${sign}gnp.exe\``,
      `\`\`\`\nphoto_${sign}gnp.exe\n\`\`\``,
      `[photo_${sign}gnp.exe](https://example.org/a)`,
      `**photo_${sign}gnp.exe** &#x202E; end`,
    ])
      for (const { name, parts } of bodies(source)) {
        const sent = JSON.stringify(parts);
        assert.doesNotMatch(sent, /[\u202a-\u202e]/, `${name}: ${source}`);
        assert.match(parts.map(({ text }) => text).join(), /photo_gnp\.exe/, name);
      }
});

test('an address with a user name in it is text, not a link, whatever it is called and however it is written', () => {
  for (const source of [
    'see https://paypal.com@evil.example/login now',
    '[paypal.com](https://paypal.com@evil.example/login)',
    '[your account](https://paypal.com@evil.example/login)',
    '<https://paypal.com@evil.example/login>',
    '[https://paypal.com](https://paypal.com:443@evil.example/login)',
    '[paypal][1]\n\n[1]: https://paypal.com@evil.example/login',
  ])
    for (const { name, parts } of bodies(source)) {
      const sent = JSON.stringify(parts.map(({ body }) => body));
      const shown = parts.map(({ text }) => text).join('\n');
      assert.match(shown, /https:\/\/paypal\.com(:443)?@evil\.example\/login/, `${name}: all of it is shown`);
      assert.doesNotMatch(sent, /"(url|text_link)"/, `${name}: ${source}`);
      assert.doesNotMatch(sent, /\]\(<?https|<https/, `${name}: ${source}`);
    }
  for (const { name, parts } of bodies('[account](https://paypal.com/login)'))
    assert.match(
      JSON.stringify(parts),
      /"text_link"|\]\(<?https:\/\/paypal/,
      `${name}: another one is a link`,
    );
});
