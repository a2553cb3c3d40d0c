// Loaded into Parley's own process by `node --import`: answers, over the IPC channel, how its event loop and memory do. Changes
// nothing: as TypeScript it would bring Node's stripping of types with it, 6 MB in each thread.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 10;
const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
histogram.enable();

/** Node measures a 10 ms timer, whose 10 ms are taken off. */
const delayMs = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - resolutionMs);

process.on('message', (asked) => {
  if (asked === 'reset') histogram.reset();
  const { user, system } = process.cpuUsage();
  const main = process.threadCpuUsage();
  const probed = {
    loop: {
      p50: delayMs(histogram.percentile(50)),
      p99: delayMs(histogram.percentile(99)),
      max: delayMs(histogram.max),
    },
    rssMB: process.memoryUsage.rss() / 2 ** 20,
    cpuMs: (user + system) / 1000,
    mainCpuMs: (main.user + main.system) / 1000,
  };
  process.send?.(probed);
});
// A measurement that was broken off leaves nothing running behind it.
process.once('disconnect', () => process.exit(1));
// The channel alone must not keep a program alive that has been asked to stop.
process.channel?.unref();
