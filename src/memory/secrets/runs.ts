// How long a text continues without a space: every token that is known by its form is such a run. A look at each character, nothing more.

interface CharacterRuns {
  /** There is one of 15 characters: the least that any form needs. */
  any: boolean;
  /** There is one of 20 with a digit or an underscore in it: the least of secretlint's rules. */
  mixed: boolean;
}

const inToken = new Uint8Array(128);
for (const sign of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/=.:~-%')
  inToken[sign.charCodeAt(0)] = 1;
for (const sign of '0123456789_') inToken[sign.charCodeAt(0)] = 2;

/** The runs of token characters in a text; ordinary talk has none. */
export function runsIn(text: string): CharacterRuns {
  let [length, mixed] = [0, false];
  const found = { any: false, mixed: false };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? (inToken[code] ?? 0) : 0;
    if (kind === 0) {
      [length, mixed] = [0, false];
      continue;
    }
    length += 1;
    if (kind === 2) mixed = true;
    if (length < 15) continue;
    found.any = true;
    if (length < 20 || !mixed) continue;
    found.mixed = true;
    return found;
  }
  return found;
}
