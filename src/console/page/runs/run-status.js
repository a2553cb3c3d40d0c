// The status of a run as a badge.
// @ts-check
import { html } from '#console/page/parts/html.js';
import { Badge } from '#console/page/parts/ui.js';

/** @import { Run } from '#engine/wire/runs/run.ts' */

const tones = /** @type {const} */ ({
  running: 'live',
  completed: 'good',
  error: 'bad',
  timeout: 'bad',
  interrupted: 'warn',
});

/** @param {{ status: Run['status'] }} props */
export function RunStatus({ status }) {
  return html`<${Badge} tone=${tones[/** @type {keyof typeof tones} */ (status)]}>${status}</${Badge}>`;
}
