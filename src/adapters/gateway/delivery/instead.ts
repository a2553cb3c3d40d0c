// What is said in the place of a part that never will stand, and which failures mean that. Pure but for the channel's rendering.

import type { Channel, Failure } from '#adapters/gateway/channel.ts';
import { ephemeralIn, ephemeralLost } from '#adapters/gateway/ephemeral-part.ts';
import { fileIn, repeatedFile, unsent } from '#adapters/gateway/file-part.ts';
import type { Part } from '#adapters/text/part.ts';

/** Failures that no repetition mends. */
export function isFinal({ kind, maybeDelivered }: Failure): boolean {
  return (
    !maybeDelivered && (kind === 'permission' || kind === 'gone' || kind === 'invalid' || kind === 'too_long')
  );
}

/** The same part, which says that it may be a repeat where the channel or the file can. */
export function markedRepeat(part: Part, channel: Channel): Part {
  const file = fileIn(part);
  return file === undefined ? (channel.markRepeat?.(part) ?? part) : repeatedFile(file);
}

/**
 * Words for everybody: that a file was not taken, or that something was for one person alone. They say nothing of what that was.
 * Undefined for text that everybody was to see.
 */
export function wordsInstead(part: Part, failure: Failure, channel: Channel): Part | undefined {
  if (ephemeralIn(part) !== undefined) return channel.render(ephemeralLost)[0];
  const file = fileIn(part);
  return file && channel.render(unsent(file.name, failure.words.trim().replace(/\.$/, '')))[0];
}

/** Whether a repeated send cannot post this part twice. What one person alone is shown has no key on any platform. */
export function isIdempotent(part: Part, { caps }: Channel): boolean {
  return caps.idempotentSend && ephemeralIn(part) === undefined;
}

/** Whether an earlier attempt at the part can be looked for: neither files nor what one person alone is shown carry a key. */
export function isFindable(part: Part, channel: Channel): boolean {
  return channel.find !== undefined && fileIn(part) === undefined && ephemeralIn(part) === undefined;
}
