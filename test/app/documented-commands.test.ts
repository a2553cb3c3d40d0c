// Each command line that the pages show is called as it is there: the program knows it, and answers within 80 columns.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCommandLine } from '#app/cli/program.ts';
import { pages } from '../support/pages.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { writeRecalls } from './recalled-home.ts';
import { openTerminal } from './terminal.ts';

const root = join(import.meta.dirname, '../..');
/** They go on until they are stopped, ask at a terminal, or fetch a model; each has tests in which it runs. */
const goesOn =
  /^(?:start|engine|channels|chat|demo|mcp|init|events|console|memory download|status .*--watch)\b/;

/** They write what another program reads. */
const files = /^(?:schema|completion|slack manifest|memory export|.*--json)/;

/** The command lines in the pages, without the name of the program. */
function shownCommands(): string[] {
  const lines = pages.flatMap(({ text }) => [
    ...text.matchAll(/^(?:npx parley-gateway|parley|node bin\/parley\.js) ([^#\n]+)/gm),
    ...text.matchAll(/`parley ([^`]+)`/g),
  ]);
  return [...new Set(lines.map(([, line = '']) => line.replace(/[[\]]|>.*$/g, '').trim()))].sort();
}

/** The words of a line as a shell gives them, with what a reader fills in. */
function wordsOf(line: string, folder: string): string[] {
  const filled: Record<string, string> = {
    DIR: join(folder, 'backups'),
    PATH: join(folder, 'notes'),
    FORMAT: 'directory',
    CODE: 'ABCD2345',
    FILE: join(folder, `${line.length}.jsonl`),
  };
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) =>
    (quoted ?? filled[plain] ?? plain).replace(/person:(?:ID|per_01K\.\.\.)/, 'person:per_ann'),
  );
}

test('every command that the pages show is read by the command line as it stands, those too that go on until they are stopped', (t) => {
  const folder = tempFolder(t);
  const shown = shownCommands();
  assert.ok(shown.some((line) => goesOn.test(line)));
  const wrong = shown.flatMap((line) => {
    try {
      readCommandLine(wordsOf(line, folder));
      return [];
    } catch (error) {
      return [`parley ${line}: ${String(error)}`];
    }
  });
  assert.deepEqual(wrong, []);
});

test('every command that the pages show is one of the program, with its options, and fits 80 columns', async (t) => {
  const terminal = openTerminal(t);
  mkdirSync(join(terminal.folder, 'notes'));
  writeFileSync(join(terminal.folder, 'notes/key.md'), '# Notes\n\nThe key hangs behind the clock.\n');
  await writeRecalls(terminal.home);
  const shown = shownCommands().filter((line) => !goesOn.test(line));
  assert.ok(shown.length > 50, `${shown.length}`);
  const wrong: string[] = [];
  for (const line of shown) {
    const { code, out, err } = await terminal.call(...wordsOf(line, terminal.folder));
    // a command that a page only mentions lacks what it is to work on
    if (code === 2 && !err.startsWith('parley: Expected')) wrong.push(`parley ${line}: ${err.trim()}`);
    const wide = files.test(line)
      ? undefined
      : out.split('\n').find((each) => each.replaceAll(terminal.folder, '').length > 80);
    if (wide !== undefined) wrong.push(`parley ${line}: ${wide.length} columns: ${wide}`);
  }
  assert.deepEqual(wrong, []);
});

test('a terminal shows what is wrong within 80 columns, broken at spaces, and paths whole', {
  skip: existsSync('/usr/bin/script')
    ? false
    : 'SKIPPED: /usr/bin/script, which makes a terminal, is missing',
}, (t) => {
  const folder = tempFolder(t);
  const path = join(folder, `${'a'.repeat(90)}.json`);
  const call = (words: string): string[] => {
    const command = `stty cols 100; '${process.execPath}' '${join(root, 'bin/parley.js')}' ${words}`;
    const env = { ...process.env, PARLEY_HOME: folder };
    const { stdout } = spawnSync('/usr/bin/script', ['-qec', command, '/dev/null'], { cwd: folder, env });
    return stdout.toString().split(/\r?\n/);
  };
  const lines = call('memory forget');
  assert.ok(lines.length > 2, lines.join('\n'));
  assert.match(lines.join(' '), /Expected at least one of --id, --person, --chat, --session/);
  for (const line of lines) assert.ok(line.length <= 80, `${line.length} columns: ${line}`);
  assert.ok(call(`check --config '${path}'`).some((line) => line.includes(path)));
});
