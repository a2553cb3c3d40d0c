// The name under which a file that someone sent may lie on a disk. Pure; where it lies is store.ts.

/** File systems take 255 bytes in a name; time, number and extension need some of them. */
const maxBytes = 120;
const maxExtension = 16;
/** Device names of Windows, with or without an extension. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
/** What separates paths, means something to a shell or a file system, or cannot be seen: controls, bidi marks, lone surrogates. */
const unsafe = /[\p{C}\p{Zl}\p{Zp}\s<>:"'`|?*$%&;!~{}[\]()\\/]+/gu;

const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');

/**
 * A plain file name for any input: the last segment of `name` without anything that a path, a shell or a reader could misread, at most
 * 120 bytes. Its extension is preserved; a name without one gets `extension` (without a dot).
 */
export function safeName(name: string | undefined, extension?: string | undefined): string {
  const last = (name ?? '').normalize('NFC').split(/[\\/]/).at(-1) ?? '';
  const plain = last.replace(unsafe, '_').replace(/^[.\-_]+|[._]+$/g, '');
  const [, stem = plain, ending = ''] = /^(.+)\.([\p{L}\p{N}]{1,16})$/u.exec(plain) ?? [];
  const tail = ending || (extension ?? '').replace(/[^a-z0-9]/gi, '').slice(0, maxExtension);
  const dotted = tail === '' ? '' : `.${tail}`;
  const saved = withinBytes(stem || 'file', maxBytes - bytesOf(dotted));
  return `${reserved.test(saved) ? '_' : ''}${saved}${dotted}`;
}

/** A folder's name for a platform's id: `T0/U1` becomes `T0_U1`. Ids are letters and digits; anything else is replaced. */
export function folderName(id: string): string {
  const plain = id.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, maxBytes);
  return plain === '' ? '_' : plain;
}

function withinBytes(text: string, limit: number): string {
  let saved = '';
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    if (bytesOf(saved) + bytesOf(segment) > limit) break;
    saved += segment;
  }
  return saved === '' ? 'file' : saved;
}
