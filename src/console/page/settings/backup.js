// A backup with its progress, and a restore that the next start carries out.
// @ts-check
import { useState } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { bytes, duration, fullDate, plural } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Badge, Button, Field, Loaded, Section, Time } from '#console/page/parts/ui.js';

/** @import { BackupState, RestoreState } from '#engine/wire/operator/operator.ts' */

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
    <${Restores} />`;
}

/** @param {{ backup: BackupState }} props */
function Newest({ backup: { state, folder, doneBytes, totalBytes, startedAtMs, finishedAtMs, error } }) {
  return html`<div class="card"><p class="card-title"><${Badge} tone=${state === 'done' ? 'good' : state === 'failed' ? 'bad' : 'live'}>${state}</${Badge}> <code class="cut">${folder}</code></p>
    <${Bar} what="backup" done=${doneBytes} total=${state === 'done' ? doneBytes : totalBytes} />
    <p class="muted small">${bytes(doneBytes)} of ${bytes(Math.max(totalBytes, doneBytes))} · begun <${Time} ms=${startedAtMs} />${finishedAtMs !== null && startedAtMs !== null && ` · took ${duration(finishedAtMs - startedAtMs)}`}</p>
    ${error && html`<p class="bad-text" role="alert">${error}</p>`}</div>`;
}

/** @param {{ what: string, done: number, total: number }} props In bytes. */
function Bar({ what, done, total }) {
  const share = total === 0 ? 0 : done / total;
  return html`<progress max="1" value=${share} aria-label=${`Progress of the ${what}`}>${Math.round(share * 100)} %</progress>`;
}

function Restores() {
  const state = useData(() => /** @type {Promise<RestoreState>} */ (api('/restore')), [], { everyMs: 1_000 });
  const [typed, setTyped] = useState(/** @type {string | undefined} */ (undefined));
  const call = async (/** @type {object} */ how) => {
    await api('/restore', how);
    await state.reload();
  };
  return html`<${Section} title="Restore" note="The home folder becomes what it was; what it holds now is set aside">
    <${Loaded} of=${state} rows=${1}>${(/** @type {RestoreState} */ data) => {
      const { found } = data;
      const folder = typed ?? found[0]?.folder ?? '';
      const known = found.map((each) => [each.folder, `${fullDate(each.atMs)}, ${bytes(each.bytes)}`]);
      const withdraw = () => call({ method: 'DELETE' });
      return html`
        ${data.state !== 'none' && html`<${Restore} restore=${data} onWithdraw=${withdraw} />`}
        ${known.length > 0 && html`<div class="filters gap"><${Field} grow label="A backup that is there" value=${folder} options=${[...known, ...(known.some(([each]) => each === folder) ? [] : [[folder, 'Another folder']])]} onInput=${setTyped} /></div>`}
        <div class="filters gap"><${Field} label="Folder of the backup" value=${folder} onInput=${setTyped} />
        <${Button} writes disabled=${data.state === 'checking' || folder.trim() === ''} onPress=${() => call({ method: 'POST', body: { folder } })}>Restore at the next start</${Button}></div>
        <p class="note gap">The backup is verified now, and put back when Parley starts again. What was forgotten since is forgotten again; conversations that were deleted since are back; sign-ins are not part of a backup.</p>`;
    }}</${Loaded}></${Section}>`;
}

const states = /** @type {const} */ ({
  none: ['plain', ''],
  checking: ['live', 'being verified'],
  planned: ['warn', 'at the next start'],
  failed: ['bad', 'failed'],
  done: ['good', 'restored'],
});

/** @param {{ restore: RestoreState, onWithdraw: () => Promise<void> }} props */
function Restore({ restore, onWithdraw }) {
  const { state, folder, backupAtMs, doneBytes, totalBytes, error, replaced, forgottenAgain } = restore;
  const [tone, word] = states[state];
  return html`<div class="card"><p class="card-title"><${Badge} tone=${tone}>${word}</${Badge}> <code class="cut">${folder}</code></p>
    ${state === 'checking' && html`<${Bar} what="check" done=${doneBytes} total=${totalBytes} />`}
    ${state === 'planned' && html`<p>The backup, made <${Time} ms=${backupAtMs} />, is whole. Stop Parley and start it again: it is restored before anything is opened.</p>`}
    ${
      state === 'done' &&
      html`<p>The home folder is as it was at the backup, made <${Time} ms=${backupAtMs} />.${replaced && html` What was there before is in <code>${replaced}</code>; delete it when you miss nothing.`}
      ${forgottenAgain === null ? ' What was forgotten since could not be read, and may be there again.' : forgottenAgain > 0 && ` ${plural(forgottenAgain, 'memory', 'memories')} that had been forgotten since: forgotten again.`}</p>`
    }
    ${error && html`<p class="bad-text" role="alert">${error} Nothing was changed.</p>`}
    <p><${Button} writes kind="quiet" onPress=${onWithdraw}>${state === 'planned' || state === 'checking' ? 'Restore nothing' : 'Hide'}</${Button}></p></div>`;
}
