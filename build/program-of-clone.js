// Which program a clone starts: the one in `dist`, made anew when something of the sources has changed. A package has no part of this.
// JavaScript, because it is read at each start, and Node takes 20 ms before it reads its first TypeScript.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Says in `dist` what it is made of. */
export const stampFile = 'built.json';

/**
 * The module to load, relative to `bin`: `dist`'s, built first unless it is up to date, which takes 5 ms to see. Where it cannot be built
 * (packages for development are not installed, `dist` is not writable, a module is wrong) the sources are run, and a warning says why.
 */
export function programOfClone() {
  const built = '../dist/main.js';
  if (isUpToDate()) return built;
  const why = build();
  if (why === undefined) return built;
  process.stderr.write(
    `WARNING: "npm run build" failed, so that Parley runs from its TypeScript, which starts slower:\n${why}\n`,
  );
  return '../src/app/main.ts';
}

/** Size and time of each file by its name. */
export function signatureOf(folder, names) {
  return Object.fromEntries(names.map((name) => [name, signOf(join(folder, name))]));
}

function signOf(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? 'absent' : `${found.size} ${found.mtimeMs}`;
}

function isUpToDate() {
  try {
    const { signature } = JSON.parse(readFileSync(join(root, 'dist', stampFile), 'utf8'));
    return Object.entries(signature).every(([name, sign]) => sign === signOf(join(root, name)));
  } catch {
    return false; // it was never built, or not to its end
  }
}

/** Builds in another process, whose memory this one need not have; what it said when it failed. */
function build() {
  if (!existsSync(join(root, 'node_modules', 'rolldown')))
    return 'rolldown is not installed; "npm ci" installs it.';
  const { status, stderr, error } = spawnSync(process.execPath, [join(root, 'build', 'build.ts')], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

// `npm ci` ends with this, so that the first start need not build
if (import.meta.main) programOfClone();
