// Every option of every command, given an empty, a huge and a wrong value: an answer in words, and never a stack.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { programCommands as commands } from '#app/cli/program-commands.ts';
import { openTerminal } from './terminal.ts';

/** They run until they are stopped, or speak a protocol over standard input. */
const goesOn = new Set(['start', 'engine', 'channels', 'chat', 'demo', 'mcp', 'status --watch']);

const values = ['', 'x'.repeat(100_000), '\u0000', '-1', '{}'];

test('no option of a command makes a stack of its value, whatever it is', async (t) => {
  const { call } = openTerminal(t);
  const wrong: string[] = [];
  let calls = 0;
  const tryOut = async (words: readonly string[], options: Readonly<Record<string, string>> = {}) => {
    for (const flags of Object.keys(options)) {
      const [name = '', value] = flags.split(' ');
      if (value === undefined) continue;
      for (const given of values) {
        calls += 1;
        // what is thrown here would be printed as a stack
        const { code, err } = await call(...words, `${name}=${given}`);
        if (code > 2 || /^ {4}at /m.test(err))
          wrong.push(`${words.join(' ')} ${name}=${given.slice(0, 20)}: ${err}`);
      }
    }
  };
  for (const [name, { options, actions = {} }] of Object.entries(commands)) {
    if (goesOn.has(name)) continue;
    await tryOut([name], options);
    for (const [action, own] of Object.entries(actions))
      if (name !== 'events')
        await tryOut([name, action, ...(own.operands === undefined ? [] : ['x'])], own.options);
  }
  assert.deepEqual(wrong, []);
  assert.ok(calls > 300, `${calls} calls`);
});
