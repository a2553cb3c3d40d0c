// What chaos closes and remembers, so that both sides know each session and each memory again.
import type { JournalCaller } from '#memory/types/journal.ts';
import type { Audience, Scope } from '#memory/types/scope.ts';
import { markOf } from './files-marks.ts';

export const journalAudience: Audience = 'person:per_1';
export const journalScope: Scope = { audiences: [journalAudience], spaces: [], everyone: false };
export const journalCaller: JournalCaller = {
  scope: journalScope,
  where: { audience: journalAudience, restricted: true },
  platform: 'mcp',
  by: { name: 'per_1' },
};
/** So little that every exchange and every decision after the first makes work, in every step. */
export const journalBudgets = {
  audience: { exchanges: 4, items: { note: 6, decision: 5 }, characters: 400_000 },
};

/** A session with several elements; `inherited` is settled with it. */
export function closeOf(number: number, inherited: readonly string[]) {
  const item = (kind: string) => [{ title: `${kind} ${markOf(number)}`, body: `Of session ${number}.` }];
  return {
    ...{ agentID: 'coder', key: `close ${number}`, title: `Session ${markOf(number)}`, summary: 'Work.' },
    ...{ decisions: item('decision'), threads: item('thread'), context: item('context') },
    inherited: inherited.map((id) => ({ id, action: 'resolved' as const })),
  };
}

/** The text of an exchange: its mark comes first, so that a summary has it too. */
export function saidOf(number: number): string {
  return `Crate ${markOf(number)} is in the hold. ${'It was carried there with care, and nobody needs to know by which way. '.repeat(4)}`;
}
