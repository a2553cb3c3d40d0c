// Prunes what only grows, by its retention, while the program runs: a while after the start, and once a day. Each store says what may go.
import type { Gateway } from '#adapters/gateway/gateway.ts';
import { errorMessage } from '#base/errors.ts';
import { every } from '#base/waiting/async.ts';
import type { Prunable } from '#engine/wire/operator/prunable.ts';
import type { Memory } from '#memory/types/contract.ts';
import type { ProcessContext } from './process-context.ts';

interface Growing {
  gateway?: Gateway | undefined;
  engine?: Prunable | undefined;
  memory?: Pick<Memory, 'pruneAudit'> | undefined;
}

/** A program that starts has other things to do. */
const firstMs = 60_000;
const dayMs = 24 * 3600_000;

/** Prunes until the stack is disposed of, before what it prunes is closed. A round that fails is logged, and tried again a day later. */
export function startRetention(
  { loaded, clock, log, stack }: Pick<ProcessContext, 'loaded' | 'clock' | 'log' | 'stack'>,
  growing: Growing,
): void {
  const closing = new AbortController();
  const { signal } = closing;
  const round = async (): Promise<void> => {
    const removed = await pruneOnce(growing, {
      retention: loaded.config.retention,
      now: clock.now(),
      signal,
    });
    if (Object.values(removed).some((rows) => rows > 0))
      log.info(removed, 'what is beyond its retention went');
  };
  const saved = every({ clock, firstMs, ms: dayMs, signal }, () =>
    round().catch((error: unknown) => {
      if (!signal.aborted)
        log.error({ words: errorMessage(error) }, 'what is beyond its retention could not be pruned');
    }),
  );
  stack.defer(async () => {
    closing.abort();
    await saved;
  });
}

/** Prunes everything that is given once; resolves with the number of deleted rows of each. */
export async function pruneOnce(
  { gateway, engine, memory }: Growing,
  {
    retention,
    now,
    signal,
  }: { retention: ProcessContext['loaded']['config']['retention']; now: number; signal: AbortSignal },
): Promise<{ inbox: number; outbox: number; events: number; schedules: number; audit: number }> {
  const before = (days: number): number => now - days * dayMs;
  const { inboxDays, outboxDays, eventDays, auditDays } = retention;
  const rows = await gateway?.ledgerContent.prune(
    { inbox: before(inboxDays), outbox: before(outboxDays) },
    signal,
  );
  const events = await engine?.pruneEvents(before(eventDays), signal);
  const schedules = await engine?.pruneSchedules(before(eventDays));
  const audit = await memory?.pruneAudit(before(auditDays), signal);
  return {
    inbox: rows?.inbox ?? 0,
    outbox: rows?.outbox ?? 0,
    events: events ?? 0,
    schedules: schedules ?? 0,
    audit: audit ?? 0,
  };
}
