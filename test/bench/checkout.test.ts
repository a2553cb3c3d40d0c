// Another commit as a folder that can be started: made in a small repository, and gone afterwards, also after an interruption.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { openCheckout } from '../../bench/harness/checkout.ts';
import { startArguments } from '../../bench/harness/start-arguments.ts';
import { tempFolder } from '../support/temp-folder.ts';

const harness = join(import.meta.dirname, '../../bench/harness');

/** A repository whose second commit starts another program, with a package that is installed but in no lock. */
function repository(folder: string, { changesLock = false } = {}) {
  const from = join(folder, 'repository');
  mkdirSync(join(from, 'node_modules', 'installed'), { recursive: true });
  writeFileSync(join(from, 'node_modules', 'installed', 'index.js'), '');
  const git = (...words: string[]): string =>
    execFileSync('git', ['-C', from, '-c', 'user.name=test', '-c', 'user.email=test@localhost', ...words], {
      encoding: 'utf8',
    });
  git('init', '--quiet');
  writeFileSync(join(from, '.gitignore'), 'node_modules\n');
  const commit = (program: string, lockVersion: string): void => {
    const scripts = { start: `node --max-semi-space-size=16 ${program} start`, prepare: 'node prepare.js' };
    writeFileSync(join(from, 'package.json'), JSON.stringify({ name: 'x', version: '1.0.0', scripts }));
    const lock = { name: 'x', version: lockVersion, lockfileVersion: 3, requires: true };
    const packages = { '': { name: 'x', version: '1.0.0' } };
    writeFileSync(join(from, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
    writeFileSync(join(from, 'prepare.js'), "require('node:fs').writeFileSync('prepared', '');");
    git('add', '--all');
    git('commit', '--quiet', '--message', program);
  };
  commit('bin/earlier.js', changesLock ? '0.9.0' : '1.0.0');
  commit('bin/later.js', '1.0.0');
  return { from, worktrees: () => git('worktree', 'list').trim().split('\n').length };
}

test('a checkout has the files of its commit, its own start and the packages of an equal lock', async (t) => {
  const folder = tempFolder(t);
  const { from, worktrees } = repository(folder);
  const { root, name, remove } = await openCheckout(from, 'HEAD~1', join(folder, 'checkout'));
  assert.match(name, /^[0-9a-f]{8}$/);
  assert.deepEqual(startArguments(root), ['--max-semi-space-size=16', join(root, 'bin/earlier.js')]);
  assert.deepEqual(startArguments(from), ['--max-semi-space-size=16', join(from, 'bin/later.js')]);
  assert.ok(existsSync(join(root, 'node_modules', 'installed', 'index.js')));
  assert.ok(existsSync(join(root, 'prepared')), 'its prepare script has run');
  assert.equal(worktrees(), 2);
  remove();
  assert.equal(worktrees(), 1);
  assert.ok(!existsSync(root));
  assert.ok(
    existsSync(join(from, 'node_modules', 'installed', 'index.js')),
    'what was linked is still there',
  );
});

test('a checkout with another lock has the packages of that lock', async (t) => {
  const folder = tempFolder(t);
  const { from } = repository(folder, { changesLock: true });
  const { root, remove } = await openCheckout(from, 'HEAD~1', join(folder, 'checkout'));
  assert.ok(!existsSync(join(root, 'node_modules', 'installed')));
  assert.ok(existsSync(join(root, 'prepared')), 'its prepare script has run');
  assert.equal(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).version, '0.9.0');
  remove();
});

test('a revision that does not exist is refused, and leaves nothing', async (t) => {
  const folder = tempFolder(t);
  const { from, worktrees } = repository(folder);
  await assert.rejects(openCheckout(from, 'no-such-tag', join(folder, 'checkout')), {
    code: 'wrong_arguments',
    message: /got "no-such-tag"/,
  });
  assert.equal(worktrees(), 1);
});

test('a checkout whose prepare script fails is removed, and the error has what npm said', async (t) => {
  const folder = tempFolder(t);
  const { from, worktrees } = repository(folder);
  writeFileSync(join(from, 'prepare.js'), "throw new Error('no bundle today');");
  execFileSync('git', [
    '-C',
    from,
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@localhost',
    'commit',
    '-qam',
    'x',
  ]);
  await assert.rejects(openCheckout(from, 'HEAD', join(folder, 'checkout')), {
    code: 'checkout_failed',
    message: /no bundle today/,
  });
  assert.equal(worktrees(), 1);
  assert.ok(!existsSync(join(folder, 'checkout')));
});

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`a measurement that is ended by ${signal} leaves no checkout`, async (t) => {
    const folder = tempFolder(t);
    const { from, worktrees } = repository(folder);
    const place = join(folder, 'checkout');
    const script = [
      `import { exitOnSignals } from ${JSON.stringify(join(harness, 'at-exit.ts'))};`,
      `import { openCheckout } from ${JSON.stringify(join(harness, 'checkout.ts'))};`,
      'exitOnSignals();',
      `await openCheckout(${JSON.stringify(from)}, 'HEAD~1', ${JSON.stringify(place)});`,
      "console.log('ready');",
      'setInterval(() => {}, 1_000);',
    ].join('\n');
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: join(harness, '../..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    assert.equal(line, 'ready');
    assert.equal(worktrees(), 2);
    child.kill(signal);
    assert.deepEqual(await exited, [signal === 'SIGINT' ? 130 : 143, null]);
    assert.equal(worktrees(), 1);
    assert.ok(!existsSync(place));
  });
