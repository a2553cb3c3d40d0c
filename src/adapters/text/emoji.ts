// Emoji as they are compared: in one form, whatever a platform or a config wrote. Pure.

/**
 * An emoji without its variation selector and skin tone; a platform's own emoji by its name (`party_parrot`, `:party_parrot:`) is
 * `:party_parrot:`.
 */
export function emojiOf(written: string): string {
  const bare = written.replaceAll(/[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/gu, '');
  const name = bare.replaceAll(':', '');
  return /^[\w+-]+$/.test(name) ? `:${name}:` : bare;
}
