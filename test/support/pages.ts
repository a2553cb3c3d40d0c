// The pages that people read: their paths from the root of the project, and their text.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** README, the pages next to it about working on the project, and all of docs. */
export const pages = globSync(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/*.md'], {
  cwd: root,
}).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** The examples of a config in the pages, each with the page that shows it. */
export const shownConfigs = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, json = '']) => ({
    path,
    value: JSON.parse(json),
  })),
);
