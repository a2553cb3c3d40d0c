// A time as words that a question about a day, a month or a year holds. English and UTC; not how times are shown.
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `Saturday 21 November 2026` in UTC, so that a question about a day, month or year finds it. */
export function dateWords(at: number): string {
  const date = new Date(at);
  return `${days[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
