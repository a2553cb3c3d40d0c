// `parley start`: engine and channels in one process, until a signal stops them; says in a few plain lines what it is doing.

import type { CommandInput } from '#app/commands/parts/input.ts';
import { modelFirst } from '#app/commands/parts/model-first.ts';
import { startParley } from '#app/compose/compose.ts';
import type { Sandbox } from '#app/compose/sandbox.ts';
import { hasBotToken } from '#app/config/environment.ts';
import { loadConfig } from '#app/config/load.ts';
import { lockHomeWhenFree } from '#app/home/home-wait.ts';
import { systemClock } from '#base/clock.ts';
import { withPort } from './port-option.ts';
import { reloadOnChange } from './reload-on-change.ts';
import { restoreAsPlanned } from './restore-as-planned.ts';
import { printConnectionChanges, reduceMemoryUse, stopSignal } from './run-until-stopped.ts';
import { notifySystemd } from './service-manager.ts';
import { startText } from './start-text.ts';

/** The sandbox of a home folder that nobody else uses: two would keep different things in one file. */
async function sandboxIn(home: string): Promise<Sandbox> {
  (await lockHomeWhenFree(home, 'engine')).release();
  return (await import('#app/compose/sandbox.ts')).startSandbox(systemClock, { home });
}

/** Starts the gateway and resolves with 0 after SIGINT or SIGTERM, when everything is closed. */
export async function start(input: CommandInput): Promise<number> {
  const { variables, print } = input;
  const loaded = withPort(loadConfig(input), input);
  for (const words of loaded.warnings) print(`WARNING: ${words}`);
  await restoreAsPlanned(loaded.home, input);
  const hasToken = hasBotToken(loaded.environment);
  using stopped = stopSignal();
  await modelFirst(loaded, input, stopped);
  // with a token there is no sandbox, and its three servers need not be loaded
  const sandbox = hasToken ? undefined : await sandboxIn(loaded.home);
  try {
    const parley = await startParley(loaded, { clock: systemClock, sandbox });
    try {
      const link = sandbox?.link(parley.url);
      // a link that signs in is for a person at a terminal, and not for a log
      const consoleLink = process.stdout.isTTY === true ? parley.consoleLink() : undefined;
      const model = await parley.model();
      for (const line of await startText(loaded, { ...parley, link, consoleLink, model })) print(line);
      const stopTelling = printConnectionChanges(parley.gateway, print);
      await using _reloading = reloadOnChange(parley, { clock: systemClock, print });
      reduceMemoryUse();
      const manager = await notifySystemd({
        url: parley.url,
        variables,
        clock: systemClock,
        complain: print,
      });
      print(`Stopping (${await stopped.received}).`);
      await manager.stopping();
      stopTelling();
    } finally {
      await parley.close();
    }
  } finally {
    await sandbox?.close();
  }
  return 0;
}
