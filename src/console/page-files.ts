// The console's own modules and the packages that they import, as files that a browser may store forever: their names hold a hash of their content.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** A file with the encodings in which it is sent. */
export interface PageFile {
  type: string;
  body: Buffer;
  brotli: Buffer;
  gzip: Buffer;
}

export interface ConsolePage {
  html: string;
  /** By the name in the URL, `name.hash.js`. */
  files: ReadonlyMap<string, PageFile>;
}

/** Where the page's files are served. */
export const filesPath = '/console/files/';

/** Of a package whose module is not the file that a browser should load: that file, and what makes a module of it. */
const otherFiles: Readonly<Record<string, { file: string; suffix: string }>> = {
  uplot: { file: 'uPlot.iife.min.js', suffix: 'export default uPlot;\n' },
};
const styles = {
  packages: ['uplot/dist/uPlot.min.css'],
  own: [
    'tokens.css',
    'shell.css',
    'parts.css',
    'fields.css',
    'pages.css',
    'dialogs.css',
    'conversation.css',
    'table.css',
    'more.css',
    'narrow.css',
  ],
};

/** An import or a re-export: what comes before the specifier, and the specifier. */
const specifier = /(\b(?:from|import)\s*\(?\s*)(["'])([^"'\n]+)\2/g;

/** Reads the page; throws when a file is missing. */
export function loadConsolePage(): ConsolePage {
  const folder = join(import.meta.dirname, 'page');
  const files = new Map<string, PageFile>();
  const names = new Map<string, string>();
  /** The name of a file with its hash; the same text has the same name. */
  const add = (name: string, type: string, text: string): string => {
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12);
    const [stem = name, end = ''] = name.split(/\.(?=[^.]+$)/);
    const hashed = `${stem}.${hash}.${end}`;
    files.set(hashed, encoded(type, text));
    return hashed;
  };
  const addModule = (path: string, { name, suffix = '' }: { name: string; suffix?: string }): string => {
    const known = names.get(path);
    if (known !== undefined) return known;
    const source = readFileSync(path, 'utf8').replace(/\n\/\/# sourceMappingURL=.*/g, '');
    const text = source.replaceAll(specifier, (whole, before: string, quote: string, wanted: string) => {
      const resolved = resolve(path, wanted);
      if (resolved === undefined) return whole;
      return `${before}${quote}./${addModule(resolved.path, resolved)}${quote}`;
    });
    const hashed = add(name, 'text/javascript; charset=utf-8', text + suffix);
    names.set(path, hashed);
    return hashed;
  };
  const main = addModule(join(folder, 'main.js'), { name: 'main.js' });
  const css = [
    ...styles.packages.map((path) => readFileSync(packageFile(path), 'utf8')),
    ...styles.own.map((name) => readFileSync(join(folder, name), 'utf8')),
  ];
  const style = add('console.css', 'text/css; charset=utf-8', css.join('\n'));
  const icon = add('icon.svg', 'image/svg+xml', readFileSync(join(folder, 'icon.svg'), 'utf8'));
  const preloads = [...names.values()].map(
    (name) => `<link rel="modulepreload" href="${filesPath}${name}" />`,
  );
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
    .replaceAll('%MAIN%', filesPath + main)
    .replaceAll('%STYLE%', filesPath + style)
    .replaceAll('%ICON%', filesPath + icon)
    .replace('%PRELOADS%', preloads.join('\n    '));
  return { html, files };
}

/** The file that a module imports; undefined for what is no module of the page (a type in a comment). */
function resolve(
  importer: string,
  wanted: string,
): { path: string; name: string; suffix?: string } | undefined {
  if (wanted.startsWith('.')) {
    const path = join(dirname(importer), wanted);
    return { path, name: basename(path) };
  }
  if (wanted.startsWith('#')) return undefined;
  const other = otherFiles[wanted];
  const name = `${wanted
    .replace(/\.js$/, '')
    .replaceAll(/[^\w]+/g, '-')
    .replace(/^-/, '')}.js`;
  if (other === undefined) return { path: packageFile(wanted), name };
  return { path: join(dirname(packageFile(wanted)), other.file), name, suffix: other.suffix };
}

function packageFile(name: string): string {
  return fileURLToPath(import.meta.resolve(name));
}

function encoded(type: string, text: string): PageFile {
  const body = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  return { type, body, brotli: brotliCompressSync(body, { params }), gzip: gzipSync(body) };
}

/** The names of the page's own modules, for tests. */
export function ownModules(): string[] {
  return readdirSync(join(import.meta.dirname, 'page')).filter((name) => name.endsWith('.js'));
}
