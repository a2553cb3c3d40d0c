// What the commands that run until they are told to stop have in common: the signal, thrift, and a line whenever a channel changes.
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import type { ChannelConnection } from '#adapters/gateway/delivery/status.ts';
import type { Gateway } from '#adapters/gateway/gateway.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Listens for the first signal to stop until disposed of; the next one finds no listener and so ends the process at once. */
export function stopSignal(): Disposable & { received: Promise<NodeJS.Signals> } {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  const forget = (): void => {
    for (const each of signals) process.off(each, stop);
  };
  const stop = (signal: NodeJS.Signals): void => {
    forget();
    resolve(signal);
  };
  for (const each of signals) process.on(each, stop);
  return { received: promise, [Symbol.dispose]: forget };
}

/** Call it once everything is loaded. Stores compiled code for the next start, and limits the growth of the heap afterwards. */
export function reduceMemoryUse(): void {
  // V8 refuses what was compiled under other flags, so the flag comes only after what the next start will read.
  flushCompileCache();
  // By itself V8 lets a heap of 70 MB grow fourfold before it looks for what can go; a gateway shares its machine with others.
  setFlagsFromString('--heap-growing-percent=25');
}

/** One line of the list of channels that these commands print; `width` is that of the longest name. */
export function channelLine(name: string, words: string, width = 9): string {
  return `  ${name.padEnd(width)} ${words}`;
}

/** Prints a line whenever a bot comes up, goes down or is refused; a platform may have several. */
export function printConnectionChanges(gateway: Gateway, print: (line: string) => void): () => void {
  const printed = new Map<string, string>();
  const notify = (): void => {
    const all = gateway.connections();
    const width = Math.max(9, ...all.map(({ name }) => name.length));
    for (const status of all) {
      const { name } = status;
      const words = wordsFor(status);
      if (words === undefined || printed.get(name) === words) continue;
      printed.set(name, words);
      print(channelLine(name, words, width));
    }
  };
  notify();
  return gateway.onChange(notify);
}

function wordsFor({ platform, state, problem }: ChannelConnection): string | undefined {
  // It lives as long as the program, so nobody removes it.
  if (platform === 'terminal') return undefined;
  switch (state) {
    case 'ready':
      return 'connected';
    case 'failed':
      return `cannot connect: ${problem ?? 'no reason was given'}`;
    case 'reconnecting':
      return problem === undefined ? 'connecting again' : `connecting again: ${problem}`;
    case 'standby':
      return 'waits: another instance leads this account, or may';
    case 'connecting':
    case 'stopped':
      return undefined;
  }
}
