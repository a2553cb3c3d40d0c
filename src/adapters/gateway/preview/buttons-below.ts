// Buttons below the last of several parts, and none below the others. Pure.
import type { Button, Channel } from '#adapters/gateway/terms/channel.ts';
import type { MessagePart } from '#adapters/text/part.ts';

/** The parts with the buttons of the turn below the last one, or with earlier buttons removed; unchanged where the platform has none. */
export function buttonsBelow(
  parts: readonly MessagePart[],
  { withChoices }: Pick<Channel, 'withChoices'>,
  choices: readonly Button[],
): MessagePart[] {
  if (withChoices === undefined) return [...parts];
  return parts.map((part, at) => withChoices(part, at === parts.length - 1 ? choices : []));
}
