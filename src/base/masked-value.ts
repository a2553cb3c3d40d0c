// A JSON value with what a text masker finds in its strings masked.

/** Gives the text with every secret in it masked; the same text when there is none. */
export type MaskText = (text: string) => Promise<string>;

/** Shorter strings hold no secret on their own. */
const shortest = 5;
/** What a key says of its value counts only for values of at most so many characters, on one line. */
const longestOfKey = 200;

/**
 * The value with every string in it masked, `value` itself when nothing was; a key such as `password` says what its string is. With
 * `keys`, only strings that are below one of these are looked at.
 */
export async function maskedValue<T>(value: T, mask: MaskText, keys?: readonly string[]): Promise<T> {
  return (await masked(value, undefined, { mask, keys })) as T; // strings stay strings, and everything else has its form
}

/** The same masker, which looks at equal texts once as long as it lives. */
export function remembering(mask: MaskText): MaskText {
  const known = new Map<string, Promise<string>>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const now = mask(text);
    known.set(text, now);
    return now;
  };
}

interface How {
  mask: MaskText;
  keys: readonly string[] | undefined;
}

async function masked(value: unknown, key: string | undefined, how: How): Promise<unknown> {
  if (typeof value === 'string') {
    const isMeant = how.keys === undefined || (key !== undefined && how.keys.includes(key));
    return isMeant ? maskedText(value, key, how.mask) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  const changed = await Promise.all(
    entries.map(async ([name, each]) => [name, await masked(each, isList ? key : name, how)] as const),
  );
  if (changed.every(([, each], index) => each === entries[index]?.[1])) return value;
  return isList ? changed.map(([, each]) => each) : Object.fromEntries(changed);
}

async function maskedText(text: string, key: string | undefined, mask: MaskText): Promise<string> {
  if (text.length < shortest) return text;
  const clean = await mask(text);
  if (clean !== text || key === undefined || text.length > longestOfKey || /[\n"]/.test(text)) return clean;
  const head = `${key}: "`;
  const masked = await mask(`${head}${text}"`);
  return masked.startsWith(head) && masked.endsWith('"') ? masked.slice(head.length, -1) : text;
}
