// A folder or a file of the machine that Parley runs on becomes memory of the audience that is shown; the same importer as on the command line.
// @ts-check
import { useState } from 'preact/hooks';
import { ApiFailure, api } from '#console/page/data/api.js';
import { plural } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Button, Facts, Field, Section } from '#console/page/parts/ui.js';

/** @import { MemoryImported } from '#engine/wire/memory/memory-context.ts' */

/** A large folder takes minutes. */
const timeoutMs = 600_000;
const formats = /** @type {const} */ ([
  ['directory', 'Text and Markdown'],
  ['openclaw', 'Memory of OpenClaw'],
]);
const tiers = /** @type {const} */ ([
  ['global', 'Every project'],
  ['project', 'One project'],
  ['session', 'One conversation'],
]);
const gone = /** @type {const} */ ([
  ['stay', 'Stay in memory'],
  ['go', 'Go from memory too'],
]);

/** @param {{ audience: string, changed: () => Promise<void> }} props */
export function Import({ audience, changed }) {
  const [path, setPath] = useState('');
  const [format, setFormat] = useState('directory');
  const [tier, setTier] = useState('global');
  const [of, setOf] = useState('');
  const [absent, setAbsent] = useState('stay');
  const [refused, setRefused] = useState('');
  const [done, setDone] = useState(/** @type {MemoryImported | undefined} */ (undefined));
  const send = async (/** @type {boolean} */ allow_empty) => {
    setDone(undefined);
    setRefused('');
    try {
      const ids = {
        project: { project_id: of.trim() },
        session: { project_id: null, session_id: of.trim() },
      };
      const body = {
        ...{ source: { kind: 'path', path: path.trim() }, format, tier, audience, allow_empty },
        ...(tier === 'project' || tier === 'session' ? ids[tier] : { project_id: null }),
        sync_deletes: absent === 'go',
      };
      setDone(await api('/memory/import', { method: 'POST', body, timeoutMs }));
      await changed();
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.code !== 'IMPORT_WOULD_EMPTY') throw error;
      setRefused(error.message);
    }
  };
  const isNamed = path.trim() !== '' && (tier === 'global' || of.trim() !== '');
  return html`<${Section} title="Import files" note="From the machine that Parley runs on. What is unchanged since the last import is passed over.">
    <div class="filters flat"><${Field} label="Folder or file" placeholder="/srv/docs" value=${path} onInput=${setPath} grow />
      <${Field} label="Format" value=${format} options=${formats} onInput=${setFormat} />
      <${Field} label="Holds for" value=${tier} options=${tiers} onInput=${setTier} />
      <${Field} label=${tier === 'session' ? 'Conversation' : 'Project'} disabled=${tier === 'global'} placeholder=${tier === 'session' ? 'ses_…' : ''} value=${of} onInput=${setOf} />
      <${Field} label="Files that are gone" value=${absent} options=${gone} onInput=${setAbsent} />
      <${Button} writes kind="primary" disabled=${!isNamed} onPress=${() => send(false)}>Import to memory</${Button}></div>
    ${refused && html`<div class="conflict" role="alert"><p>${refused}</p><p class="actions left"><${Button} writes kind="danger" onPress=${() => send(true)}>Remove them from memory all the same</${Button}></p></div>`}
    ${done && html`<${Imported} report=${done} />`}</${Section}>`;
}

/** @param {{ report: MemoryImported }} props */
function Imported({ report }) {
  return html`<section class="card" role="status" aria-label="Report"><p class="card-title">Imported</p><${Facts} rows=${[
    ['Files', `${plural(report.indexed_files, 'file')} stored, ${report.skipped_files} unchanged or empty`],
    ['Passages', plural(report.chunks_created, 'passage')],
    report.deleted_files > 0 && ['Gone', plural(report.deleted_files, 'file')],
    report.redactions > 0 && ['Masked', plural(report.redactions, 'secret')],
  ]} />${report.failures.map(({ path, error }) => html`<p key=${path} class="bad-text">${path}: ${error}</p>`)}</section>`;
}
