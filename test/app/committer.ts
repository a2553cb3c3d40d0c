// A program that makes `count` commits in one of the databases, one after another, for its system calls to be counted.
import { join } from 'node:path';
import { openLedger } from '#adapters/gateway/ledger/ledger.ts';
import { createActiveProblems } from '#base/active-problems.ts';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createEngine } from '#engine/engine.ts';
import { createMemory } from '#memory/memory.ts';
import { quietLog } from '../support/quiet-log.ts';

const [name = '', folder = '', count = '0'] = process.argv.slice(2);
const clock = systemClock;
const newId = createIds(clock);
const { log } = quietLog();
const path = join(folder, `${name}.sqlite`);
const times = Array.from({ length: Number(count) }, (_, at) => at);

switch (name) {
  case 'gateway': {
    const ledger = openLedger({ path, clock, newId, log, problems: createActiveProblems(clock) });
    for (const at of times)
      await ledger.commit(
        () => ledger.cursors.set('telegram', { name: 'updates', value: String(at + 1) }),
        'on disk',
      );
    await ledger.close();
    break;
  }
  case 'engine': {
    const memory = createMemory({ path: join(folder, 'other.sqlite'), clock, newId });
    const engine = await createEngine({
      path,
      clock,
      newId,
      log,
      memory,
      sharing: 'space',
      model: { provider: 'offline' },
      agent: { name: 'parley', systemPrompt: '' },
    });
    for (const _ of times) await engine.createSession({});
    await engine.close();
    await memory.close();
    break;
  }
  case 'memory': {
    const memory = createMemory({ path, clock, newId });
    for (const at of times)
      await memory.archive({
        key: `run_${at}`,
        userText: `The number of the day is ${at}.`,
        assistantText: 'I will remember that.',
        recalled: [],
        at,
        speaker: { person: 'per_1', name: 'you' },
        where: { audience: 'person:per_1', restricted: true },
        platform: 'telegram',
        chat: 'telegram:dm:1:-:2:-',
        sessionID: 'ses_1',
        runID: `run_${at}`,
        messageIDs: [],
      });
    await memory.close();
    break;
  }
  default:
    throw new Error(`expected gateway, engine or memory, got ${name}`);
}
