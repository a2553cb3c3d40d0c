// Conversations.
// @ts-check
import { html } from './html.js';
import { Head } from './ui.js';

export function ConversationsPage() {
  return html`<${Head} title="Conversations" />`;
}
