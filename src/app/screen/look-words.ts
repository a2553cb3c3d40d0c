// Looks into memory before answers, in lines for a terminal.
import { counted } from '#base/text.ts';
import type { ActiveMemoryCounts } from '#engine/wire/memory/active-memory.ts';

/** Active memory in a status: a name and a text for each line. */
export function lookFacts(
  { by, model, given, nothing, late, failed, paused, pausedUntilMs }: ActiveMemoryCounts,
  now: number,
): [name: string, words: string][] {
  const who = by === 'ranking' ? 'by ranking' : `by ${model}`;
  const without = [
    ...(late === 0 ? [] : [`${late} late`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(paused === 0 ? [] : [`${paused} left out`]),
  ];
  const seconds = Math.ceil(Math.max(0, (pausedUntilMs ?? 0) - now) / 1000);
  return [
    ['looks', `${given} of ${counted(given + nothing, 'look')} gave a memory, ${who}`],
    ...(without.length === 0 ? [] : [['', without.join(', ')] satisfies [string, string]]),
    ...(pausedUntilMs === null ? [] : [['', `PAUSED for ${seconds} s`] satisfies [string, string]]),
  ];
}
