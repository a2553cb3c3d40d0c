// Waiting until everything that was said is answered and archived, and nothing is left to do. Judges nothing.
import { systemClock } from '#base/clock.ts';
import { accountFor, type Outcome } from './account.ts';
import { type Crowd, isReply } from './crowd.ts';
import { archivesIn, lookAt, type Sight } from './look.ts';
import type { Stage } from './stage.ts';

export interface Patience {
  /** Nothing may move for so long, platforms' pauses and backoffs included; then it is stuck. */
  stuckMs: number;
  /** With nothing left to do and something missing, it may still come by a fetch of what was missed. */
  missingMs: number;
}

export const usualPatience: Patience = { stuckMs: 90_000, missingMs: 40_000 };
/** A connection that is silent is taken for dead after 100 s at most, and then something is fetched. */
export const patienceWithLinks: Patience = { stuckMs: 200_000, missingMs: 150_000 };
/** With nothing left to do, this long must pass without anything new. */
const quietMs = 1_000;

/** What became of every message until now. */
export function outcomeOf(stage: Stage, crowd: Crowd): Outcome {
  const { book } = stage.model;
  const stood = stage.stood();
  // Where nobody said a command, a reply to one is as wrong as anything else that nobody asked for.
  const answers = crowd.commands === 0 ? stood : stood.filter((one) => !isReply(one));
  const outcome = accountFor({ sent: crowd.sent, stood: answers, book, archives: archivesIn(stage.home) });
  const replies = stood.length - answers.length;
  if (crowd.commands > 0 && replies !== crowd.commands)
    outcome.faults.push(`${crowd.commands} commands have ${replies} replies`);
  return outcome;
}

/** True once all is answered, archived and at rest; false when it stands still before that, or the signal aborts. */
export async function settled(
  stage: Stage,
  crowd: Crowd,
  { signal, patience = usualPatience }: { signal: AbortSignal; patience?: Patience },
): Promise<boolean> {
  let last = { trace: '', at: Date.now() };
  while (!signal.aborted) {
    const sight = lookAt(stage.home);
    const trace = traceOf(sight);
    if (trace !== last.trace) last = { trace, at: Date.now() };
    const stillMs = Date.now() - last.at;
    const idle = sight !== undefined && sight.waiting + sight.turns + sight.outbox + sight.toArchive === 0;
    if (idle && stillMs > quietMs && outcomeOf(stage, crowd).lost === 0) return true;
    if (stillMs > (idle ? patience.missingMs : patience.stuckMs)) return false;
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
