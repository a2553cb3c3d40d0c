// The version of this program, as package.json has it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '#base/json.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Reads the version from the package's own package.json. */
export function readVersion(): string {
  const path = join(root, 'package.json');
  return parseJson(readFileSync(path, 'utf8'), z.object({ version: z.string() }), path).version;
}
