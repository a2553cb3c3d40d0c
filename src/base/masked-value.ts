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
  const texts: { text: string; key: string | undefined }[] = [];
  collect(value, key, { ...how, found: texts });
  let isSame = true;
  const clean: string[] = [];
  for (const { text, key: of } of texts) {
    const now = await maskedText(text, of, how.mask);
    if (now !== text) isSame = false;
    clean.push(now);
  }
  return isSame ? value : withTexts(value, key, { ...how, next: clean.values() });
}

/** Whether a string may hold a secret, and is to be looked at. */
function isMeant(text: string, key: string | undefined, { keys }: Pick<How, 'keys'>): boolean {
  return text.length >= shortest && (keys === undefined || (key !== undefined && keys.includes(key)));
}

/** The strings to look at, in order: most values have none that is changed, and need no copy. */
function collect(
  value: unknown,
  key: string | undefined,
  how: Pick<How, 'keys'> & { found: { text: string; key: string | undefined }[] },
): void {
  if (typeof value === 'string') {
    if (isMeant(value, key, how)) how.found.push({ text: value, key });
  } else if (Array.isArray(value)) for (const each of value) collect(each, key, how);
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) collect(each, name, how);
}

/** The same value with these in place of the strings that were looked at. */
function withTexts(
  value: unknown,
  key: string | undefined,
  how: Pick<How, 'keys'> & { next: Iterator<string> },
): unknown {
  if (typeof value === 'string') return isMeant(value, key, how) ? how.next.next().value : value;
  if (Array.isArray(value)) return value.map((each) => withTexts(each, key, how));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTexts(each, name, how)]));
}

async function maskedText(text: string, key: string | undefined, mask: MaskText): Promise<string> {
  const clean = await mask(text);
  if (clean !== text || key === undefined || text.length > longestOfKey || /[\n"]/.test(text)) return clean;
  const head = `${key}: "`;
  const masked = await mask(`${head}${text}"`);
  return masked.startsWith(head) && masked.endsWith('"') ? masked.slice(head.length, -1) : text;
}
