// A command at a terminal of its own, of 80 columns, made by script(1): what it writes there, and what a person types when something stands there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const script = '/usr/bin/script';

/** For a test's options: why it cannot run here, or false. */
export const noTerminal = existsSync(script)
  ? false
  : 'SKIPPED: /usr/bin/script, which makes a terminal, is missing';

/** What is typed once `seen` stands on the screen; a function is given all that was written so far. */
export interface Typing {
  seen: RegExp;
  type: string | ((screen: string) => Promise<string>);
}

/** Runs the command line and types each in turn; resolves with all that was written, with control sequences, once it has ended. */
export async function atTerminal(
  command: string,
  { folder, env = {}, typed }: { folder: string; env?: NodeJS.ProcessEnv; typed: readonly Typing[] },
): Promise<string> {
  const child = spawn(script, ['-qec', `stty cols 80 rows 24; ${command}`, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, TERM: 'xterm-256color', ...env },
  });
  const ended = once(child, 'exit');
  const left = [...typed];
  let written = '';
  for await (const piece of child.stdout.setEncoding('utf8')) {
    written += piece;
    const [next] = left;
    if (next === undefined || !next.seen.test(stripVTControlCharacters(written))) continue;
    left.shift();
    child.stdin.write(typeof next.type === 'string' ? next.type : await next.type(written));
  }
  await ended;
  return written;
}
