// Plays a person who edits the memory file of the demo with an editor.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { memoryFilesFolder } from '#app/home/folders.ts';

/** Writes `text` into `MEMORY.md` of the only person with a memory folder, as an editor would. */
export function editByHand(home: string, text: string): void {
  const root = join(home, memoryFilesFolder);
  const [name, ...others] = readdirSync(root).filter((each) => each.startsWith('person-'));
  if (name === undefined || others.length > 0)
    throw new Error(
      `Expected the memory files of one person in ${root}, found ${others.length + 1} folders.`,
    );
  writeFileSync(join(root, name, 'MEMORY.md'), `${text}\n`);
}
