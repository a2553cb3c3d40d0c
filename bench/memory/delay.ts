// How long the event loop kept others waiting while something ran.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

export interface Watched<T> {
  result: T;
  ms: number;
  /** What all threads took of the processors in the meantime, in milliseconds: on a machine that others use, this reports more than the clock. */
  cpuMs: number;
  /** The delay that 99 of 100 turns stayed below, in milliseconds, beyond the timer's own pace. */
  delayP99: number;
  delayMax: number;
}

const paceMs = 5;

/** Runs the work and watches the event loop in the meantime. */
export async function watched<T>(work: () => Promise<T>): Promise<Watched<T>> {
  const delay = monitorEventLoopDelay({ resolution: paceMs });
  delay.enable();
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const ms = performance.now() - began;
  const cpuMs = processorMs(cpu);
  delay.disable();
  const beyond = (nanoseconds: number): number =>
    Math.max(0, Math.round(10 * (nanoseconds / 1e6 - paceMs)) / 10);
  return { result, ms, cpuMs, delayP99: beyond(delay.percentile(99)), delayMax: beyond(delay.max) };
}

/** Processor time of the whole process since then, in milliseconds. */
export function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
