// What is written in the place of a part that will never be delivered, and which failures mean that. Pure except for the channel's rendering.

import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { Channel, ChannelFailure } from '#adapters/gateway/terms/channel.ts';
import { aside } from '#adapters/gateway/terms/command-reply.ts';
import { ephemeralIn } from '#adapters/gateway/terms/ephemeral-part.ts';
import { fileIn, repeatedFile } from '#adapters/gateway/terms/file-part.ts';
import type { MessagePart } from '#adapters/text/part.ts';

/** True for a failure that no repetition fixes. */
export function isFinal({ kind, maybeDelivered }: ChannelFailure): boolean {
  return (
    !maybeDelivered && (kind === 'permission' || kind === 'gone' || kind === 'invalid' || kind === 'too_long')
  );
}

/** The same part, which says that it may be a repeat where the channel or the file can. */
export function markedRepeat(part: MessagePart, channel: Channel, { answers }: Phrases): MessagePart {
  const file = fileIn(part);
  const mark = answers.mayBeRepeat;
  return file === undefined ? (channel.markRepeat?.(part, mark) ?? part) : repeatedFile(file, mark);
}

/**
 * Words for everyone: that a file was not taken, or that something was only for one person. They say nothing of what that was.
 * Undefined for text that everyone was to see.
 */
export function wordsInstead(
  part: MessagePart,
  failure: ChannelFailure,
  { channel, phrases: { answers } }: { channel: Channel; phrases: Phrases },
): MessagePart | undefined {
  if (ephemeralIn(part) !== undefined) return channel.render(aside(answers.ephemeralLost))[0];
  const file = fileIn(part);
  const why = failure.words.trim().replace(/\.$/, '');
  return file && channel.render(answers.unsent({ name: file.name, why }))[0];
}

/** Words for everyone in the place of a part that the platform keeps refusing, whatever it is. */
export function wordsOfGivenUp(
  part: MessagePart,
  failure: ChannelFailure,
  { channel, phrases }: { channel: Channel; phrases: Phrases },
): MessagePart | undefined {
  const why = failure.words.trim().replace(/\.$/, '');
  return (
    wordsInstead(part, failure, { channel, phrases }) ??
    channel.render(phrases.answers.partUnsent({ why }))[0]
  );
}

/** Whether a send that began at most so long ago can be repeated without a second message. What only one person sees has no key. */
export function isIdempotent(part: MessagePart, { caps }: Channel, agoMs: number): boolean {
  const { idempotentSend, idempotentForMs = Number.POSITIVE_INFINITY } = caps;
  return idempotentSend && agoMs < idempotentForMs && ephemeralIn(part) === undefined;
}

/** Whether an earlier attempt at the part can be looked for: neither files nor what only one person sees have a key. */
export function isFindable(part: MessagePart, channel: Channel): boolean {
  return channel.find !== undefined && fileIn(part) === undefined && ephemeralIn(part) === undefined;
}
