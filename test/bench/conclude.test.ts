// How scripts that measure end. Nothing is measured here.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { atLeast, atMost } from '../../bench/harness/conclude.ts';

const root = join(import.meta.dirname, '../..');
const module = join(root, 'bench/harness/conclude.ts');

/** The function, and what accounts for messages instead of comparing with bounds. */
const others = ['bench/harness/conclude.ts', 'bench/chaos/chaos.ts', 'bench/soak/soak.ts'];

/** A process that concludes with these bounds missed. */
function concluded(missed: readonly string[]) {
  const script = `import { conclude } from ${JSON.stringify(module)}; conclude({ perSecond: 7 }, ${JSON.stringify(missed)});`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  return { status, lines: stdout.trimEnd().split('\n') };
}

test('a measurement that misses a bound says which and exits with 1', () => {
  const { status, lines } = concluded(['exchanges a second: 7, to reach: at least 200']);
  assert.equal(status, 1);
  assert.deepEqual(lines, [
    'MISSED: exchanges a second: 7, to reach: at least 200',
    '{"perSecond":7,"ok":false,"missed":["exchanges a second: 7, to reach: at least 200"]}',
  ]);
});

test('a measurement that reaches its bounds exits with 0', () => {
  const { status, lines } = concluded([]);
  assert.equal(status, 0);
  assert.deepEqual(lines, ['{"perSecond":7,"ok":true,"missed":[]}']);
});

test('a bound is reached at its value, missed beyond it, and missed by what was not measured', () => {
  assert.deepEqual(atMost('p50', 10, 10), []);
  assert.deepEqual(atMost('p50', 10.01, 10), ['p50: 10.01, to reach: at most 10']);
  assert.equal(atMost('p50', Number.NaN, 10).length, 1);
  assert.deepEqual(atLeast('a second', 200, 200), []);
  assert.deepEqual(atLeast('a second', 199, 200), ['a second: 199, to reach: at least 200']);
  assert.equal(atLeast('a second', Number.NaN, 200).length, 1);
});

test('every script that measures against bounds ends through the one function', () => {
  const own = globSync('bench/**/*.ts', { cwd: root }).filter((path) => {
    const source = readFileSync(join(root, path), 'utf8');
    return !others.includes(path) && /MISSED|process\.exitCode =/.test(source);
  });
  assert.deepEqual(own, []);
});
