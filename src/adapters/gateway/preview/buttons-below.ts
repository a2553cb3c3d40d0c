// Buttons below the last of several parts, and none below the others. Pure.
import type { Button, Channel } from '#adapters/gateway/channel.ts';
import type { MessagePart } from '#adapters/text/part.ts';

/** Each part as it is with its buttons, or with those that were below it taken away; the same parts where the platform has no buttons. */
export function buttonsBelow(
  parts: readonly MessagePart[],
  { withChoices }: Pick<Channel, 'withChoices'>,
  choices: readonly Button[],
): MessagePart[] {
  if (withChoices === undefined) return [...parts];
  return parts.map((part, at) => withChoices(part, at === parts.length - 1 ? choices : []));
}
