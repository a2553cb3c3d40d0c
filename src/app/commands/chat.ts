// `parley chat`: a talk at the terminal, through the gateway of the running Parley, or of one that runs as long as the talk.
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline';
import { startParley } from '#app/compose.ts';
import { type Loaded, loadConfig } from '#app/config/load.ts';
import { runningAt, tokenOf } from '#app/engine-access.ts';
import { openTalk } from '#app/terminal-talk.ts';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { CommandInput } from './input.ts';
import { plain } from './screen.ts';

/** Where lines come from and pieces go. */
export interface ChatStreams {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  write: (piece: string) => void;
  /** Where a terminal shows what is typed; standard output when absent. */
  screen?: NodeJS.WritableStream;
}

const streams: ChatStreams = {
  input: process.stdin,
  write: (piece) => void process.stdout.write(piece),
};

/** Talks until the input ends; resolves with 0. On a terminal, Ctrl-C stops the answer that is written, or ends the talk. */
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
  const tell = (said: string | null, answer: string): void => {
    if (input.json) input.print(JSON.stringify({ said, answer }));
  };
  try {
    const talk = await openTalk({ ...engine, user, write: print });
    const reader = createInterface({
      input: lines,
      ...(isTerminal ? { output: screen, terminal: true } : {}),
    });
    let busy = false;
    /** Answers to `/stop` that are still to come. */
    let stops = 0;
    let ended = false;
    reader.once('close', () => {
      ended = true;
    });
    const prompt = (): void => {
      if (isTerminal && !ended) reader.prompt();
    };
    reader.on('SIGINT', () => {
      if (!busy) return reader.close();
      stops += 1;
      talk.say('/stop').catch(() => {
        stops -= 1; // the engine is gone: nothing is being written
      });
    });
    if (isTerminal) write('Say something; /help tells what else, Ctrl-D ends.\n');
    try {
      prompt();
      for await (const line of reader) {
        if (line.trim() !== '') {
          for (const left of talk.left()) tell(null, left);
          busy = true;
          await talk.say(line);
          const texts = [await talk.answer()];
          for (; stops > 0; stops -= 1) texts.push(await talk.answer());
          busy = false;
          tell(line, texts.join('\n\n'));
        }
        prompt();
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

/** The running Parley (its channels, where they run apart), or one of our own without any platform. */
async function engineOf(loaded: Loaded): Promise<{ baseUrl: string; token: string; close(): Promise<void> }> {
  const running = (await runningAt('channels', loaded)) ?? (await runningAt('engine', loaded));
  if (running !== undefined) return { ...running, close: async () => {} };
  const { config, environment } = loaded;
  const { DISCORD_BOT_TOKEN: _d, TELEGRAM_BOT_TOKEN: _t, SLACK_BOT_TOKEN: _s, ...others } = environment;
  const parley = await startParley(
    { ...loaded, environment: others, config: { ...config, engine: { ...config.engine, port: 0 } } },
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
    cure: 'Run it as a user with a name.',
  });
}
