// The version of this program, as package.json has it, and whether it is a clone.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '#base/json.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Whether this is a clone of the project, which has sources, and not an installed package. */
export function isClone(): boolean {
  return existsSync(join(root, 'src', 'app', 'main.ts'));
}

/** Reads the version from the package's own package.json. */
export function readVersion(): string {
  const path = join(root, 'package.json');
  return parseJson(readFileSync(path, 'utf8'), z.object({ version: z.string() }), path).version;
}
