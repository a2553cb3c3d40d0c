// Memory.
// @ts-check
import { html } from './html.js';
import { Head } from './ui.js';

export function MemoryPage() {
  return html`<${Head} title="Memory" />`;
}
