// Secrets in what people wrote and received, masked in the ledger once an answer is in its chat. Not their forms, and not those in the engine.

import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { type MaskText, remembering } from '#base/masked-value.ts';
import { yieldToEventLoop } from '#base/waiting/yield-to-event-loop.ts';
import type { Ledger } from './ledger/ledger.ts';

interface LedgerMasking {
  /** Something may be due. */
  nudge(): void;
  /** Stops after the rows in progress; what is left is masked by the next start. */
  close(): Promise<void>;
}

/** Rows that are looked at, and written in one transaction. */
const atOnce = 50;
/** A change of a message that no turn has seen is stored unmasked for so long, in milliseconds. */
const abandonedMs = 24 * 3600_000;

/** Masks secrets in stored messages each time it is nudged; does nothing without `mask`. */
export function createLedgerMasking(options: {
  ledger: Ledger;
  mask: MaskText | undefined;
  clock: Clock;
  log: Log;
}): LedgerMasking {
  const { ledger, mask, clock, log } = options;
  let underWay: Promise<void> | undefined;
  let isNudged = false;
  let isClosed = false;

  const some = async (rows: Ledger['unmasked'][number], masker: MaskText): Promise<'more' | 'none'> => {
    const ids = rows.due({ abandoned: clock.now() - abandonedMs, limit: atOnce });
    if (ids.length === 0) return 'none';
    const changes = await rows.values.changes({ ids: JSON.stringify(ids) }, masker);
    if (isClosed) return 'none';
    await ledger.commit(() => {
      rows.values.write(changes);
      rows.done(ids);
    }, 'written');
    if (changes.length > 0) ledger.emptyLog();
    return ids.length < atOnce ? 'none' : 'more';
  };
  const all = async (masker: MaskText): Promise<void> => {
    do {
      isNudged = false;
      for (const rows of ledger.unmasked)
        do await yieldToEventLoop();
        while (!isClosed && (await some(rows, remembering(masker))) === 'more');
    } while (isNudged && !isClosed);
  };
  return {
    nudge() {
      isNudged = true;
      if (mask === undefined || isClosed) return;
      underWay ??= all(mask)
        .catch((error: unknown) =>
          log.error({ words: errorMessage(error) }, 'secrets in the ledger could not be masked yet'),
        )
        .finally(() => {
          underWay = undefined;
        });
    },
    async close() {
      isClosed = true;
      await underWay;
    },
  };
}
