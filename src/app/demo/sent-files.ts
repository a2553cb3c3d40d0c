// The files that people send in the demo: a picture and a letter, as small as they can be.
import type { SandboxFile } from '#sandbox/contract.ts';

/** The smallest picture there is. */
export function lift(): SandboxFile {
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  return { name: 'lift.png', mime: 'image/png', bytes: Buffer.from(png, 'base64') };
}

/** A letter as a word processor stores it. */
export function letter(): SandboxFile {
  const rtf = String.raw`{\rtf1\ansi{\fonttbl{\f0 Arial;}}\f0 The boat leaves at half past seven from pier 4.\par}`;
  return { name: 'letter.rtf', mime: 'application/rtf', bytes: Buffer.from(rtf) };
}
