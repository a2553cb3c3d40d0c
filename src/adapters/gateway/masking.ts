// Secrets in what people wrote and received, masked in the ledger once an answer is in its chat. Not their forms, and not those in the engine.

import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import { isDiskFailure } from '#base/files/disk-failures.ts';
import type { Log } from '#base/log/log.ts';
import { type MaskText, remembering } from '#base/masked-value.ts';
import { type Batched, createBatched } from '#base/waiting/batched.ts';
import type { Ledger } from './ledger/ledger.ts';

/** Rows that are looked at, and written in one transaction. */
const atOnce = 50;
/** What a person said stands as it was written for so long after its answer, in milliseconds; docs/security.md says so. */
const soonMs = 2_000;
/** A change of a message that no turn has seen is stored unmasked for so long, in milliseconds. */
const abandonedMs = 24 * 3600_000;

/** Masks secrets in stored messages soon after each nudge; does nothing without `mask`. */
export function createLedgerMasking(options: {
  ledger: Ledger;
  mask: MaskText | undefined;
  clock: Clock;
  log: Log;
}): Batched {
  const { ledger, mask, clock, log } = options;
  type Rows = Ledger['unmasked'][number];
  const write = async (rows: Rows, ids: readonly (string | number)[], masker: MaskText): Promise<void> => {
    const changes = await rows.values.changes({ ids: JSON.stringify(ids) }, masker);
    await ledger.commit(() => {
      rows.values.write(changes);
      rows.done(ids);
    }, 'written');
    if (changes.length > 0) ledger.emptyLog();
  };
  /** `refused` gets what cannot be masked, which is passed over. */
  const some = async (
    rows: Rows,
    masker: MaskText,
    refused: Set<string | number>,
  ): Promise<'more' | 'none'> => {
    const except = JSON.stringify([...refused]);
    const ids = rows.due({ abandoned: clock.now() - abandonedMs, except, limit: atOnce });
    if (ids.length === 0) return 'none';
    try {
      await write(rows, ids, masker);
    } catch (error) {
      if (isDiskFailure(error)) throw error;
      // one of them is at fault: a look at each says which, and it holds up no other
      for (const id of ids)
        try {
          await write(rows, [id], masker);
        } catch (reason) {
          if (isDiskFailure(reason)) throw reason;
          refused.add(id);
          log.error(
            { row: id, words: errorMessage(reason) },
            'secrets in the ledger could not be masked yet',
          );
        }
    }
    return ids.length < atOnce ? 'none' : 'more';
  };
  const all = async (): Promise<void> => {
    if (mask === undefined) return;
    const masker = remembering(mask);
    try {
      for (const rows of ledger.unmasked) {
        const refused = new Set<string | number>();
        do await setImmediate();
        while ((await some(rows, masker, refused)) === 'more');
      }
    } catch (error) {
      log.error({ words: errorMessage(error) }, 'secrets in the ledger could not be masked yet');
    }
  };
  return createBatched({ clock, ms: soonMs, work: all });
}
