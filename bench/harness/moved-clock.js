// Loaded into one Parley process by `node --import`: its wall clock differs from the machine's by what is in the file that
// PARLEY_BENCH_CLOCK names, in milliseconds. Timers and the monotonic clock are left alone, as when someone sets a machine's clock.
import { readFileSync } from 'node:fs';

const everyMs = 200;
const file = process.env.PARLEY_BENCH_CLOCK;
const RealDate = Date;
let offset = 0;

const look = () => {
  try {
    offset = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    offset = 0; // nobody has moved it yet
  }
};
const now = () => RealDate.now() + offset;

if (file !== undefined) {
  look();
  setInterval(look, everyMs).unref();
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
    apply: () => new RealDate(now()).toString(),
  });
}
