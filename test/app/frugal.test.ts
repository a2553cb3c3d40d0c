// What a long-running program keeps for its next start, and how it stays small.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { tempFolder } from '../support/temp-folder.ts';

const program = pathToFileURL(join(import.meta.dirname, '../../src/app/commands/run-until-stopped.ts')).href;

/** Loads what the programs load, is ready, and is killed; says what came of each compiled file that was kept. */
function killedWhenReady(cache: string): { taken: number; refused: number; kept: number } {
  const source = `(await import(${JSON.stringify(program)})).runFrugally(); process.kill(process.pid, 'SIGKILL');`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', source], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
    encoding: 'utf8',
  });
  const count = (words: RegExp): number => [...`${stdout}${stderr}`.matchAll(words)].length;
  return { taken: count(/was accepted/g), refused: count(/was rejected/g), kept: count(/writing cache/g) };
}

test('a program that was killed compiled for the next one, which takes all of it', (t) => {
  const cache = tempFolder(t);
  const first = killedWhenReady(cache);
  assert.ok(first.kept > 0, `expected compiled files to be kept, got ${JSON.stringify(first)}`);
  const second = killedWhenReady(cache);
  assert.ok(second.taken > 0, `expected compiled files to be taken, got ${JSON.stringify(second)}`);
  assert.deepEqual({ refused: second.refused, kept: second.kept }, { refused: 0, kept: 0 });
});
