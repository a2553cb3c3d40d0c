// Agents.
// @ts-check
import { html } from './html.js';
import { Head } from './ui.js';

export function AgentsPage() {
  return html`<${Head} title="Agents" />`;
}
