// A log that keeps its lines for the test to look at.
import { createLog, type Log, type LogLevel } from '#base/log/log.ts';

export function quietLog(level: LogLevel = 'debug'): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const log = createLog({ level, mask: (text) => text, write: (line) => lines.push(line) });
  return { log, lines };
}
