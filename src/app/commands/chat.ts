// `parley chat`: a talk at the terminal, through the gateway of the running Parley, or of one that runs as long as the talk.
import { userInfo } from 'node:os';
import { createInterface, type Interface } from 'node:readline';
import { startParley } from '#app/compose/compose.ts';
import { withoutBotTokens } from '#app/config/environment.ts';
import { type LoadedConfig, loadConfig } from '#app/config/load.ts';
import { runningAt, tokenOf } from '#app/running/engine-access.ts';
import { openTerminalClient, type TerminalClient } from '#app/running/terminal-client.ts';
import { plain } from '#app/screen/screen.ts';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { CommandInput } from './parts/input.ts';

/** Where lines come from and pieces go. */
interface ChatStreams {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  write: (piece: string) => void;
  /** Where a terminal shows what is typed; standard output when absent. */
  screen?: NodeJS.WritableStream;
}

const streams: ChatStreams = {
  input: process.stdin,
  write: (piece) => void process.stdout.write(piece),
};

/**
 * Talks with the running Parley until the input ends; resolves with 0. On a terminal, Ctrl-C stops the answer in progress, or else ends
 * the talk.
 */
export async function chat(
  input: CommandInput,
  { input: lines, write, screen = process.stdout }: ChatStreams = streams,
): Promise<number> {
  const loaded = loadConfig(input);
  const engine = await engineOf(loaded);
  const isTerminal = lines.isTTY === true && !input.json;
  const user = userName();
  const print = (piece: string): void => {
    if (!input.json) write(plain(piece));
  };
  /** `said` is null for what an earlier talk had left. */
  const notify = (said: string | null, answer: string): void => {
    if (input.json) input.print(JSON.stringify({ said, answer }));
  };
  try {
    const talk = await openTerminalClient({ ...engine, user, write: print });
    const reader = createInterface({
      input: lines,
      ...(isTerminal ? { output: screen, terminal: true } : {}),
    });
    try {
      if (isTerminal) {
        write('Write a message. /help lists the commands, Ctrl-D ends.\n');
        await converse(talk, reader);
      } else {
        for await (const line of reader) {
          if (line.trim() === '') continue;
          for (const left of talk.left()) notify(null, left);
          await talk.say(line);
          notify(line, await talk.answer());
        }
      }
    } finally {
      reader.close();
      await talk.close();
    }
  } finally {
    await engine.close();
  }
  return 0;
}

/** Someone at a terminal: each line is sent at once, also while an answer is written or the assistant waits for a choice. */
async function converse(talk: TerminalClient, reader: Interface): Promise<void> {
  const ended = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)));
  const failed = Promise.withResolvers<never>();
  let open = true;
  void ended.then(() => {
    open = false;
  });
  /** Something was said that nothing was answered to yet. */
  let busy = false;
  let saying = Promise.resolve();
  const say = (line: string): void => {
    saying = saying.then(() => talk.say(line)).catch(failed.reject);
  };
  reader.on('line', (line) => {
    if (line.trim() === '') return reader.prompt();
    busy = true;
    say(line);
  });
  reader.on('SIGINT', () => {
    if (busy) say('/stop');
    else reader.close();
  });
  reader.prompt();
  while (open) {
    const outcome = await Promise.race([talk.answer(), ended, failed.promise]);
    if (outcome === undefined) break;
    busy = false;
    reader.prompt();
  }
  await saying;
}

/** The running Parley (its channels, where they run apart), or one of our own without any platform. */
async function engineOf(
  loaded: LoadedConfig,
): Promise<{ baseUrl: string; token: string; close(): Promise<void> }> {
  const running = (await runningAt('channels', loaded)) ?? (await runningAt('engine', loaded));
  if (running !== undefined) return { ...running, close: async () => {} };
  const { config, environment } = loaded;
  const parley = await startParley(
    {
      ...loaded,
      environment: withoutBotTokens(environment),
      config: { ...config, engine: { ...config.engine, port: 0 } },
    },
    { clock: systemClock },
  );
  const token = tokenOf(loaded) as string; // the start has made one if there was none
  return { baseUrl: parley.url, token, close: () => parley.close() };
}

/** The account of this machine: who it is that speaks. */
function userName(): string {
  const name = userInfo()
    .username.replace(/[^\w.@-]/g, '_')
    .slice(0, 64);
  if (name !== '') return name;
  throw new ParleyError('no_user', 'The account of this machine has no name.', {
    hint: 'Run it as a user with a name.',
  });
}
