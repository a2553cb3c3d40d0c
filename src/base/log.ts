// Structured logs (pino), one JSON object a line, secrets removed from the whole line. Not for words meant for people.
import { type DestinationStream, type Logger, pino } from 'pino';
import type { MaskSecrets } from './secrets.ts';

export type Log = Logger;
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** A log that writes masked lines to `write` (standard error by default). */
export function createLog(options: {
  level: LogLevel;
  mask: MaskSecrets;
  write?: ((line: string) => void) | undefined;
}): Log {
  const write = options.write ?? ((line: string) => process.stderr.write(line));
  const destination: DestinationStream = { write: (line) => write(options.mask(line)) };
  return pino({ level: options.level, base: null }, destination);
}
