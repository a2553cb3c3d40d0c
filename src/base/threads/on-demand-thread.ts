// A worker thread that is started when it is first needed, and again when it died.
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

interface OnDemandThread {
  /** True while one runs, or is being started. */
  isUp(): boolean;
  /** Starts it if none runs. */
  start(): void;
  /** Posts to it, and starts it first if none runs; after that it holds the program open. */
  ask(message: unknown): void;
  /** Posts to the thread that runs; without one nothing is sent. */
  notify(message: unknown): void;
  /** It has nothing to do: it no longer keeps the program running, and ends when nobody asked for `idleMs`. */
  rest(): void;
  /** Milliseconds of processor that the one that runs has used since its start; 0 where none runs. */
  cpuMs(): Promise<number>;
  /** Bytes that the one that runs has outside of its heap, where no limit of a thread counts them; 0 where none runs. */
  bytesOutside(): Promise<number>;
  /** Ends the one that runs, in the middle of whatever it does; the next question starts another. */
  end(): Promise<void>;
}

/**
 * A worker thread that runs `file`, started at the first message. `received` gets each message of the thread. `died` is called once, with
 * the reason, when a thread ends unexpectedly; after `end()` neither is called.
 */
export function createOnDemandThread<Message>(options: {
  file: URL;
  data?: unknown;
  /** Room for new objects, in MiB: V8 takes two spaces of a third of it each, rounded up to a power of two, and holds them. */
  youngMiB: number;
  /** Room for objects that stay, in MiB: a thread that needs more dies. As much as the program has when absent. */
  oldMiB?: number | undefined;
  /** How long it stays with nothing to do, in milliseconds; for as long as the program runs when absent. */
  idleMs?: number | undefined;
  received: (message: Message) => void;
  died: (why: string) => void;
}): OnDemandThread {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  const start = (): Worker => {
    // What `npm start` says is the main thread's, which has it since its start: V8 would give each thread as much, whatever its limits.
    setFlagsFromString('--max-semi-space-size=0');
    const started = new Worker(options.file, {
      workerData: options.data,
      env: environment(),
      resourceLimits: {
        maxYoungGenerationSizeMb: options.youngMiB,
        ...(options.oldMiB === undefined ? {} : { maxOldGenerationSizeMb: options.oldMiB }),
      },
    });
    const gone = (why: string): void => {
      if (worker !== started) return;
      worker = undefined;
      options.died(why);
    };
    started.on('message', (message: Message) => {
      if (worker === started) options.received(message);
    });
    started.on('error', (error) => gone(error instanceof Error ? error.message : String(error)));
    started.on('exit', (code) => gone(`exit code ${code}`));
    started.unref();
    return started;
  };

  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  };

  return {
    isUp: () => worker !== undefined,
    start() {
      worker ??= start();
    },
    ask(message) {
      clearTimeout(idle);
      worker ??= start();
      worker.ref();
      worker.postMessage(message);
    },
    notify: (message) => worker?.postMessage(message),
    async cpuMs() {
      // one that ends in the meantime has used nothing that still counts
      const used = await worker?.cpuUsage().catch(() => undefined);
      return used === undefined ? 0 : (used.user + used.system) / 1_000;
    },
    async bytesOutside() {
      const statistics = await worker?.getHeapStatistics().catch(() => undefined);
      return statistics?.external_memory ?? 0;
    },
    rest() {
      worker?.unref();
      if (options.idleMs === undefined) return;
      clearTimeout(idle);
      idle = setTimeout(() => void end(), options.idleMs);
      idle.unref();
    },
    end,
  };
}

/** What was compiled once is read from a folder, one below it for each version of Node; a thread does so when it gets the folder. */
function environment(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}
