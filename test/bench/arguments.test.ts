// What the scripts of package.json that measure and kill say about themselves, and what they refuse. Nothing is measured here.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import { readArguments } from '../../bench/harness/arguments.ts';

const root = join(import.meta.dirname, '../..');
const { scripts } = parseJson(
  readFileSync(join(root, 'package.json'), 'utf8'),
  z.object({ scripts: z.record(z.string(), z.string()) }),
  'package.json',
);
/** Each with what Node is called with. */
const calls = Object.entries(scripts).flatMap(([name, command]) => {
  const [, words] = /^node (.*\bbench\/\S+\.ts)$/.exec(command) ?? [];
  return words === undefined ? [] : [{ name, words: words.split(' ') }];
});
/** A script that starts to measure is ended, and the test fails. */
const timeout = 30_000;

async function called(words: readonly string[]) {
  const child = spawn(process.execPath, words, { cwd: root, timeout });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, problems, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { out, problems, code };
}

test('every script that measures is called here', () => {
  assert.ok(calls.length >= 17, calls.map(({ name }) => name).join());
});

for (const { name, words } of calls) {
  test(`"npm run ${name} -- --help" says in 80 columns what it does and which options it takes`, async () => {
    const { out, problems, code } = await called([...words, '--help']);
    assert.deepEqual([code, problems], [0, '']);
    assert.match(out, new RegExp(`^Usage: npm run ${name}( -- |\\n)`));
    assert.deepEqual(
      out.split('\n').filter((line) => line.length > 80),
      [],
    );
  });

  test(`"npm run ${name}" refuses an unknown option with a message and exit code 2`, async () => {
    const { out, problems, code } = await called([...words, '--nonsense']);
    assert.deepEqual([code, out], [2, '']);
    assert.match(problems, new RegExp(`^${name}: .*--nonsense`));
    assert.match(problems, new RegExp(`npm run ${name} -- --help`));
    assert.doesNotMatch(problems, /^ {4}at /m);
  });
}

const script = {
  name: 'bench:example',
  about: 'Measures an example.',
  operands: 'FOLDER...',
  options: {
    seed: { standard: 7, least: 0, most: 9, about: 'of the random choices' },
    sizes: { standard: [10, 20], least: 1, most: 1_000, about: 'how many there are' },
    log: { isSwitch: true, about: 'prints all' },
    as: { standard: 'turns', oneOf: ['turns', 'records'], about: 'what is asked' },
    data: { value: 'FILE', isMany: true, about: 'what is read' },
    home: { value: 'FOLDER', about: 'a folder that stays' },
  },
} as const;

test('options have their standards, and are read as what they are', () => {
  const standards = readArguments(script, ['a']);
  assert.deepEqual(standards, {
    values: { seed: 7, sizes: [10, 20], log: false, as: 'turns', data: [], home: undefined },
    operands: ['a'],
  });
  const given = ['--seed', '0', '--sizes=1,1000', '--log', '--as', 'records', '--data', 'x', '--data', 'y'];
  assert.deepEqual(readArguments(script, ['b', ...given, '--home', 'h', 'c']), {
    values: { seed: 0, sizes: [1, 1_000], log: true, as: 'records', data: ['x', 'y'], home: 'h' },
    operands: ['b', 'c'],
  });
});

test('a value that does not fit is refused with what was expected and what came', () => {
  const wrong: [string[], RegExp][] = [
    [['a', '--seed', '10'], /^--seed expects a whole number from 0 to 9, got "10"\.$/],
    [['a', '--seed', '-1'], /--seed/],
    [['a', '--seed', '1.5'], /got "1\.5"/],
    [['a', '--seed', ''], /got ""/],
    [['a', '--sizes', '5,x'], /^--sizes expects whole numbers from 1 to 1000 with commas, got "5,x"\.$/],
    [['a', '--as', 'poems'], /^--as expects turns or records, got "poems"\.$/],
    [['a', '--log=yes'], /--log/],
    [['a', '--home'], /--home/],
    [[], /^Expected FOLDER\.\.\., got nothing\.$/],
  ];
  for (const [argv, message] of wrong)
    assert.throws(() => readArguments(script, argv), { code: 'wrong_arguments', message }, argv.join(' '));
  const { operands: _, ...without } = script;
  assert.throws(() => readArguments(without, ['a']), { code: 'wrong_arguments', message: /"?a"?/ });
});
