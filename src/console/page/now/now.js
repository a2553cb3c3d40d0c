// Now: what happens at this moment, what waits for a person, how the channels are, and the last hour, day and month.
// @ts-check
import { api, me } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { html } from '#console/page/parts/html.js';
import { Head, Loaded } from '#console/page/parts/ui.js';
import { LiveList } from '#console/page/runs/live-list.js';
import { Channels, Problems } from './channels.js';
import { Doctor } from './doctor.js';
import { Plots } from './plots.js';
import { Waiting } from './waiting.js';

/** @import { StatusReport } from '#engine/wire/operator/overview.ts' */

export function NowPage() {
  const status = useData(() => /** @type {Promise<StatusReport>} */ (api('/status')), [], {
    everyMs: 10_000,
    againMs: 2_000,
    on: ({ type }) => type === 'session.run.started' || type === 'session.run.finished',
  });
  const model = status.data?.engine?.model;
  return html`<${Head} title="Now" note=${status.data && html`Version ${status.data.version}${model && ` · ${model} answers`}`} />
    <${Loaded} of=${status} rows=${2}>${(/** @type {StatusReport} */ data) => html`<${Problems} status=${data} />`}</${Loaded}>
    ${me.value?.role === 'owner' && html`<${Waiting} />`}
    <${LiveList} />
    <${Loaded} of=${status} rows=${4}>${(/** @type {StatusReport} */ data) => html`<${Channels} status=${data} />`}</${Loaded}>
    ${me.value?.role === 'owner' && html`<${Doctor} known=${status.data?.problems.map(({ message }) => message) ?? []} />`}
    <${Plots} />`;
}
