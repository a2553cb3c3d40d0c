// `parley version`: which version of the program this is.
import { readVersion } from '#app/home/version.ts';
import type { CommandInput } from './parts/input.ts';

/** Prints the version; resolves with 0. */
export async function printVersion({ print, json }: CommandInput): Promise<number> {
  print(json ? JSON.stringify({ version: readVersion() }) : readVersion());
  return 0;
}
