// A log that keeps its lines for the test to look at.
import { createLog, type Log } from '#base/log.ts';

export function quietLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', mask: (text) => text, write: (line) => lines.push(line) });
  return { log, lines };
}
