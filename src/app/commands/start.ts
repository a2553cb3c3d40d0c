// `parley start`: runs until told to stop, and says in a few plain lines what it is doing.

import type { Gateway } from '#adapters/gateway/gateway.ts';
import type { ChannelStatus } from '#adapters/gateway/status.ts';
import { startParley } from '#app/compose.ts';
import { loadConfig } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import type { CommandInput } from './input.ts';

/** Starts the gateway and resolves with 0 after SIGINT or SIGTERM, when everything is closed. */
export async function start({ folder, configFile, variables, print }: CommandInput): Promise<number> {
  const loaded = loadConfig({ folder, configFile, variables });
  const { DISCORD_BOT_TOKEN, TELEGRAM_BOT_TOKEN, SLACK_BOT_TOKEN } = loaded.environment;
  const hasToken = [DISCORD_BOT_TOKEN, TELEGRAM_BOT_TOKEN, SLACK_BOT_TOKEN].some(
    (token) => token !== undefined,
  );
  const stopped = stopSignal();
  // with a token there is no sandbox, and its three servers need not be loaded
  const sandbox = hasToken ? undefined : await (await import('#app/sandbox.ts')).startSandbox(systemClock);
  try {
    const parley = await startParley(loaded, { clock: systemClock, sandbox });
    try {
      if (sandbox === undefined) print(`Parley listens on ${parley.url}.`);
      else {
        print('No platform token is set: this is the sandbox. Nothing leaves this machine.');
        print(`Open ${parley.url} and talk to the bot.`);
      }
      if (parley.tokenFile !== undefined) print(`The engine's token is in ${parley.tokenFile}.`);
      const stopTelling = tellConnections(parley.gateway, print);
      print(`Stopping (${await stopped}).`);
      stopTelling();
    } finally {
      await parley.close();
    }
  } finally {
    await sandbox?.close();
  }
  return 0;
}

/** The first signal to stop; the next one finds no listener and so ends the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const signals = ['SIGINT', 'SIGTERM'] as const;
    const stop = (signal: NodeJS.Signals): void => {
      for (const each of signals) process.off(each, stop);
      resolve(signal);
    };
    for (const each of signals) process.on(each, stop);
  });
}

/** Prints a line whenever a channel comes up, goes down or is refused. */
function tellConnections(gateway: Gateway, print: (line: string) => void): () => void {
  const told = new Map<string, string>();
  const tell = (): void => {
    for (const status of gateway.status()) {
      const words = wordsFor(status);
      if (words === undefined || told.get(status.platform) === words) continue;
      told.set(status.platform, words);
      print(`  ${status.platform.padEnd(9)} ${words}`);
    }
  };
  tell();
  return gateway.onChange(tell);
}

function wordsFor({ platform, state, trouble }: ChannelStatus): string | undefined {
  // It is there as long as the program is, and nobody has to be told.
  if (platform === 'terminal') return undefined;
  switch (state) {
    case 'ready':
      return 'connected';
    case 'failed':
      return `cannot connect: ${trouble ?? 'no reason was given'}`;
    case 'reconnecting':
      return trouble === undefined ? 'connecting again' : `connecting again: ${trouble}`;
    case 'connecting':
    case 'stopped':
      return undefined;
  }
}
