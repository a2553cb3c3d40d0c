// How a prompt names a file that lies in the uploads folder: `upload:` and its path there. Not an address that anything fetches.

const scheme = 'upload:';
const segment = /^(?!\.)[^/\\\p{C}]{1,255}$/u;

/** The URL of a path with slashes inside the uploads folder. */
export function uploadUrl(path: string): string {
  return scheme + path.split('/').map(encodeURIComponent).join('/');
}

/** The path that such a URL names; undefined for every other URL and for one that would leave the folder. */
export function uploadPath(url: string): string | undefined {
  if (!url.startsWith(scheme)) return undefined;
  try {
    const segments = url.slice(scheme.length).split('/').map(decodeURIComponent);
    return segments.every((one) => segment.test(one)) ? segments.join('/') : undefined;
  } catch {
    return undefined;
  }
}
