// How a person calls this program again: every command that is shown is shown in that form. Not how a command line is read.
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** What decides on it; of this process where nothing else is given. */
interface Caller {
  /** The file that was run, as the process has it. */
  file?: string | undefined;
  /** Where it was called. */
  folder?: string;
  path?: string | undefined;
}

/** The command as it is installed, and as messages have it before `asCalled`. */
const installed = 'parley';

const byNpx = 'npx parley-gateway';

/**
 * The beginning of a command line that runs this program once more in the folder of this call: `parley` where the PATH finds it,
 * `npx parley-gateway` where npx does (another package could have the name of the command), else `node` with the path of the file, which
 * `npm start` runs too. Of a process that is not this program (a test, a thread): `parley`.
 */
export function programCalled({
  file = process.argv[1],
  folder = process.cwd(),
  path = process.env.PATH,
}: Caller = {}): string {
  const program = realOf(file);
  if (program === undefined || !program.endsWith(join('bin', 'parley.js'))) return installed;
  const parts = program.split(sep);
  // the cache of npx, which is on the PATH of this process and of no shell
  if (parts.includes('_npx')) return byNpx;
  if (isOnPath(program, path)) return installed;
  const below = relative(realOf(folder) ?? folder, program);
  const isBelow = !below.startsWith('..') && !isAbsolute(below);
  if (isBelow && below.startsWith(join('node_modules', 'parley-gateway'))) return byNpx;
  const shown = isBelow ? below.replaceAll('\\', '/') : program;
  return `node ${/^[\w./:\\@+-]+$/.test(shown) ? shown : `"${shown}"`}`;
}

/** The same for readers in chats and in browsers, who are shown no folders of this machine: `parley` in place of a path with such. */
export function programCalledInChat(caller?: Caller): string {
  const program = programCalled(caller);
  return program.startsWith('node ') && program !== 'node bin/parley.js' ? installed : program;
}

/**
 * The text for a terminal: each command of this program in it, in quotes or as code, in the form in which it can be called, and each page
 * of the documentation with its path.
 */
export function asCalled(text: string, caller: Caller = {}): string {
  const { file = process.argv[1] } = caller;
  const named = withProgram(text, () => programCalled(caller));
  return named.replace(/(?<![\w/])docs\/[a-z-]+\.md\b/g, (page) => {
    const path = join(dirname(realOf(file) ?? ''), '..', page);
    return existsSync(path) ? path : page;
  });
}

/** The text for a chat or a browser, with its commands as `programCalledInChat` has them. */
export function asCalledInChat(text: string, caller: Caller = {}): string {
  return withProgram(text, () => programCalledInChat(caller));
}

function withProgram(text: string, program: () => string): string {
  return text.replace(/(["`“]|```\w*\n)parley (?=[a-z-])/g, (_, before: string) => `${before}${program()} `);
}

function realOf(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Whether a shell finds this very file as `parley`. Folders that npm adds for its scripts are on no shell's PATH. */
function isOnPath(program: string, path: string | undefined): boolean {
  return (path ?? '').split(delimiter).some((folder) => {
    if (folder === '' || folder.endsWith(join('node_modules', '.bin'))) return false;
    if (realOf(join(folder, installed)) === program) return true;
    // on Windows npm puts a script next to the packages
    const isPackage = program.startsWith(join(folder, 'node_modules') + sep);
    return isPackage && existsSync(join(folder, `${installed}.cmd`));
  });
}
