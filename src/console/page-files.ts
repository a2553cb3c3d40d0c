// The console's page, script and style sheet, as files that a browser may store forever: their names hold a hash of their content.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib';
import { programCalledInChat } from '#base/called-as.ts';
import { type Bundle, bundlePage } from './bundle.ts';

/** A file with the encodings in which it is sent. */
export interface PageFile {
  type: string;
  body: Buffer;
  brotli: Buffer;
  gzip: Buffer;
}

interface ConsolePage {
  html: string;
  /** By the name in the URL, `name.hash.js`. */
  files: ReadonlyMap<string, PageFile>;
}

/** Where the page's files are served. */
export const filesPath = '/console/files/';

/** What the package holds in place of the modules, compressed. */
export const packedFiles = { script: 'console.js.br', style: 'console.css.br' };

const folder = join(import.meta.dirname, 'page');

/** Reads the page; throws when a file is missing. In a checkout it is made of its modules, which takes a second. */
export async function loadConsolePage(): Promise<ConsolePage> {
  const { script, style } = readPacked() ?? (await bundlePage());
  const files = new Map<string, PageFile>();
  /** The address of a file, whose name holds the hash of its text. */
  const add = (name: string, end: string, type: string, text: string): string => {
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12);
    const hashed = `${name}.${hash}.${end}`;
    files.set(hashed, encoded(type, text));
    return filesPath + hashed;
  };
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
    .replaceAll('%PROGRAM%', programCalledInChat().replaceAll('"', '&quot;'))
    .replaceAll('%MAIN%', add('console', 'js', 'text/javascript; charset=utf-8', script))
    .replaceAll('%STYLE%', add('console', 'css', 'text/css; charset=utf-8', style))
    .replaceAll(
      '%ICON%',
      add('icon', 'svg', 'image/svg+xml', readFileSync(join(folder, 'icon.svg'), 'utf8')),
    );
  return { html, files };
}

/** The script and the style sheet of the package; undefined in a checkout. */
function readPacked(): Pick<Bundle, 'script' | 'style'> | undefined {
  const [script, style] = [packedFiles.script, packedFiles.style].map((name) => join(folder, name));
  if (script === undefined || style === undefined || !existsSync(script)) return undefined;
  const read = (path: string): string => brotliDecompressSync(readFileSync(path)).toString('utf8');
  return { script: read(script), style: read(style) };
}

/** The smallest that a text becomes for browsers. */
export function compressed(text: string): Buffer {
  const body = Buffer.from(text);
  return brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}

function encoded(type: string, text: string): PageFile {
  const body = Buffer.from(text);
  return { type, body, brotli: compressed(text), gzip: gzipSync(body, { level: 9 }) };
}
