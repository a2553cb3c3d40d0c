// What an owner is notified of a stranger whose display name looks like someone's who is known. Pure.
import { escapeMarkdown } from './reply.ts';

/** Begins with a comma; nothing when the name looks like nobody's. */
export function warningOf(looksLike: readonly string[]): string {
  if (looksLike.length === 0) return '';
  return `, **which is no account of ${looksLike.map(escapeMarkdown).join(' or ')}, although the name looks like it**`;
}
