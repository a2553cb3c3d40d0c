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

/** Each action of each command that ends by itself: the words that call it, and the options that take a value. */
function everyAction(
  folder: string,
): { words: string[]; takes: string; options: Readonly<Record<string, string>> }[] {
  const own = Object.entries(commands).filter(([name]) => !goesOn.has(name));
  return own.flatMap(([name, { options = {}, actions = {} }]) => [
    { words: [name], takes: Object.keys(options).join(' '), options: valued(options) },
    ...Object.entries(name === 'events' ? {} : actions).map(([action, { operands, options: all = {} }]) => ({
      words: [name, action, ...(operands === undefined ? [] : [join(folder, 'x')])],
      takes: Object.keys(all).join(' '),
      options: valued(all),
    })),
  ]);
}

/** Options by their names, with what they mean. */
const valued = (options: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(options).flatMap(([flags, about]) => {
      const [name = '', value] = flags.split(' ');
      return value === undefined ? [] : [[name, about]];
    }),
  );

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

test('an option that is given nothing is refused under the name that was typed, and no other', async (t) => {
  const { call, folder } = openTerminal(t);
  const wrong: string[] = [];
  for (const { words, options } of everyAction(folder))
    for (const name of Object.keys(options)) {
      const { code, err } = await call(...words, `${name}=`);
      const named = err.match(/--[a-z][a-z-]*(?=: )/g) ?? [];
      if (code !== 2 || named.join() !== name) wrong.push(`${words.join(' ')} ${name}: ${code} ${err}`);
    }
  assert.deepEqual(wrong, []);
});

test('what an option with two names is answered names the one that was typed', async (t) => {
  // a folder for each of the names: what one call stores, the other would find there
  const [{ call, folder }, second] = [openTerminal(t), openTerminal(t)];
  const callOther: typeof call = (...words) =>
    second.call(...words.map((word) => word.replace(folder, second.folder)));
  const without = (text: string) => text.replaceAll(second.folder, folder).replaceAll(/mem_\w+/g, 'mem');
  const asked: string[] = [];
  for (const { words, takes, options } of everyAction(folder)) {
    const all = Object.entries(options);
    for (const [index, [other, about]] of all.entries()) {
      if (about !== 'the same') continue;
      const [name = ''] = all[index - 1] ?? [];
      for (const more of [[], ['--everywhere', '--person=nobody'], ['--everywhere'], ['--tier=session']]) {
        if (!more.every((each) => takes.includes(each.split('=')[0] ?? ''))) continue;
        const [one, same] = [
          await call(...words, `${name}=none`, ...more),
          await callOther(...words, `${other}=none`, ...more),
        ];
        const renamed = new RegExp(`${name}(?![a-z-])`, 'g');
        assert.deepEqual(
          [same.code, without(same.out), without(same.err)],
          [one.code, ...[one.out, one.err].map((text) => without(text).replaceAll(renamed, other))],
          `${words.join(' ')} ${other} ${more.join(' ')}`,
        );
      }
      asked.push(`${words[1]} ${other}`);
    }
  }
  assert.ok(asked.includes('forget --session-id') && asked.length > 8, asked.join(', '));
});
