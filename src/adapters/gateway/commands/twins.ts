// What an owner is told of a stranger whose display name looks like somebody's who is known. Pure.
import { plainly } from './reply.ts';

/** Begins with a comma; nothing when the name looks like nobody's. */
export function warningOf(looksLike: readonly string[]): string {
  if (looksLike.length === 0) return '';
  return `, **which is no account of ${looksLike.map(plainly).join(' or ')}, although the name looks like it**`;
}
