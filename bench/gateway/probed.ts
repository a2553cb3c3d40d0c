// What the probe in a process under measurement says, each answer to its own question.
export interface Probed {
  /** Delay of the event loop since the last `reset`, in milliseconds. */
  loop: { p50: number; p99: number; max: number };
  rssMB: number;
  /** Processor time of the process so far, in milliseconds. */
  cpuMs: number;
  /** Of that, what its main thread used, which holds the connections. */
  mainCpuMs: number;
}

/** What the probe says now; `reset` then begins a new count of the event loop's delay. */
export type Probe = (order: 'read' | 'reset') => Promise<Probed>;

/** What of a child process is used here. */
interface Channel {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  send(order: string): unknown;
}

/** Asks the probe (`probe.js`) of a process; it answers in the order of the questions. */
export function probing(child: Channel): Probe {
  const waiting: ((probed: Probed) => void)[] = [];
  child.on('message', (answer) => waiting.shift()?.(answer as Probed)); // the probe sends nothing else
  return (order) =>
    new Promise((resolve) => {
      waiting.push(resolve);
      child.send(order);
    });
}
