// The warning about a display name that looks like someone's who is known. Pure.
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { escapeMarkdown } from '#adapters/gateway/terms/command-reply.ts';

/** The warning that a name looks like that of known persons; begins with a comma, and is empty when there are none. */
export function warningOf(looksLike: readonly string[], { access }: Phrases): string {
  if (looksLike.length === 0) return '';
  return `, ${access.notAnAccountOf({ names: looksLike.map(escapeMarkdown) })}`;
}
