// Random histories of people and rooms on the simulated platforms: a smaller run of `npm run bench:privacy`.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { playBatch } from '../../bench/privacy/batch.ts';
import { fixes } from '../../bench/privacy/fixes.ts';

/** One seed each time: `npm run bench:privacy` plays others, and many more histories. */
const seed = Number(process.env.PARLEY_PROPERTY_SEED ?? 1);
const modes = [
  { name: 'budgets', sharing: 'space', directMessages: 'open', sessions: 'room', look: 'model' },
  { name: 'everyone', sharing: 'everyone', directMessages: 'pairing', sessions: 'room', look: 'ranking' },
] as const;

for (const mode of modes)
  test(`nobody is shown a word that they could not read on the platform, sharing "${mode.sharing}" (L1, L2)`, async () => {
    const result = await playBatch({ seed, first: 0, histories: 12, rounds: 16, mode });
    const told = result.leaks.slice(0, 2).map(({ canary, reader, log }) => ({ canary, reader, log }));
    assert.deepEqual(told, [], `seed ${seed}`);
    if (mode.look === 'model') assert.ok(result.volunteered > 0, 'a look before an answer gave it memories');
    assert.ok(result.shown > 20, `${result.shown} messages of the bot were judged`);
  });

test('each fix that bench:privacy:without takes out has a name of its own, and is in the source as it says', () => {
  assert.equal(new Set(fixes.map(({ name }) => name)).size, fixes.length);
  const missing = fixes.flatMap(({ ensures, edits }) =>
    edits.flatMap(({ file, from }) =>
      readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8').includes(from)
        ? []
        : [`${ensures}: ${file}`],
    ),
  );
  assert.deepEqual(missing, []);
});
