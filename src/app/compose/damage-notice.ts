// Says once to the owners, in chat, that the memory is damaged: noted in the home folder, so that no restart says it again.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage, hintOf } from '#base/errors.ts';
import type { Log } from '#base/log.ts';

export interface DamageNotice {
  /** The memory was found damaged. */
  damaged(error: unknown): void;
  /** The memory was opened: the next damage is another one. */
  mended(): void;
  /** Call it once owners can be reached: `notify` resolves with how many chats it reached. */
  by(notify: (words: string) => Promise<number>): void;
}

/** The file that says that the owners know. */
const noteName = 'memory-damage-told';

/** The notice of one home folder. */
export function createDamageNotice(home: string, log: Log): DamageNotice {
  const path = join(home, noteName);
  let notify: ((words: string) => Promise<number>) | undefined;
  let waiting: string | undefined;
  const say = async (): Promise<void> => {
    if (notify === undefined || waiting === undefined || existsSync(path)) return;
    const words = waiting;
    waiting = undefined;
    if ((await notify(words)) > 0) writeFileSync(path, `${words}\n`, { mode: 0o600 });
  };
  // one after another, so that the second knows what the first has said
  let saying = Promise.resolve();
  const sayIt = (): void => {
    saying = saying
      .then(say)
      .catch((error: unknown) =>
        log.warn({ words: errorMessage(error) }, 'the owners were not notified that memory is damaged'),
      );
  };
  return {
    damaged(error) {
      waiting = `I continue without memory: ${errorMessage(error)} ${hintOf(error) ?? ''} What is written in the meantime is remembered once the file is fixed and I am started again.`;
      sayIt();
    },
    mended: () => rmSync(path, { force: true }),
    by(reach) {
      notify = reach;
      sayIt();
    },
  };
}
