// Reports to the engine that an answer is in its chat, until the engine takes it.
import PQueue from 'p-queue';
import { codeOf, errorMessage } from '#base/errors.ts';
import type { Durability } from '#base/sqlite/group-commit.ts';
import { backoffMs } from '#base/waiting/async.ts';
import type { SenderOptions } from './sender-options.ts';

const retry = { firstMs: 500, capMs: 30_000 };
/** Memory takes some of them by one transaction: with few at a time they would wait for it, and it for them. */
const handOversAtOnce = 64;

interface DeliveredReports {
  add(id: string, delivered: { runID: string; nativeIDs: string[] }): void;
  /** Delivered answers that the engine, or memory, has refused so far. */
  refused(): number;
  /** Resolves when nothing is being reported any more. */
  idle(): Promise<void>;
}

/** Reports delivered answers to the engine, also after a restart, so that memory archives each exchange once. */
export function createDeliveredReports({
  ledger,
  handOver,
  commit,
  clock,
  log,
  signal,
}: Pick<SenderOptions, 'ledger' | 'handOver' | 'clock' | 'log' | 'signal'> & {
  /** Commits what must not be forgotten; while the disk refuses it, tries again. */
  commit: (work: () => void, durability?: Durability) => Promise<void>;
}): DeliveredReports {
  const queue = new PQueue({ concurrency: handOversAtOnce });
  const reporting = new Set<Promise<void>>();
  const refused = new Set<string>();

  /** One that is refused waits outside the queue, so that it takes no place of another one. */
  const report = async (
    id: string,
    { runID, nativeIDs }: { runID: string; nativeIDs: string[] },
  ): Promise<void> => {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        await queue.add(() => handOver({ runID, deliveredAtMs: clock.now(), nativeIDs }));
        // Nobody waits for it: where it is lost, the next start hands over again, which the engine takes once.
        void commit(() => ledger.outbox.setState(id, 'done'), 'soon').catch(() => undefined);
        return;
      } catch (error) {
        const words = errorMessage(error);
        refused.add(id);
        log.error({ outbox: id, runID, words }, 'hand-over to the engine failed');
        // A power cut, or a backup, has taken the run from the engine: it will never know it.
        if (codeOf(error) === 'run_not_found') return commit(() => ledger.outbox.setState(id, 'done', words));
        await clock.sleep(backoffMs(attempt, retry), signal).catch(() => undefined);
      }
    }
  };

  return {
    add(id, delivered) {
      const reported = report(id, delivered).finally(() => {
        reporting.delete(reported);
        refused.delete(id);
      });
      reporting.add(reported);
    },
    refused: () => refused.size,
    async idle() {
      while (reporting.size > 0) await Promise.allSettled(reporting);
    },
  };
}
