// People.
// @ts-check
import { html } from './html.js';
import { Head } from './ui.js';

export function PeoplePage() {
  return html`<${Head} title="People" />`;
}
