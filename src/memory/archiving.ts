// Exchanges that are handed over at one moment are stored by one transaction: what full text and log cost is paid once.
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '#base/errors.ts';
import { isDiskFailure } from '#base/files/disk-failures.ts';
import { passes } from '#base/postgres/failures.ts';
import type { Masked } from '#memory/chunks/archive.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { ArchiveResult, Exchange } from '#memory/types/exchange.ts';

/** Most exchanges in one transaction: the program stands still for each of them. */
const maxTogether = 16;
/** Between two transactions, in milliseconds: an exchange that comes alone does not wait. */
const apartMs = 50;

interface PendingExchange {
  one: Masked;
  outcome: PromiseWithResolvers<ArchiveResult>;
}

/**
 * Takes exchanges and resolves once each is committed, in the order of the calls; `write` stores some in one transaction, or throws. An exchange that
 * cannot be stored keeps no other from being stored: after a failure that is not the disk's each is tried on its own. A group commit would
 * put a savepoint around each, at which full text writes out what it gathered.
 */
export function createArchiving(
  write: (exchanges: readonly Masked[]) => Promise<ArchiveResult[]>,
): (one: Masked) => Promise<ArchiveResult> {
  const waiting: PendingExchange[] = [];
  let isUnderWay = false;
  let lastAt = Number.NEGATIVE_INFINITY;

  const store = async (some: readonly PendingExchange[]): Promise<void> => {
    try {
      const results = await write(some.map(({ one }) => one));
      for (const [place, result] of results.entries()) some[place]?.outcome.resolve(result);
    } catch (error) {
      if (some.length > 1 && !isEveryones(error)) for (const one of some) await store([one]);
      else for (const { outcome } of some) outcome.reject(error);
    }
  };
  const storeAll = async (): Promise<void> => {
    isUnderWay = true;
    while (waiting.length > 0) {
      // by the machine's time, whatever a clock says: it is the machine that is spared
      const early = lastAt + apartMs - performance.now();
      if (early > 0 && waiting.length < maxTogether) await sleep(early);
      await store(waiting.splice(0, maxTogether));
      lastAt = performance.now();
    }
    // in the same moment as the last look: an exchange that comes later starts the work again
    isUnderWay = false;
  };

  return (one) => {
    const outcome = Promise.withResolvers<ArchiveResult>();
    waiting.push({ one, outcome });
    if (!isUnderWay) void storeAll();
    return outcome.promise;
  };
}

/** The exchange with its secrets masked. */
export async function maskedExchange(redact: Redact, exchange: Exchange): Promise<Masked> {
  const userText = await redact(exchange.userText);
  const answered = await redact(exchange.assistantText);
  return {
    exchange: { ...exchange, userText: userText.text, assistantText: answered.text },
    masked: [...userText.kinds, ...answered.kinds],
  };
}

/** A disk that refuses, another process that holds the file, or a database that cannot be reached, refuses every exchange; the memory may also be closed. */
function isEveryones(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return isDiskFailure(error) || ['memory_busy', 'memory_closed'].includes(code) || passes(error);
}
