// What a long-running program keeps for its next start, and how it stays small.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { tempFolder } from '../support/temp-folder.ts';

const root = join(import.meta.dirname, '../..');
const [main = '', untilStopped = ''] = ['src/app/main.ts', 'src/app/commands/serve/run-until-stopped.ts'].map(
  (file) => JSON.stringify(pathToFileURL(join(root, file)).href),
);

/** Runs Node with a folder for what it compiles, and counts what became of each compiled file. */
function run(cache: string, args: readonly string[]): { taken: number; refused: number; saved: number } {
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, NODE_COMPILE_CACHE: cache, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
    encoding: 'utf8',
  });
  const count = (words: RegExp): number => [...`${stdout}${stderr}`.matchAll(words)].length;
  return { taken: count(/was accepted/g), refused: count(/was rejected/g), saved: count(/writing cache/g) };
}

/** Loads what every command loads, is ready, and is killed. */
const killedWhenReady = [
  '--input-type=module',
  '--eval',
  `await import(${main}); (await import(${untilStopped})).runFrugally(); process.kill(process.pid, 'SIGKILL');`,
];

test('a program that was killed compiled for the next one, which takes all of it, as any other Node does', (t) => {
  const cache = tempFolder(t);
  const first = run(cache, killedWhenReady);
  assert.ok(first.saved > 0, `expected compiled files to be kept, got ${JSON.stringify(first)}`);
  const second = run(cache, killedWhenReady);
  assert.ok(second.taken > 0, `expected compiled files to be taken, got ${JSON.stringify(second)}`);
  assert.deepEqual({ refused: second.refused, saved: second.saved }, { refused: 0, saved: 0 });
  assert.equal(run(cache, [join(root, 'bin', 'parley.js'), 'version']).refused, 0);
});

test('npm start, the demo, the service, the container and the program by its name give Node the same limit for new objects', () => {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const { scripts } = JSON.parse(read('package.json'));
  const [named = ''] = read('bin/parley.js').split('\n');
  const ways = [scripts.start, scripts.demo, named, read('deploy/parley.service'), read('deploy/Dockerfile')];
  const limits = ways.map((text) => /--max-semi-space-size=\d+/.exec(text)?.[0]);
  assert.deepEqual(limits, Array(5).fill('--max-semi-space-size=16'));
});
