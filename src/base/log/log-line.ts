// A line of the log for people: time, severity, words, and what belongs to them. Pure; programs are given JSON.
const severities: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warning',
  50: 'error',
  60: 'fatal',
};

/** The JSON line as it is read on a terminal; any other line stays as it is. */
export function readableLine(line: string): string {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  if (typeof entry !== 'object' || entry === null || !('time' in entry) || !('level' in entry)) return line;
  const { level, time, msg = '', ...rest } = entry as Record<string, unknown>; // an object, as was looked at
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const more = Object.entries(rest).map(([name, value]) => `${name}: ${valueWords(value)}`);
  const words = more.length === 0 ? String(msg) : `${String(msg)} (${more.join(', ')})`;
  return `${clock} ${severities[Number(level)] ?? 'log'}: ${words.replace(/[\s\p{Cc}]+/gu, ' ')}\n`;
}

function valueWords(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
