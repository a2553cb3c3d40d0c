// The doctor on the memory: its indices, and whether vectors can be searched. Opens the file as any command does, and changes nothing in it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '#base/clock.ts';
import { cureOf, wordsOf } from '#base/errors.ts';
import { createIds } from '#base/ids.ts';
import { createMemory, type MemoryOptions } from '#memory/memory.ts';
import { ok, type Remark, warning, wrong } from './diagnosis.ts';

/** Looks through every index; of a home folder without a memory, whether one would have vectors. */
export async function checkMemory(
  home: string,
  { clock, loadVectorExtension }: { clock: Clock } & Pick<MemoryOptions, 'loadVectorExtension'>,
): Promise<Remark[]> {
  const file = join(home, 'memory.sqlite');
  const path = existsSync(file) ? file : ':memory:';
  try {
    const memory = createMemory({ path, clock, newId: createIds(clock), loadVectorExtension });
    try {
      const { chunks, vectors, degraded } = await memory.status();
      const { problems } = await memory.verify();
      const index = `${chunks} passages are remembered, ${vectors} of them with a vector.`;
      return [
        ...(degraded.length === 0 ? [] : [lacking(degraded)]),
        ...problems.map((words) =>
          wrong(
            `The memory does not fit together: ${words}`,
            'Restore a backup ("parley restore"), and say what happened in an issue.',
          ),
        ),
        ...(degraded.length + problems.length === 0 ? [ok(index)] : []),
      ];
    } finally {
      await memory.close();
    }
  } catch (error) {
    const cure = cureOf(error);
    return [wrong(wordsOf(error), cure ?? 'Run it again with `log.level` debug in the config.')];
  }
}

function lacking(degraded: readonly string[]): Remark {
  return warning(
    `Memory goes on, but not with all it has: ${degraded.join('; ')}.`,
    'Run "npm ci" for this machine and Node; what was stored meanwhile is caught up with at the next start.',
  );
}
