// `--help` of every command, and of every action that a command's help names: prints how it is called, and does nothing.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { main } from '#app/main.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('every command and every action of one shows its help, and nothing is made', async (t) => {
  const home = join(tempFolder(t), 'home');
  const printed = async (...words: string[]): Promise<string> => {
    const lines = { out: [] as string[], err: [] as string[] };
    const code = await main(
      words,
      { PARLEY_HOME: home },
      {
        out: (line) => lines.out.push(line),
        err: (line) => lines.err.push(line),
      },
    );
    assert.deepEqual([code, lines.err], [0, []], words.join(' '));
    return lines.out.join('\n');
  };
  const help = async (...words: string[]): Promise<string> => {
    const text = await printed(...words, '--help');
    assert.match(text, new RegExp(`^Usage: parley ${[...words, ''].join(' ')}`), words.join(' '));
    for (const other of [
      ['help', ...words],
      [...words, '-h'],
    ])
      assert.equal(await printed(...other), text, other.join(' '));
    return text;
  };
  const commands = namesIn(await help());
  assert.ok(commands.length > 25 && commands.includes('mcp'), commands.join(' '));
  let actions = 0;
  for (const command of commands) {
    const text = await help(command);
    if (!text.startsWith(`Usage: parley ${command} ACTION`)) continue;
    for (const action of namesIn(text)) {
      await help(command, action);
      actions += 1;
    }
  }
  assert.ok(actions > 30, `${actions} actions`);
  assert.throws(() => readdirSync(home), { code: 'ENOENT' });
});

/** The words that lines of a help begin with. */
function namesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/^ {2}([a-z][a-z-]*)(?=[ \n]|$)/gm)].map(([, name = '']) => name))];
}
