// Waiting until everything that was written is answered and archived, and nothing is left to do. Judges nothing.
import { systemClock } from '#base/clock.ts';
import { accountFor, type Outcome } from './account.ts';
import { isReply, type LoadUsers } from './load-users.ts';
import { archivesIn, lookAtAll, type Sight } from './look.ts';
import type { Stage } from './stage.ts';

export interface Timeout {
  /** Nothing may move for so long, platforms' pauses and backoffs included; then it is stuck. */
  stuckMs: number;
  /** With nothing left to do and something missing, it may still come by a fetch of what was missed. */
  missingMs: number;
}

export const usualPatience: Timeout = { stuckMs: 90_000, missingMs: 40_000 };
/** A connection that is silent is taken for dead after 100 s at most, and then something is fetched. */
export const timeoutWithLinks: Timeout = { stuckMs: 200_000, missingMs: 150_000 };
/** With nothing left to do, this long must pass without anything new. */
const quietMs = 1_000;

/** What happened to every message until now. `shared` are archived exchanges that are in no home folder. */
export function outcomeOf(stage: Stage, users: LoadUsers, shared: readonly string[] = []): Outcome {
  const { book } = stage.model;
  const existed = stage.existed();
  // Where nobody said a command, a reply to one is as wrong as anything else that nobody asked for.
  const answers = users.commands === 0 ? existed : existed.filter((one) => !isReply(one));
  const archives = [...stage.homes.flatMap(archivesIn), ...shared];
  const outcome = accountFor({ sent: users.sent, existed: answers, book, archives });
  const replies = existed.length - answers.length;
  if (users.commands > 0 && replies !== users.commands)
    outcome.faults.push(`${users.commands} commands have ${replies} replies`);
  return outcome;
}

/** True once all is answered, archived and at rest; false when it comes to a standstill before that, or the signal aborts. */
export async function settled(
  stage: Stage,
  users: LoadUsers,
  { signal, timeout = usualPatience }: { signal: AbortSignal; timeout?: Timeout },
): Promise<boolean> {
  let last = { trace: '', at: Date.now() };
  while (!signal.aborted) {
    const sight = lookAtAll(stage.homes);
    const trace = traceOf(sight);
    if (trace !== last.trace) last = { trace, at: Date.now() };
    const stillMs = Date.now() - last.at;
    const idle = sight !== undefined && sight.waiting + sight.turns + sight.outbox + sight.toArchive === 0;
    if (idle && stillMs > quietMs && outcomeOf(stage, users).lost === 0) return true;
    if (stillMs > (idle ? timeout.missingMs : timeout.stuckMs)) return false;
    await systemClock.sleep(200);
  }
  return false;
}

/** What moves while something is being done. */
function traceOf(sight: Sight | undefined): string {
  if (sight === undefined) return '';
  const { accepted, receipts, running, waiting, turns, outbox, toArchive, archived } = sight;
  return [accepted.size, receipts.size, ...running, waiting, turns, outbox, toArchive, archived].join();
}
