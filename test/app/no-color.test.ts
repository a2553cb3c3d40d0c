// No command writes a colour where nobody wants one: with NO_COLOR at a terminal, and wherever its output goes to a file.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { atTerminal, noTerminal } from '../support/pseudo-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';

const program = join(import.meta.dirname, '../support/call-all.ts');
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const colour = /\u001b\[[\d;]*m/g;

function ownFolder(t: Parameters<typeof tempFolder>[0]): { folder: string; configFile: string } {
  const folder = tempFolder(t);
  const configFile = join(folder, 'parley.config.json');
  writeFileSync(configFile, JSON.stringify({ home: 'home', engine: { port: 0 } }));
  return { folder, configFile };
}

function assertPlain(written: string): void {
  const [, calls = '0'] = /called (\d+) times/.exec(written) ?? [];
  assert.ok(Number(calls) > 100, written.slice(-400));
  assert.deepEqual(written.match(colour) ?? [], []);
}

test('with NO_COLOR no command writes a colour at a terminal', { skip: noTerminal }, async (t) => {
  const { folder, configFile } = ownFolder(t);
  const command = `'${process.execPath}' '${program}' '${configFile}'`;
  assertPlain(await atTerminal(command, { folder, env: { NO_COLOR: '1' }, typed: [] }));
});

test('into a file no command writes a colour, nor anything else that a terminal would obey', (t) => {
  const { folder, configFile } = ownFolder(t);
  const env = { PATH: process.env.PATH, HOME: folder };
  const { stdout, stderr } = spawnSync(process.execPath, [program, configFile], {
    ...{ cwd: folder, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  });
  assertPlain(stdout + stderr);
  assert.equal((stdout + stderr).includes('\u001b'), false);
});
