// Slack's names of the emoji that the bot reacts with or that mean something to it. Not a table of all emoji.
import { emojiOf } from '#adapters/text/emoji.ts';
import { ParleyError } from '#base/errors.ts';

const names: Record<string, string> = {
  '👀': 'eyes',
  '👍': '+1',
  '👎': '-1',
  '✅': 'white_check_mark',
  '❌': 'x',
  '⏳': 'hourglass_flowing_sand',
  '⌛': 'hourglass',
  '🤔': 'thinking_face',
  '⚠': 'warning',
  '❤': 'heart',
  '🎉': 'tada',
  '🙏': 'pray',
  '✍': 'writing_hand',
  '🔥': 'fire',
  '🛑': 'octagonal_sign',
  '🔁': 'repeat',
  '⏹': 'black_square_for_stop',
};

/** Slack's name for an emoji, or a name (with or without colons) unchanged; a ParleyError `unknown_emoji` otherwise. */
export function emojiName(emoji: string): string {
  const bare = emoji.replaceAll(':', '').replaceAll('\ufe0f', '');
  const name = names[bare] ?? bare;
  if (/^[a-z0-9_+'-]+$/.test(name)) return name;
  throw new ParleyError(
    'unknown_emoji',
    `Expected the name of an emoji on Slack (like "eyes"), got ${JSON.stringify(emoji)}.`,
  );
}

/** Names that Slack's clients took for the same emoji. */
const aliases: Record<string, string> = { thumbsup: '👍', thumbsdown: '👎', stop_button: '⏹' };

/** The emoji of a reaction's name, without its skin tone (`+1::skin-tone-2`); `:name:` for one that is not in the table. */
export function emojiNamed(name: string): string {
  const [bare = ''] = name.split('::');
  const known = Object.keys(names).find((emoji) => names[emoji] === bare);
  return known ?? (Object.hasOwn(aliases, bare) ? (aliases[bare] ?? '') : emojiOf(bare));
}
