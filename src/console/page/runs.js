// Runs.
// @ts-check
import { html } from './html.js';
import { Head } from './ui.js';

export function RunsPage() {
  return html`<${Head} title="Runs" />`;
}
