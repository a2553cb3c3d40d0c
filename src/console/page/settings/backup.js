// A backup with its progress, and how one is put back.
// @ts-check
import { useState } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { bytes, duration } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Badge, Button, Field, Loaded, Section, Time } from '#console/page/parts/ui.js';

/** @import { BackupState } from '#engine/wire/operator/operator.ts' */

export function Backups() {
  const state = useData(() => /** @type {Promise<BackupState>} */ (api('/backup')), [], { everyMs: 1_000 });
  const [typed, setTyped] = useState(/** @type {string | undefined} */ (undefined));
  const folder = typed ?? state.data?.suggested ?? '';
  const start = async () => {
    await api('/backup', { method: 'POST', body: { folder } });
    setTyped(undefined);
    await state.reload();
  };
  return html`<${Section} title="Back up" note="Everything in the home folder, verified; Parley continues to run">
      <${Loaded} of=${state} rows=${1}>${(/** @type {BackupState} */ data) => html`
        ${data.state !== 'none' && html`<${Newest} backup=${data} />`}
        <div class="filters gap"><${Field} label="New folder on the machine where Parley runs" value=${folder} onInput=${setTyped} />
        <${Button} writes kind="primary" disabled=${data.state === 'running' || folder.trim() === ''} onPress=${start}>${data.state === 'running' ? 'Backing up…' : 'Back up now'}</${Button}></div>`}</${Loaded}></${Section}>
    <${Section} title="Restore" note="A restore exchanges the home folder, so Parley must be stopped for it">
      <pre class="code" tabindex="0"><code>parley restore FOLDER --replace</code></pre>
      <p class="note gap">It verifies the backup, sets aside what is there now, and forgets again what was forgotten since. Sign-ins are not part of a backup.</p></${Section}>`;
}

/** @param {{ backup: BackupState }} props */
function Newest({ backup: { state, folder, doneBytes, totalBytes, startedAtMs, finishedAtMs, error } }) {
  const share = state === 'done' ? 1 : totalBytes === 0 ? 0 : doneBytes / totalBytes;
  return html`<div class="card"><p class="card-title"><${Badge} tone=${state === 'done' ? 'good' : state === 'failed' ? 'bad' : 'live'}>${state}</${Badge}> <code class="cut">${folder}</code></p>
    <progress max="1" value=${share} aria-label="Progress of the backup">${Math.round(share * 100)} %</progress>
    <p class="muted small">${bytes(doneBytes)} of ${bytes(Math.max(totalBytes, doneBytes))} · begun <${Time} ms=${startedAtMs} />${finishedAtMs !== null && startedAtMs !== null && ` · took ${duration(finishedAtMs - startedAtMs)}`}</p>
    ${error && html`<p class="bad-text" role="alert">${error}</p>`}</div>`;
}
