// What a platform's client would not let a person send.
import { ParleyError } from '#base/errors.ts';

/** Throws a ParleyError `invalid_text` for a text that is empty or longer than `maxLength`, in UTF-16 units. */
export function refuseUnsayable(text: string, maxLength: number): void {
  const { length } = text.trim();
  if (length === 0 || length > maxLength)
    throw new ParleyError('invalid_text', `A person's text has 1 to ${maxLength} units, this has ${length}.`);
}
