// Before the package is packed: the program, and the client for programs of others, with its types.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { build } from 'rolldown';
import { buildProgram } from './program.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const client = join('engine', 'client');

/** Names of modules in declarations: with an alias, or relative. */
const specifier = /(['"])(#|\.{1,2}\/)([^'"\n]+)\.ts\1/g;

/** Declarations with specifiers that a program outside of `src` can follow. */
function outside(file: string, text: string): string {
  return text.replaceAll(specifier, (_, quote: string, start: string, rest: string) => {
    if (start !== '#') return `${quote}${start}${rest}.js${quote}`;
    const path = relative(dirname(file), `${rest}.js`).split(sep).join('/');
    return `${quote}${path.startsWith('.') ? '' : './'}${path}${quote}`;
  });
}

/** A table of operations as the client needs it: without their schemas, so that a page runs it without a library for them. */
async function placesAlone(file: string): Promise<string | undefined> {
  if (!/-operations\.ts$/.test(file)) return undefined;
  const tables: Record<string, Record<string, object>> = await import(file);
  return Object.entries(tables)
    .map(([name, table]) => `export const ${name} = ${JSON.stringify(table, withoutSchemas)};`)
    .join('\n');
}

const withoutSchemas = (field: string, value: unknown): unknown =>
  ['input', 'output', 'summary', 'about'].includes(field) ? undefined : value;

// without what an earlier build left there
rmSync(dist, { recursive: true, force: true });
await buildProgram();
await build({
  input: join(root, 'src', client, 'client.ts'),
  platform: 'neutral',
  external: /^[^./#]/,
  plugins: [{ name: 'places of operations', load: placesAlone }],
  output: { file: join(dist, client, 'client.js'), format: 'esm' },
});
const compiler = join(root, 'node_modules', '.bin', 'tsc');
execFileSync(compiler, ['-p', join(import.meta.dirname, 'tsconfig.client.json')], { stdio: 'inherit' });
for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
  if (file.endsWith('.d.ts')) {
    const path = join(dist, file);
    writeFileSync(path, outside(file, readFileSync(path, 'utf8')));
  }
