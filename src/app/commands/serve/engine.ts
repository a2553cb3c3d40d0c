// `parley engine`: only the engine and its memory, until it is told to stop; channels run somewhere else.

import type { CommandInput } from '#app/commands/parts/input.ts';
import { modelFirst } from '#app/commands/parts/model-first.ts';
import { startEngine } from '#app/compose/compose.ts';
import { loadConfig } from '#app/config/load.ts';
import { advice } from '#app/screen/screen.ts';
import { systemClock } from '#base/clock.ts';
import { withPort } from './port-option.ts';
import { reloadOnChange } from './reload-on-change.ts';
import { restoreAsPlanned } from './restore-as-planned.ts';
import { reduceMemoryUse, stopSignal } from './run-until-stopped.ts';
import { notifySystemd } from './service-manager.ts';

/** Serves the engine and resolves with 0 after SIGINT or SIGTERM, when everything is closed. */
export async function engine(input: CommandInput): Promise<number> {
  const loaded = withPort(loadConfig(input), input);
  for (const words of loaded.warnings) input.print(`WARNING: ${words}`);
  await restoreAsPlanned(loaded.home, input);
  using stopped = stopSignal();
  await modelFirst(loaded, input, stopped);
  const running = await startEngine(loaded, { clock: systemClock });
  const { url, tokenFile } = running;
  try {
    input.print(`The engine listens on ${url}, without channels.`);
    for (const line of advice(`They run with "parley channels --engine ${url}".`)) input.print(line);
    if (tokenFile !== undefined) input.print(`Its token is in ${tokenFile}.`);
    reduceMemoryUse();
    const { variables, print } = input;
    await using _reloading = reloadOnChange(running, { clock: systemClock, print });
    const manager = await notifySystemd({ url, variables, clock: systemClock, complain: print });
    print(`Stopping (${await stopped.received}).`);
    await manager.stopping();
  } finally {
    await running.close();
  }
  return 0;
}
