// What qmd is asked, and which folders it indexes, as qmd expects it. Pure.
import type { FoundFile } from '#memory/files/find-files.ts';
import type { QmdOptions } from '#memory/types/files.ts';
import { isStop, textLanguage } from '#memory/words/languages.ts';
import { plainWords } from '#memory/words/tokens.ts';

/** Lines of a query: more than its tools take are of no use. */
const maxWords = 9;
const maxText = 500;

/**
 * The query document. Lines of words need no model: all of them together, then each one, since a line finds only what has all of its words.
 * Undefined for a text without words.
 */
export function queryDocument(text: string, mode: QmdOptions['mode']): string | undefined {
  const plain = text
    .replace(/[\p{C}\s"]+/gu, ' ')
    .trim()
    .slice(0, maxText);
  const words = [...new Set(plainWords(plain))];
  if (words.length === 0) return undefined;
  // a hyphen before a word would exclude it
  const sentence = plain.replace(/(^| )-+/g, '$1');
  if (mode === 'query') return `expand: ${sentence}`;
  const language = textLanguage(plain);
  const telling = words.filter((word) => !isStop(language, word));
  const meant = (telling.length > 0 ? telling : words).slice(0, maxWords);
  const lines = [...new Set([meant.join(' '), ...meant])].map((line) => `lex: ${line}`);
  // what has no vector yet is found by its words
  return [...(mode === 'vsearch' ? [`vec: ${sentence}`] : []), ...lines].join('\n');
}

/** Its config, which is YAML and so may be JSON: a collection for each folder, found only when it is named. */
export function collectionsOf(files: readonly FoundFile[]): string {
  const collections = Object.fromEntries(
    files.map(({ folder, root, readOnly }) => [
      folder,
      {
        path: root,
        pattern: readOnly ? '**/*.{md,markdown}' : '{MEMORY.md,memory/*.md,memory/*.markdown}',
        includeByDefault: false,
      },
    ]),
  );
  return `${JSON.stringify({ collections }, null, 2)}\n`;
}
