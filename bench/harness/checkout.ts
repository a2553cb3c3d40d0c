// Another commit of this repository as a folder that can be started: a git worktree with its dependencies.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { endAtExit } from './at-exit.ts';

export interface Checkout {
  /** The folder with its package.json. */
  root: string;
  /** The first eight digits of its commit. */
  name: string;
  /** Removes the folder and git's record of it; happens also when the process exits. */
  remove(): void;
}

/**
 * Checks a commit of the repository at `from` out into `folder`, which must not exist, and installs what its package-lock.json names:
 * linked from `from` where both name the same, otherwise by `npm ci`, from npm's cache as far as that has it. Its `prepare` script
 * has run. Throws a ParleyError `wrong_arguments` for a revision that does not exist, and `checkout_failed` for what npm refuses.
 */
export async function openCheckout(from: string, revision: string, folder: string): Promise<Checkout> {
  const commit = commitOf(from, revision);
  git(from, 'worktree', 'add', '--quiet', '--detach', folder, commit);
  const remove = endAtExit(() => {
    // npm, which was just ended, may still write for a moment
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    git(from, 'worktree', 'remove', '--force', folder);
  });
  try {
    await install(from, folder);
  } catch (error) {
    remove();
    throw error;
  }
  return { root: folder, name: commit.slice(0, 8), remove };
}

function commitOf(from: string, revision: string): string {
  try {
    return git(from, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`);
  } catch {
    throw new ParleyError(
      'wrong_arguments',
      `Expected a commit, branch or tag of this repository, got "${revision}".`,
    );
  }
}

const git = (from: string, ...words: string[]): string =>
  execFileSync('git', ['-C', from, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

async function install(from: string, root: string): Promise<void> {
  const lockOf = (folder: string): string => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (lockOf(from) !== lockOf(root)) {
    await npm(root, ['ci', '--prefer-offline', '--no-audit', '--no-fund']);
    return;
  }
  // Links in a separate folder, as tools write into `.cache` below it.
  const modules = join(root, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(from, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(from, 'node_modules', name), join(modules, name));
  await npm(root, ['run', '--if-present', 'prepare']);
}

/** Runs npm under this Node: it chooses versions by the Node that it runs under. */
async function npm(root: string, words: readonly string[]): Promise<void> {
  const path = [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter);
  // a process group, so that what npm starts ends with it
  const child = spawn('npm', ['--prefix', root, ...words], {
    ...{ cwd: root, detached: true, env: { ...process.env, PATH: path } },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = endAtExit(() => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const failed = (why: string): ParleyError =>
    new ParleyError('checkout_failed', `"npm ${words.join(' ')}" failed in ${root}: ${why}`);
  try {
    const [out, problems, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (code !== 0) throw failed(`${out}${problems}`.trim().split('\n').slice(-20).join('\n'));
  } catch (error) {
    throw error instanceof ParleyError ? error : failed(errorMessage(error));
  } finally {
    kill();
  }
}
