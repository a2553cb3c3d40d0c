// A process of its own that archives into a shared file: `node archiver.ts PATH NAME COUNT`. Run by the locking test.

import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createMemory } from '#memory/memory.ts';
import { exchange } from './open-memory.ts';

const [path = '', name = '', count = '0'] = process.argv.slice(2);
const memory = createMemory({ path, clock: systemClock, newId: createIds(systemClock) });
let duplicates = 0;
for (let index = 0; index < Number(count); index += 1) {
  const own = await memory.archive(exchange(`${name} stores entry ${index}`));
  if (own.status !== 'stored') throw new Error(`expected ${name} ${index} to be stored, got ${own.status}`);
  const shared = await memory.archive(exchange(`everyone stores entry ${index}`));
  if (shared.status === 'duplicate') duplicates += 1;
}
await memory.close();
process.stdout.write(JSON.stringify({ duplicates }));
