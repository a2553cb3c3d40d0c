// What chaos writes into memory files, so that both sides know each line again.
import type { Audience, Scope } from '#memory/types/scope.ts';

export const fileWorks = ['edit', 'index', 'rebuild', 'promote', 'forget'] as const;
export type FileWork = (typeof fileWorks)[number];

export const filesAudience: Audience = 'person:per_1';
export const filesScope: Scope = { audiences: [filesAudience], spaces: [], everyone: false };

/** A word that nothing else has. */
export function markOf(number: number): string {
  return `zq${number.toString(36)}x${(number * 7919).toString(36)}`;
}

const places = ['attic', 'barn', 'cellar', 'dinghy', 'engine room', 'forge', 'greenhouse', 'hangar'];

/** A fact that can be promoted and forgotten. */
export function statementOf(number: number): string {
  return `The chest ${markOf(number)} is in the ${places[number % places.length]} of berth ${number}.`;
}
