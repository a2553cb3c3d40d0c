// The program as JavaScript in `dist`: Parley and the packages that it uses, in a hundred files in place of three thousand.
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import { type OutputAsset, type Plugin, type RolldownOutput, rolldown } from 'rolldown';
import { bundlePage, licencesOf } from '#console/bundle.ts';
import { compressed, packedFiles } from '#console/page-files.ts';
import { signatureOf, stampFile } from './program-of-clone.js';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src');
const dist = join(root, 'dist');

/**
 * Only a folder of installed packages has these: native code that is loaded by path, what is optional, the bundler, and unpdf, which is one
 * file of 1.7 MB for messages with a PDF.
 */
const notBundled = [
  ...['better-sqlite3', 'sqlite-vec', 'rolldown', 'unpdf'],
  ...['zlib-sync', 'bufferutil', 'utf-8-validate'],
];

/** No name changes, so that stacks can be read; line breaks and indentation are a third of the bytes that a start reads. */
const asCode = { compress: false, mangle: false, codegen: { removeWhitespace: true } } as const;

/** What runs first in the program and in each of its threads. */
const prelude = 'prelude.js';

/**
 * Makes `dist` from `src`, or throws what is wrong with a module. A program that runs from the `dist` before still finds its files: names
 * hold a hash of the content, and what only an older `dist` had is deleted. Two builds at once do not disturb each other.
 */
export async function buildProgram(): Promise<void> {
  // Before the sources are read: what changes in the meantime is newer than what is built.
  const signature = signatureOf(root, sourceFiles());
  const { output } = await bundled();
  const [main, ...others] = output;
  for (const file of others) put(file.fileName, file.type === 'chunk' ? file.code : asPut(file));
  put(prelude, readFileSync(join(import.meta.dirname, prelude)));
  await putPages();
  put('licences.txt', licencesOf(output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))));
  // Whoever reads this in the meantime finds all that it names.
  put(main.fileName, main.code);
  const made = output.map(({ fileName }) => fileName);
  removeOld(new Set(made));
  put(stampFile, JSON.stringify({ made, signature }));
}

/** What is looked at to see whether `dist` is up to date, relative to the project. */
function sourceFiles(): string[] {
  const all = [source, import.meta.dirname].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(root, join(parentPath, name))),
  );
  // npm writes the last one when it installs something
  return [...all, 'package.json', join('node_modules', '.package-lock.json')];
}

async function bundled(): Promise<RolldownOutput> {
  const bundle = await rolldown({
    input: { main: join(source, 'app', 'main.ts') },
    platform: 'node',
    external: notBundled,
    plugins: [places, onePackageOnce()],
    onLog(_, log) {
      // discord.js has an `eval` for the processes of its ShardingManager, which is not used
      if (log.code !== 'EVAL') throw new Error(log.message);
    },
  });
  try {
    return await bundle.generate({
      format: 'esm',
      sourcemap: true,
      sourcemapExcludeSources: true,
      keepNames: true,
      minify: asCode,
      banner: ({ isEntry }) => (isEntry ? `import './${prelude}';` : ''),
      entryFileNames: ({ name }) => (name === 'main' ? 'main.js' : '[name]-[hash].js'),
      chunkFileNames: '[name]-[hash].js',
      // small and loaded by every command, as the shapes of the engine's operations are: one file to read at a start
      codeSplitting: {
        groups: [
          { name: 'wire', test: /src[\\/](engine[\\/](wire|operations)[\\/]|base[\\/]documents\.ts)/ },
        ],
      },
    });
  } finally {
    await bundle.close();
  }
}

/**
 * Where a module of Parley finds files: a thread's module, which `new URL('./x.ts', import.meta.url)` names, is built too, and files next to
 * a module are in the same folder below `dist` as they have below `src`.
 */
const places: Plugin = {
  name: 'places',
  transform: {
    filter: { id: /\/src\/.*\.ts$/, code: /import\.meta\./ },
    handler(code, id) {
      const folder = dirname(id);
      if (!folder.startsWith(source)) return null;
      const below = JSON.stringify(`/${relative(source, folder).split(sep).join('/')}`);
      const placed = code
        .replace(/new URL\('(\.{1,2}\/[^']+\.ts)', import\.meta\.url\)/g, (_, path: string) => {
          const chunk = this.emitFile({ type: 'chunk', id: join(folder, path), name: basename(path, '.ts') });
          return `new URL(import.meta.ROLLUP_FILE_URL_${chunk})`;
        })
        .replaceAll('import.meta.dirname', `(import.meta.dirname + ${below})`);
      if (/new URL\([^;]*import\.meta\.url/.test(placed))
        this.error(
          `${id} names a file in a way that the build does not know: expected new URL('./x.ts', import.meta.url).`,
        );
      return { code: placed, map: null }; // each line is still the same line
    },
  },
};

/**
 * Maps name lines and no columns, and of the sources of this project: an eighth of the bytes, which a program that prints an error reads in
 * 8 ms at most. What a library does is named by its place in `dist`.
 */
function asPut({ fileName, source: content }: OutputAsset): string | Uint8Array {
  if (!fileName.endsWith('.map')) return content;
  const { version, sources: all, mappings } = JSON.parse(String(content));
  const sources: readonly (string | null)[] = all.map((path: string) =>
    path.includes('node_modules') ? null : path,
  );
  const isOwn = (file: number | undefined): boolean => file !== undefined && sources[file] !== null;
  const byLine = decode(mappings).map((segments) =>
    segments.flatMap(([at, file, line], index): SourceMapSegment[] => {
      const [, fileBefore, lineBefore] = segments[index - 1] ?? [];
      if (file === undefined || line === undefined) return [];
      if (!isOwn(file)) return isOwn(fileBefore) ? [[at]] : [];
      return file === fileBefore && line === lineBefore ? [] : [[at, file, line, 0]];
    }),
  );
  return JSON.stringify({ version, sources, names: [], mappings: encode(byLine) });
}

const packageOf = /^(.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))([\\/].*)$/;

/** Where npm has installed a version of a package twice, it is in the program once. */
function onePackageOnce(): Plugin {
  const folders = new Map<string, string>();
  return {
    name: 'one-package-once',
    resolveId: {
      filter: { id: /^[^./#]/ },
      async handler(specifier, importer, options) {
        const found = await this.resolve(specifier, importer, { ...options, skipSelf: true });
        const [, folder, name, rest] = packageOf.exec(found?.id ?? '') ?? [];
        if (found === null || folder === undefined) return found;
        const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
        const first = folders.get(`${name}@${version}`) ?? folder;
        folders.set(`${name}@${version}`, first);
        return { ...found, id: `${first}${rest}` };
      },
    },
  };
}

/** The files of the sandbox's page, and the console's as one script and one style sheet. */
async function putPages(): Promise<void> {
  const isPage = (path: string): boolean => !path.endsWith('tsconfig.json');
  cpSync(join(source, 'sandbox', 'page'), join(dist, 'sandbox', 'page'), { recursive: true, filter: isPage });
  const { script, style, licences } = await bundlePage();
  const page = join('console', 'page');
  for (const name of ['index.html', 'icon.svg'])
    put(join(page, name), readFileSync(join(source, page, name)));
  put(join(page, packedFiles.script), compressed(script));
  put(join(page, packedFiles.style), compressed(style));
  put(join(page, 'licences.txt'), licences);
}

/** Deletes what neither this `dist` nor the one before it has. */
function removeOld(made: ReadonlySet<string>): void {
  const before = madeBefore();
  for (const file of readdirSync(dist))
    if (/-[\w-]{8}\.js(\.map)?$/.test(file) && !made.has(file) && !before.has(file)) rmSync(join(dist, file));
}

function madeBefore(): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(readFileSync(join(dist, stampFile), 'utf8')).made);
  } catch {
    return new Set(); // there is none, or of a version that wrote another
  }
}

/** Writes a file of `dist` in one step. */
function put(name: string, content: string | Uint8Array): void {
  const path = join(dist, name);
  const written = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(written, content);
  renameSync(written, path);
}
