// Emoji in the one form in which they are compared.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emojiNamed } from '#adapters/slack/codecs/emoji.ts';
import { emojiOf } from '#adapters/text/emoji.ts';

test('an emoji is the same with and without its variation selector and skin tone', () => {
  assert.deepEqual(['⏹️', '⏹', '👍🏽', '👍', '❤️', '🤷🏾‍♀️'].map(emojiOf), ['⏹', '⏹', '👍', '👍', '❤', '🤷‍♀']);
});

test('an emoji of a platform’s own is its name between colons, however it is written', () => {
  assert.deepEqual(['party_parrot', ':party_parrot:', '+1'].map(emojiOf), [
    ':party_parrot:',
    ':party_parrot:',
    ':+1:',
  ]);
});

test('of Slack’s names those that mean something are emoji, whatever the skin tone', () => {
  assert.deepEqual(
    ['+1', 'thumbsup', '+1::skin-tone-2', '-1', 'repeat', 'x', 'black_square_for_stop', 'party_parrot'].map(
      emojiNamed,
    ),
    ['👍', '👍', '👍', '👎', '🔁', '❌', '⏹', ':party_parrot:'],
  );
});
