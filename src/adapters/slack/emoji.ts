// Slack's names of the emoji that the bot reacts with. Not a table of all emoji.
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
