// Structured logs (pino), one JSON object a line, or one line of words on a terminal; secrets removed from the whole line. Not for answers to people.
import { type DestinationStream, type Logger, pino } from 'pino';
import type { MaskSecrets } from '#base/secrets.ts';
import { readableLine } from './log-line.ts';

export type Log = Logger;
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** A log that writes masked lines to `write` (standard error by default): JSON, or plain text for the reader of a terminal. */
export function createLog(options: {
  level: LogLevel;
  mask: MaskSecrets;
  write?: ((line: string) => void) | undefined;
  /** Gets every masked line as JSON as well. */
  seen?: ((line: string) => void) | undefined;
  /** `words` for people; as standard error is a terminal or not when absent. */
  form?: 'JSON' | 'words' | undefined;
}): Log {
  const {
    write = (line: string) => process.stderr.write(line),
    form = process.stderr.isTTY ? 'words' : 'JSON',
  } = options;
  const shaped = (line: string): string => (form === 'words' ? readableLine(line) : line);
  const destination: DestinationStream = {
    write(line) {
      const masked = options.mask(line);
      options.seen?.(masked);
      write(shaped(masked));
    },
  };
  return pino({ level: options.level, base: null }, destination);
}
