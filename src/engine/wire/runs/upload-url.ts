// How a prompt names a file that lies in the uploads folder: `upload:` and its path there. Not an address that anything fetches.

const scheme = 'upload:';
const segment = /^(?!\.)[^/\\\p{C}]+$/u;
/** Bytes of one name: file systems take 255, and a second file of the same name gets a number. */
const maxBytes = 240;

/** The URL of a path with slashes inside the uploads folder. */
export function uploadUrl(path: string): string {
  return scheme + path.split('/').map(encodeURIComponent).join('/');
}

/** The path that such a URL names; undefined for every other URL and for one that would leave the folder. */
export function uploadPath(url: string): string | undefined {
  if (!url.startsWith(scheme)) return undefined;
  try {
    const segments = url.slice(scheme.length).split('/').map(decodeURIComponent);
    return segments.every(isName) ? segments.join('/') : undefined;
  } catch {
    return undefined;
  }
}

function isName(text: string): boolean {
  return segment.test(text) && new TextEncoder().encode(text).length <= maxBytes;
}
