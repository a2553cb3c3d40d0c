// Every option and every word of every command, given an empty, a huge and a wrong value: an answer in words, and never a stack.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ActionSpec } from '#app/cli/command-spec.ts';
import { programCommands as commands } from '#app/cli/program-commands.ts';
import { openTerminal } from './terminal.ts';

/** With no wrong value they run until they are stopped, ask at a terminal, or fetch what the network has. */
const goesOn = new Set(['start', 'engine', 'channels', 'chat', 'demo', 'mcp', 'init']);

const values = ['', 'x'.repeat(100_000), '\u0000', '-1', '{}'];

test('no option and no word of a command makes a stack of its value, whatever it is', async (t) => {
  const { call, folder } = openTerminal(t);
  const wrong: string[] = [];
  let calls = 0;
  const tryOut = async (...words: readonly string[]): Promise<void> => {
    calls += 1;
    const shown = words.map((word) => word.slice(0, 20)).join(' ');
    try {
      const { code, out, err } = await call(...words);
      if (code > 2 || /^ {4}at /m.test(out + err)) wrong.push(`${shown}: ${err}`);
      if (/\b(?:GET|POST|PUT|PATCH|DELETE) \/|^parley: The body|>=/m.test(err))
        wrong.push(`${shown}: words of HTTP: ${err}`);
      if (code !== 0 && err === '' && out === '') wrong.push(`${shown}: says nothing`);
    } catch (error) {
      wrong.push(`${shown}: ${error instanceof Error ? error.stack?.slice(0, 400) : error}`);
    }
  };
  const tryAll = async (words: readonly string[], { operands, options = {} }: ActionSpec): Promise<void> => {
    const needed = operands === undefined ? [] : [join(folder, 'x')];
    for (const flags of Object.keys(options)) {
      const [name = '', value] = flags.split(' ');
      if (value === undefined) continue;
      for (const given of values) await tryOut(...words, ...needed, `${name}=${given}`);
    }
    if (operands === undefined) return;
    for (const given of values) await tryOut(...words, '--', given);
  };
  for (const [name, command] of Object.entries(commands)) {
    if (command.actions === undefined) await tryAll([name], command);
    for (const [action, own] of Object.entries(command.actions ?? {})) await tryAll([name, action], own);
    if (!goesOn.has(name)) await tryOut(name, ...Object.keys(command.actions ?? {}).slice(0, 1), '--nope');
  }
  assert.deepEqual(wrong, []);
  assert.ok(calls > 700, `${calls} calls`);
});
