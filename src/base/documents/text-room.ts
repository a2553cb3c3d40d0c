// The text of a document as it grows, up to a limit of characters and of processor time.
import { truncate } from '#base/text.ts';

export interface TextRoom {
  /** Adds text; what does not fit is left out. */
  add(text: string): void;
  /** True when nothing more fits, or the time is used up: reading on is of no use. */
  isFull(): boolean;
  /** What was added, without blank lines at its ends. */
  text(): string;
  /** True when something was left out. */
  isCut(): boolean;
}

/**
 * Processor time of a thread after which it reads no further and gives what it has, in milliseconds: less than it may take, so that long
 * documents are read in part.
 */
const enoughMs = 5_000;

/** Room for so many characters. */
export function createTextRoom(maxChars: number): TextRoom {
  const pieces: string[] = [];
  let [length, cut] = [0, false];
  const cpuMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  const begun = cpuMs();
  let adds = 0;
  let late = false;
  const isLate = (): boolean => {
    adds += 1;
    if (adds % 256 === 0) late ||= cpuMs() - begun > enoughMs;
    return late;
  };
  return {
    add(text) {
      if (text === '') return;
      if (length >= maxChars) {
        cut ||= text.trim() !== '';
        return;
      }
      pieces.push(text);
      length += text.length;
    },
    isFull: () => length >= maxChars || isLate(),
    text() {
      const whole = pieces.join('').replaceAll(/[ \t]+\n/g, '\n');
      return truncate(whole.replaceAll(/\n{3,}/g, '\n\n').trim(), maxChars, '');
    },
    isCut: () => cut || late || length > maxChars,
  };
}
