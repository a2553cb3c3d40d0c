// Which names are those of time zones on this system.

/** Whether a name is one, like `Europe/Berlin`, `UTC` or an older link to one. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
