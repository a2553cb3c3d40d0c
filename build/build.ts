// `npm run build`: what `src` is in the package: JavaScript with the declarations of the client, in `dist`. Node strips no types inside `node_modules`.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { minifySync } from 'rolldown/utils';
import { bundlePage } from '#console/bundle.ts';
import { compressed, packedFiles } from '#console/page-files.ts';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src');
/** The sources with specifiers that JavaScript has; TypeScript rewrites relative ones only. */
const staged = join(root, 'staged');
const dist = join(root, 'dist');

/** Names of modules, in imports and in URLs of workers: with an alias, or relative. */
const specifier = /'(#(?:base|memory|engine|adapters|app|console|sandbox)\/|\.{1,2}\/)([^'\n]+)\.ts'/g;

function inJavaScript(file: string, text: string): string {
  return text.replaceAll(specifier, (_, start: string, rest: string) => {
    if (!start.startsWith('#')) return `'${start}${rest}.js'`;
    const path = relative(dirname(file), `${start.slice(1)}${rest}.js`)
      .split(sep)
      .join('/');
    return path.startsWith('.') ? `'${path}'` : `'./${path}'`;
  });
}

/** What the package does not need: modules and styles that are in the console's bundle, and settings of the type checker. */
const leftOut = /^console\/page\/.*\.(js|css)$|\/tsconfig\.json$/;

/** A module without its comments, line breaks and indentation. No name changes. */
function asCode(file: string, text: string): string {
  const plain = { compress: false, mangle: false, codegen: { removeWhitespace: true } };
  const { code, errors } = minifySync(file, text, plain);
  if (errors.length > 0) throw new Error(`${file} is not JavaScript: ${errors[0]?.message}`);
  return code;
}

function put(path: string, text: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

for (const folder of [staged, dist]) rmSync(folder, { recursive: true, force: true });
const entries = readdirSync(source, { recursive: true, withFileTypes: true }).filter((entry) =>
  entry.isFile(),
);
for (const { parentPath, name } of entries) {
  const file = relative(source, join(parentPath, name));
  if (name.endsWith('.ts'))
    put(join(staged, file), inJavaScript(file, readFileSync(join(source, file), 'utf8')));
  else if (leftOut.test(file)) continue;
  else cpSync(join(source, file), join(dist, file));
  if (name.endsWith('.json')) cpSync(join(source, file), join(staged, file));
}
const { script, style, licences } = await bundlePage();
const page = join(dist, 'console', 'page');
put(join(page, packedFiles.script), compressed(script));
put(join(page, packedFiles.style), compressed(style));
put(join(page, 'licences.txt'), licences);
const compiler = join(root, 'node_modules', '.bin', 'tsc');
execFileSync(compiler, ['-p', join(import.meta.dirname, 'tsconfig.json')], { stdio: 'inherit' });
execFileSync(compiler, ['-p', join(import.meta.dirname, 'tsconfig.client.json')], { stdio: 'inherit' });
rmSync(staged, { recursive: true, force: true });
// Half a megabyte of line breaks and indentation stays out of the package; names stay, so that stacks can be read.
for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  const path = join(dist, file);
  if (file.endsWith('.js')) writeFileSync(path, asCode(file, readFileSync(path, 'utf8')));
}
