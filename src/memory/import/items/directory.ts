// The documents below a folder that its owner would not have excluded: by `.gitignore`, by hidden names, by folders that programs fill. Not their reading.
import { readFile, stat } from 'node:fs/promises';
import { dirname, extname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { type EntryFilter, filesBelow, type WalkLimits } from './walk.ts';

/** Files that are read as documents. */
export const documentEndings: readonly string[] = ['.md', '.markdown', '.mdx', '.txt'];
/** A larger document of a folder is reported and passed over (Tandem's own limit). */
export const largestDocument = 2 * 1024 * 1024;
/** What package managers and builds put next to the documents. */
export const filledByPrograms: ReadonlySet<string> = new Set(['node_modules', 'dist', 'build', 'target']);

interface IgnoreScope {
  /** The folder to which `rules` are relative. */
  top: string;
  /** In the order in which git reads them: a later one overrules. */
  rules: Ignore;
}

/**
 * Paths of the documents below a folder, in order. `.gitignore` is obeyed as git does it: that of the folder, of those in it, and, inside of a
 * repository, of those above it, unless they ignore the folder itself, which was named and so is meant. Links are not followed; throws
 * as `filesBelow` does.
 */
export async function documentsBelow(root: string, limits: WalkLimits = {}): Promise<string[]> {
  const places = new Map([[dirname(root), await placeOf(root)]]);
  return filesBelow(root, {
    ...limits,
    async enter(folder) {
      const { top, rules } = places.get(dirname(folder)) ?? { top: root, rules: ignore() };
      const own = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => undefined);
      const place =
        own === undefined
          ? { top, rules }
          : { top, rules: withOwn(rules, patternsIn(own, pathFrom(top, folder))) };
      places.set(folder, place);
      return (entry, path) => isDocument(entry, pathFrom(top, path), place.rules);
    },
  });
}

function isDocument(entry: Parameters<EntryFilter>[0], name: string, rules: Ignore): boolean {
  if (entry.name.startsWith('.')) return false;
  if (entry.isDirectory()) return !filledByPrograms.has(entry.name) && !rules.ignores(`${name}/`);
  return documentEndings.includes(extname(entry.name).toLowerCase()) && !rules.ignores(name);
}

function withOwn(rules: Ignore, own: readonly string[]): Ignore {
  return ignore().add(rules).add(own);
}

/** What the folders above say, from the repository's top down; nothing outside of a repository. */
async function placeOf(root: string): Promise<IgnoreScope> {
  const above: string[] = [];
  for (let folder = root; ; folder = dirname(folder)) {
    if (folder !== root) above.unshift(folder);
    if (await exists(join(folder, '.git'))) break;
    if (dirname(folder) === folder) return { top: root, rules: ignore() };
  }
  const [top] = above;
  if (top === undefined) return { top: root, rules: ignore() };
  const rules = ignore();
  for (const folder of above) {
    const own = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => undefined);
    if (own !== undefined) rules.add(patternsIn(own, pathFrom(top, folder)));
  }
  return rules.ignores(`${pathFrom(top, root)}/`) ? { top: root, rules: ignore() } : { top, rules };
}

/** The patterns of a `.gitignore` as they read from a folder above it: all rules are one list then, as git sees them. */
function patternsIn(content: string, folder: string): string[] {
  const lines = content.replace(/^\ufeff/, '').split(/\r?\n/);
  if (folder === '') return lines;
  const before = folder.replace(/[\\*?[\]!# ]/g, '\\$&');
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [not, pattern] = line.startsWith('!') ? ['!', line.slice(1)] : ['', line];
      const bare = pattern.replace(/^\\(?=[!#])/, '');
      // a pattern with a slash before its end is for this folder alone, any other one for all below it
      const anchored = bare.replace(/\/?\s*$/, '').includes('/');
      return `${not}/${before}/${anchored ? bare.replace(/^\//, '') : `**/${bare}`}`;
    });
}

/** With slashes, whatever the system's own sign is. */
function pathFrom(top: string, path: string): string {
  return relative(top, path).split(sep).join('/');
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
