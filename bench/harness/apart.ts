// Parley as two processes that look like one program: of each kill, one of them or both die, and the other continues.
import type { ClockFiles } from './clock-files.ts';
import { type Program, type Starting, startProgram } from './program.ts';
import type { Random } from './random.ts';

/**
 * Starts what is not running, each time it is called; the channels call the engine at `port`. With `clocks`, each of both has a wall
 * its own clock. `victims` counts who was killed.
 */
export function createApart(
  folder: string,
  environment: NodeJS.ProcessEnv,
  { port, random, clocks }: { port: number; random: Random; clocks?: ClockFiles | undefined },
) {
  const victims = { engine: 0, channels: 0, both: 0 };
  const startOne = (name: 'engine' | 'channels', starting: Starting): Program =>
    startProgram(
      folder,
      { ...environment, ...clocks?.environment(name) },
      { ...starting, ...clocks?.starting },
    );
  const channelsOf = (): Program =>
    startOne('channels', { words: ['channels', '--engine', `http://127.0.0.1:${port}`] });
  const engineOf = (): Program => startOne('engine', { words: ['engine'], until: [/^The engine listens/] });
  let engine: Program | undefined;
  let channels: Program | undefined;
  const start = (): Program => {
    const one = engine?.running() === true ? engine : engineOf();
    const other = channels?.running() === true ? channels : channelsOf();
    engine = one;
    channels = other;
    const both = [one, other];
    return {
      pid: other.pid,
      ready: Promise.all([one.ready, other.ready]).then(() => undefined),
      said: () => `engine:\n${one.said()}\nchannels:\n${other.said()}`,
      running: () => both.some((each) => each.running()),
      pause() {
        for (const each of both) each.pause();
      },
      goOn() {
        for (const each of both) each.goOn();
      },
      async kill() {
        const dice = random.int(0, 4);
        const who = dice === 4 ? 'both' : dice < 2 ? 'channels' : 'engine';
        victims[who] += 1;
        if (who !== 'channels') await one.kill();
        if (who !== 'engine') await other.kill();
        for (const each of both) if (each.running()) each.goOn();
      },
      async stop() {
        const codes = [await other.stop(), await one.stop()];
        return codes.find((code) => code !== 0) ?? 0;
      },
    };
  };
  const killAll = async (): Promise<void> => {
    await Promise.all([engine?.kill(), channels?.kill()]);
  };
  return { start, victims, killAll };
}
