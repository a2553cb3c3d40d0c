// What is sent in the place of a part: marked as a possible repeat, or words where the platform does not take a file. Pure.
import type { Channel, Failure } from '#adapters/gateway/channel.ts';
import { fileIn, repeatedFile, unsent } from '#adapters/gateway/file-part.ts';
import type { Part } from '#adapters/text/part.ts';

/** The same part, marked as possibly a repeat as far as the platform can. */
export function markedRepeat(part: Part, channel: Channel): Part {
  const file = fileIn(part);
  return file === undefined ? (channel.markRepeat?.(part) ?? part) : repeatedFile(file);
}

/** What is said in the place of a file that the platform does not take; undefined for text. */
export function wordsInstead(part: Part, failure: Failure, channel: Channel): Part | undefined {
  const file = fileIn(part);
  return file && channel.render(unsent(file.name, failure.words.trim().replace(/\.$/, '')))[0];
}
