// Calls every command of the program and each of its actions with nothing but its help, its defaults and a wrong word, in one process and on its
// own output: a program for tests that look at what stands on a terminal. The first argument is the config file. No test.
import { programCommands } from '#app/cli/program-commands.ts';
import { main } from '#app/main.ts';

/** They go on until they are stopped, or ask at the terminal. */
const goesOn = new Set(['start', 'engine', 'channels', 'chat', 'demo', 'mcp', 'init', 'events', 'service']);
const [configFile = ''] = process.argv.slice(2);
let calls = 0;

async function call(...words: string[]): Promise<void> {
  calls += 1;
  await main([...words, '--config', configFile], process.env);
}

for (const [name, { actions = {} }] of Object.entries(programCommands)) {
  await call(name, '--help');
  await call(name, '--nope');
  if (goesOn.has(name)) continue;
  if (Object.keys(actions).length === 0) await call(name);
  for (const [action, { operands }] of Object.entries(actions)) {
    await call(name, action, '--help');
    if (action !== 'download') await call(name, action, ...(operands === undefined ? [] : ['nothing']));
  }
}
process.stdout.write(`called ${calls} times\n`);
