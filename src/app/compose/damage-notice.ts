// Tells the owners once, in chat, that the memory is damaged: noted in the home folder, so that no restart says it again.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnerNotices } from '#adapters/gateway/admission/notify-owners.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { phrasesFor } from '#adapters/gateway/phrases/phrases.ts';
import { errorMessage, hintOf } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';

export interface DamageNotice {
  /** The memory was found damaged. */
  damaged(error: unknown): void;
  /** The memory was opened again: the next damage is a new one. */
  repaired(): void;
  /** Call it once owners can be reached: `notify` resolves with how many chats it reached. */
  by(notify: OwnerNotices): void;
}

/** The file that says that the owners know. */
const noteName = 'memory-damage-told';

/** Tells the owners that memory is damaged, once each time it happens; a file in the home folder records it. */
export function createDamageNotice(home: string, log: Log): DamageNotice {
  const path = join(home, noteName);
  let notify: OwnerNotices | undefined;
  let waiting: ((phrases: Phrases) => string) | undefined;
  const say = async (): Promise<void> => {
    if (notify === undefined || waiting === undefined || existsSync(path)) return;
    const wording = waiting;
    waiting = undefined;
    if ((await notify(wording)) > 0) writeFileSync(path, `${wording(phrasesFor('en'))}\n`, { mode: 0o600 });
  };
  // one after another, so that the second knows what the first has said
  let saying = Promise.resolve();
  const sayIt = (): void => {
    saying = saying
      .then(say)
      .catch((error: unknown) =>
        log.warn({ words: errorMessage(error) }, 'the owners could not be told that the memory is damaged'),
      );
  };
  return {
    damaged(error) {
      const why = `${errorMessage(error)} ${hintOf(error) ?? ''}`.trim();
      waiting = ({ answers }) => `${answers.memoryDamaged({ why })} ${answers.memoryDamagedLater}`;
      sayIt();
    },
    repaired: () => rmSync(path, { force: true }),
    by(reach) {
      notify = reach;
      sayIt();
    },
  };
}
