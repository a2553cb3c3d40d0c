// What `npm run mutants` rests on: which tests ran a place, the same sample again, and a list of equivalent mutants that stays true.
import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allMutants } from '../../bench/mutants/all-mutants.ts';
import { type Measured, runsAt } from '../../bench/mutants/coverage.ts';
import { equivalents, takeEquivalents } from '../../bench/mutants/equivalent.ts';
import { hashOfTest, loadedBy } from '../../bench/mutants/loaded-by.ts';
import type { Mutant } from '../../bench/mutants/mutate.ts';
import { openResults } from '../../bench/mutants/results.ts';
import { sample } from '../../bench/mutants/sample.ts';
import { batchesOf } from '../../bench/mutants/try-mutant.ts';
import { tempFolder } from '../support/temp-folder.ts';

const mutant = (line: number, words: string): Mutant => ({
  ...{ file: 'src/a.ts', line, words, what: 'operator: < -> <=' },
  ...{ start: line * 100, end: line * 100 + 1, at: line * 100 - 10, text: '<=' },
});
const many = Array.from({ length: 50 }, (_, at) => mutant(at + 1, `if (at < ${at}) end();`));

test('a place ran when the shortest stretch around it did, in any process of the test', () => {
  const measured: Measured = {
    ms: 1,
    ran: {
      'src/a.ts': [
        [
          [0, 100, 1],
          [20, 40, 0],
          [30, 35, 1],
        ],
        [
          [0, 100, 1],
          [20, 40, 0],
          [22, 24, 1],
        ],
      ],
    },
    sources: {},
  };
  const ran = (at: number): boolean => runsAt(measured, 'src/a.ts', at);
  assert.deepEqual([10, 20, 23, 30, 36, 40].map(ran), [true, false, true, true, false, true]);
  assert.equal(runsAt(measured, 'src/b.ts', 10), false);
});

test('the same mutants are tried again for the same seed, also when lines came before them', () => {
  const moved = [mutant(1, 'const b = a < 1;'), ...many.map((one) => mutant(one.line + 1, one.words))];
  const words = (seed: number, of: readonly Mutant[]): string[] =>
    sample(of, { most: 10, seed }).map((one) => one.words);
  const chosen = words(1, many);
  assert.equal(chosen.length, 10);
  assert.ok(chosen.filter((one) => words(1, moved).includes(one)).length >= 9);
  assert.notDeepEqual(words(2, many), chosen);
});

test('an entry for an equivalent mutant that is none any more is refused, and says which', () => {
  const entry = { file: 'src/a.ts', line: 'if (at < 7) end();', what: 'operator: < -> <=', reason: 'no 7' };
  assert.deepEqual([...takeEquivalents(many, [entry]).keys()], [many[7]]);
  assert.throws(() => takeEquivalents(many, [{ ...entry, line: 'if (at < 99) end();' }]), /at < 99/);
  assert.throws(() => takeEquivalents(many, [{ ...entry, what: 'operator: < -> >' }]), /none/);
});

test('each entry for an equivalent mutant names one of the source as it is now', () => {
  const files = [...new Set(equivalents.map(({ file }) => file))];
  const found = takeEquivalents(allMutants(join(import.meta.dirname, '..', '..'), files), equivalents);
  assert.ok(found.size >= equivalents.length);
});

test('a fate is found again after a kill tore the last line, and only under the same tests', (t) => {
  const path = join(tempFolder(t), 'results', 'fates.jsonl');
  openResults(path).add({ id: 'one', tests: 'as they are', fate: 'killed', by: 'test/a.test.ts' });
  appendFileSync(path, '{"id":"two","tests":"as th');
  const results = openResults(path);
  assert.equal(results.find('one', () => 'as they are')?.fate, 'killed');
  assert.equal(
    results.find('one', () => 'changed'),
    undefined,
  );
  assert.equal(
    results.find('two', () => 'as they are'),
    undefined,
  );
});

test('a test is another one when a file that it loads changes, directly or not, and only then', (t) => {
  const root = tempFolder(t);
  const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
  write('one.test.ts', "import { kit } from './kit.ts';\nimport '#base/errors.ts';");
  write('kit.ts', "export { deep as kit } from './deep.ts';");
  write('deep.ts', 'export const deep = 1;');
  write('other.ts', 'export const other = 1;');
  assert.deepEqual(loadedBy(root, 'one.test.ts'), ['deep.ts', 'kit.ts', 'one.test.ts']);
  const before = hashOfTest(root, 'one.test.ts');
  write('other.ts', 'export const other = 2;');
  assert.equal(hashOfTest(root, 'one.test.ts'), before);
  write('deep.ts', 'export const deep = 2;');
  assert.notEqual(hashOfTest(root, 'one.test.ts'), before);
});

test('few tests come first, as most mutants die early, and none is left out', () => {
  const tests = Array.from({ length: 30 }, (_, at) => ({ test: `${at}.test.ts`, ms: 1_000 }));
  const batches = batchesOf(tests);
  assert.deepEqual(
    batches.map((batch) => batch.length),
    [3, 12, 15],
  );
  assert.deepEqual(batches.flat(), tests);
});
