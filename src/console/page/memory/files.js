// The memory files of one audience with an editor: what another person or the assistant changed in the meantime is never overwritten.
// @ts-check
import { useState } from 'preact/hooks';
import { ApiFailure, api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { bytes, plural } from '#console/page/parts/format.js';
import { classes, html } from '#console/page/parts/html.js';
import { Badge, Button, Empty, Loaded } from '#console/page/parts/ui.js';

/** @import { MemoryFileList, MemoryFileWhole, MemoryFileReplaced } from '#engine/wire/memory/memory-files.ts' */

/** @param {{ audience: string }} props */
export function Files({ audience }) {
  const [open, setOpen] = useState('');
  const files = useData(
    () => /** @type {Promise<MemoryFileList>} */ (api('/memory/files', { query: { audience } })),
    [audience],
    { everyMs: 15_000 },
  );
  return html`<${Loaded} of=${files}>${(/** @type {MemoryFileList} */ { files: list }) =>
    list.length === 0
      ? html`<${Empty} title="This audience has no memory files yet" icon="file">The first note makes them: “/memory note …” in the chat, or a note of the assistant.</${Empty}>`
      : html`<div class="files"><ul class="file-list">${list.map(
          ({ path, bytes: size, passages, state, problem, read_only }) => html`<li key=${path}>
          <button type="button" class=${classes('entry', open === path && 'on')} aria-pressed=${open === path} onClick=${() => setOpen(path)}><span class="entry-title"><span class="cut">${path.slice(path.indexOf('/') + 1)}</span></span>
          <span class="entry-note">${bytes(size)} · ${plural(passages, 'passage')} ${state !== 'indexed' && html`<${Badge} tone=${state === 'refused' ? 'bad' : 'warn'} title=${problem}>${state}</${Badge}>`}${read_only && html`<${Badge}>read only</${Badge}>`}</span></button></li>`,
        )}</ul>
        ${open === '' ? html`<${Empty} title="Choose a file" icon="file">It opens in an editor.</${Empty}>` : html`<${Editor} key=${open} audience=${audience} path=${open} />`}</div>`}</${Loaded}>`;
}

/** @param {{ audience: string, path: string }} props */
function Editor({ audience, path }) {
  const file = useData(
    () => /** @type {Promise<MemoryFileWhole>} */ (api('/memory/files/whole', { query: { audience, path } })),
    [audience, path],
  );
  return html`<${Loaded} of=${file}>${(/** @type {MemoryFileWhole} */ data) => html`<${Editing} key=${data.tag} audience=${audience} file=${data} reload=${file.reload} />`}</${Loaded}>`;
}

/** @param {{ audience: string, file: MemoryFileWhole, reload: () => Promise<void> }} props */
function Editing({ audience, file: { path, text, tag, read_only }, reload }) {
  const [draft, setDraft] = useState(text);
  const [base, setBase] = useState(tag);
  const [note, setNote] = useState('');
  const [other, setOther] = useState(/** @type {MemoryFileWhole | undefined} */ (undefined));
  const save = async () => {
    setNote('');
    try {
      /** @type {MemoryFileReplaced} */
      const saved = await api('/memory/files/whole', {
        method: 'PUT',
        body: { audience, path, text: draft, tag: base },
      });
      setBase(saved.tag);
      setOther(undefined);
      setNote(
        saved.redacted.length === 0 ? 'Saved.' : `Saved. Masked as secrets: ${saved.redacted.join(', ')}.`,
      );
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.code !== 'FILE_CHANGED') throw error;
      setOther(await api('/memory/files/whole', { query: { audience, path } }));
    }
  };
  const mine = () => {
    if (other !== undefined) setBase(other.tag);
    setOther(undefined);
    setNote('Your text now replaces theirs when you save.');
  };
  const theirs = async () => {
    await reload();
    if (other === undefined) return;
    setDraft(other.text);
    setBase(other.tag);
    setOther(undefined);
  };
  return html`<div class="editor">
    ${
      other &&
      html`<div class="conflict" role="alert"><p><b>The file was changed in the meantime.</b> Nothing was overwritten. Compare both texts, then choose.</p>
      <div class="conflict-texts"><label class="field"><span class="field-label">In the file now</span><textarea rows="12" readonly>${other.text}</textarea></label></div>
      <p class="actions left"><${Button} onPress=${theirs}>Take the file's text</${Button}><${Button} onPress=${mine}>Continue with mine</${Button}></p></div>`
    }
    <label class="field"><span class="field-label">${path}</span><textarea class="file-text" spellcheck="false" dir="auto" rows="20" readonly=${read_only} value=${draft} onInput=${(
      /** @type {Event} */ event,
    ) => {
      setDraft(/** @type {HTMLTextAreaElement} */ (event.currentTarget).value);
      setNote('');
    }}></textarea></label>
    <p class="actions left"><${Button} writes kind="primary" disabled=${read_only || (draft === text && base === tag) || other !== undefined} onPress=${save}>Save</${Button}>
      <${Button} disabled=${draft === text} onPress=${() => setDraft(text)}>Discard changes</${Button}><span role="status" class="muted small">${note}</span></p>
  </div>`;
}
