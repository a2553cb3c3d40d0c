// The one way in which modules of the page make elements, and what they take of Preact.
// @ts-check
import htm from 'htm';
import { Fragment, h } from 'preact';

/** Elements as a template; text in it is text, never markup. */
export const html = htm.bind(h);
export { Fragment };

/** Class names that apply. @param {...(string | false | null | undefined)} names */
export function classes(...names) {
  return names.filter(Boolean).join(' ');
}
