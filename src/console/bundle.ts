// The page's modules and the packages that they import as one script without comments. Rolldown is in a checkout only; the package holds the script.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'page');

/** In the order in which later rules win. */
const styles = [
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
];

export interface Bundle {
  script: string;
  style: string;
  /** The licences of the packages whose code is in the script. */
  licences: string;
}

/** Makes the script and the style sheet; throws when a module is missing or cannot be read. */
export async function bundlePage(): Promise<Bundle> {
  const { build } = await import('rolldown');
  const { output } = await build({
    input: join(folder, 'main.js'),
    write: false,
    platform: 'browser',
    output: { format: 'esm', minify: true, comments: false, codeSplitting: false },
  });
  const [script] = output;
  const style = styles.map((name) => readFileSync(join(folder, 'styles', name), 'utf8')).join('\n');
  return { script: script.code, style, licences: licencesOf(Object.keys(script.modules)) };
}

const packageFolder = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//;

/**
 * What each package of these files asks of those who copy its code: its name and its own lines of copyright, and below those of all with
 * the same terms these terms once.
 */
export function licencesOf(files: readonly string[]): string {
  const packages = new Map(
    files.flatMap((file) => {
      const found = packageFolder.exec(file.replaceAll('\\', '/'));
      return found?.[1] === undefined ? [] : [[found[2], found[1]] as const];
    }),
  );
  const licences = [...packages].map(([name, path]) => {
    const lines = licenceOf(path).split(/\r?\n/);
    const terms = lines.filter((line) => !isCopyright(line)).join('\n');
    return {
      notice: [name, ...lines.filter(isCopyright).map((line) => `  ${line.trim()}`)].join('\n'),
      terms,
    };
  });
  return [...Map.groupBy(licences, ({ terms }) => terms.replaceAll(/\s+/g, ' ').trim()).values()]
    .map((alike) => [...alike.map(({ notice }) => notice), '', alike[0]?.terms.trim()].join('\n'))
    .join(`\n\n${'-'.repeat(40)}\n\n`);
}

/** Whose code it is and since when; not the form for it in an appendix, like "Copyright [yyyy] [name of copyright owner]". */
function isCopyright(line: string): boolean {
  return /^\s*(?:copyright\b|\(c\)|©)/i.test(line) && !/[[{]yyyy[\]}]/.test(line);
}

/** The text of a package's licence; its name and who wrote it for a package that comes without the text. */
function licenceOf(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8');
  const { license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`Expected a licence in ${folder}, got none.`);
  return [`License: ${license}`, author?.name ?? author ?? ''].join('\n');
}
