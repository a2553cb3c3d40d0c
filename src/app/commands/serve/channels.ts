// `parley channels`: only the channels, until a signal stops them, for an engine in another process. Says how far it reaches that.
import { resolve } from 'node:path';
import { z } from 'zod';
import { checkedOptions } from '#app/commands/parts/checked-options.ts';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { startChannels } from '#app/compose/compose.ts';
import { type LoadedConfig, loadConfig } from '#app/config/load.ts';
import { botsOf } from '#app/settings/channels.ts';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { withPort } from './port-option.ts';
import { reloadOnChange } from './reload-on-change.ts';
import { restoreAsPlanned } from './restore-as-planned.ts';
import { channelLine, printConnectionChanges, reduceMemoryUse, stopSignal } from './run-until-stopped.ts';
import { notifySystemd } from './service-manager.ts';

const values = z.object({ engine: z.string().optional(), 'token-file': z.string().min(1).optional() });

/** Runs the channels and resolves with 0 after SIGINT or SIGTERM, when everything is closed. */
export async function channels(input: CommandInput): Promise<number> {
  const { engine: given, 'token-file': tokenFile } = checkedOptions(values, input.values);
  const { print, folder } = input;
  const loaded = withPort(loadConfig(input), input);
  for (const words of loaded.warnings) print(`WARNING: ${words}`);
  await restoreAsPlanned(loaded.home, input);
  const baseUrl = given === undefined ? configured(loaded) : checked(given);
  refuseNone(loaded);
  using stopped = stopSignal();
  const running = await startChannels(loaded, {
    clock: systemClock,
    baseUrl,
    tokenFile: tokenFile === undefined ? undefined : resolve(folder, tokenFile),
  });
  try {
    print(`The channels run here and report their state at ${running.url}.`);
    print(`Their engine is at ${baseUrl}.`);
    const stops = [tellEngine(running.engine, print), printConnectionChanges(running.gateway, print)];
    reduceMemoryUse();
    await using _reloading = reloadOnChange(running, { clock: systemClock, print });
    const { variables } = input;
    const manager = await notifySystemd({
      url: running.url,
      variables,
      clock: systemClock,
      complain: print,
    });
    print(`Stopping (${await stopped.received}).`);
    await manager.stopping();
    for (const stop of stops) stop();
  } finally {
    await running.close();
  }
  return 0;
}

/** Prints a line when the engine is reached, and one when it is not any more. */
function tellEngine(
  engine: Awaited<ReturnType<typeof startChannels>>['engine'],
  print: (line: string) => void,
): () => void {
  let printed = '';
  const notify = (): void => {
    const status = engine.status();
    if (status.state === 'connecting') return;
    const problem = status.state === 'down' ? status.problem : undefined;
    const now = problem?.code ?? status.state;
    if (now === printed) return; // its words may differ from one attempt to the next
    printed = now;
    const words =
      problem === undefined
        ? 'connected'
        : `${problem.message} ${problem.hint ?? ''} What is written until then is saved, and answered afterwards.`;
    print(channelLine('engine', words));
  };
  notify();
  return engine.onChange(notify);
}

/** Where the engine listens by the same config; a wildcard address is this machine. */
function configured({ config: { engine } }: LoadedConfig): string {
  const { host, port } = engine;
  if (port === 0)
    throw new ParleyError(
      'invalid_usage',
      'Where is the engine? `engine.port` is 0 in the config: any port.',
      {
        hint: 'Name the address that "parley engine" prints, with --engine URL.',
      },
    );
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

function checked(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const plain =
    url !== undefined && /^https?:$/.test(url.protocol) && `${url.username}${url.search}${url.hash}` === '';
  if (plain) return given.replace(/\/+$/, '');
  throw new ParleyError(
    'invalid_usage',
    `--engine expects an address like http://127.0.0.1:7410, got "${given.replace(/\/\/.*@/, '//…@')}".`,
    {
      hint: 'Give the address that "parley engine" prints; the token goes into PARLEY_TOKEN or --token-file.',
    },
  );
}

function refuseNone({ config: { channels }, environment }: LoadedConfig): void {
  if (botsOf(channels, environment).length > 0) return;
  throw new ParleyError(
    'config_invalid',
    'There is no channel to run: no platform that is switched on has a token.',
    {
      hint: 'Set DISCORD_BOT_TOKEN, TELEGRAM_BOT_TOKEN or SLACK_BOT_TOKEN; the sandbox is in "parley start".',
    },
  );
}
