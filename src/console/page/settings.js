// Settings.
// @ts-check
import { html } from './html.js';
import { Head } from './ui.js';

export function SettingsPage() {
  return html`<${Head} title="Settings" />`;
}
