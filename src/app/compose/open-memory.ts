// The memory of this process, or what stands in for one whose file is damaged: a bot without memory still answers.
import { join } from 'node:path';
import { watchMemory } from '#app/telemetry/watched-memory.ts';
import { ParleyError } from '#base/errors.ts';
import { isDamaged } from '#base/files/disk-failures.ts';
import { createMemory } from '#memory/memory.ts';
import type { Memory } from '#memory/types/contract.ts';
import { isGreeting } from '#memory/words/greeting.ts';
import { tellingWords } from '#memory/words/telling-words.ts';
import type { DamageNotice } from './damage-notice.ts';
import { chooseEmbedder } from './embedder.ts';
import { dreamingOf, memoryFilesOf } from './memory-files.ts';
import type { ProcessContext } from './process-context.ts';

/**
 * Opens the memory of the home folder. A damaged file is left unchanged: every call of the memory is then rejected with what is wrong, which
 * is on the board of problems until the next start, and what is delivered in the meantime is archived by the first start that can open the file.
 * Throws what `createMemory` throws for a file with another problem.
 */
export function openMemory(
  {
    loaded,
    clock,
    newId,
    log,
    problems,
  }: Pick<ProcessContext, 'loaded' | 'clock' | 'newId' | 'log' | 'problems'>,
  notice: DamageNotice,
): Memory {
  const path = join(loaded.home, 'memory.sqlite');
  try {
    const { characters: recallCharacters, association } = loaded.config.memory.recall;
    const model = chooseEmbedder(loaded);
    const files = memoryFilesOf(loaded);
    const dreaming = dreamingOf(loaded);
    const memory = createMemory({
      ...{ path, clock, newId, ahead: true, recallCharacters, ways: { association }, files, dreaming },
      budgets: loaded.config.memory.budgets,
      ...model,
    });
    notice.repaired();
    return watchMemory(memory, path, { problems, damaged: notice.damaged });
  } catch (error) {
    if (!(error instanceof ParleyError) || !isDamaged(error)) throw error;
    problems.note(path, error, 'damaged');
    log.error({ words: error.message, hint: error.hint }, 'starting without memory');
    notice.damaged(error);
    return lostMemory(error);
  }
}

/** Rejects every call with the error, but the one that closes it. */
function lostMemory(error: ParleyError): Memory {
  const reject = (): Promise<never> => Promise.reject(error);
  const close = async (): Promise<void> => {};
  const calls = new Proxy({}, { get: () => reject });
  // what looks at words alone works without a memory; every other member of the contract gives a promise, and a promise is not to be taken for one
  const there = { close, journal: calls, isGreeting, tellingWords };
  return new Proxy({} as Memory, {
    get: (_, name) => (name === 'then' ? undefined : (Reflect.get(there, name) ?? reject)),
  });
}
