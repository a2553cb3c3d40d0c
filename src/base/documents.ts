// The pages of documentation that come with the program, in a clone and in the package alike.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', 'docs');

/** The full path of a page, for people at the machine: `mcp.md` in, `/opt/parley/docs/mcp.md` out. */
export function documentPath(name: `${string}.md`): string {
  return join(folder, name);
}

/** The text of the page with this file name, as Markdown; undefined where no page has it. */
export async function documentationPage(name: string): Promise<string | undefined> {
  const pages = await readdir(folder);
  return name.endsWith('.md') && pages.includes(name) ? readFile(join(folder, name), 'utf8') : undefined;
}
