// Addresses that a client will follow: web links in the form it will keep. Not fetching, not a blocklist.

// Longer addresses are written out as text: a link must fit into a part with its label.
const longest = 500;
// biome-ignore lint/suspicious/noControlCharactersInRegex: addresses hold no controls
const harmful = /[\s<>()\\`|*_~[\]"\u0000-\u001f]/g;

/**
 * The normal form of an http or https address with a named host and no user name, free of characters that would end a link
 * in Markdown; undefined for every other address, which is then shown as text.
 */
export function webAddress(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  // Telegram refuses hosts without a dot, and shows user names unchanged
  if (
    url.username !== '' ||
    url.password !== '' ||
    !/^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/.test(url.hostname)
  )
    return undefined;
  const { href } = url;
  const plain =
    url.pathname === '/' && !/\/$/.test(address) && url.search === '' && url.hash === ''
      ? href.slice(0, -1)
      : href;
  const safe = plain
    .replace(harmful, (found) =>
      found === '_' || found === '*' || found === '~'
        ? found
        : `%${found.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .replace(/;(?<=&#?\w+;)/g, '%3B');
  return safe.length > longest ? undefined : safe;
}
