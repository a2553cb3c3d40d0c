// The configuration in use, and its file with an editor that shows every difference before anything is written.
// @ts-check
import { useState } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { Dialog } from '#console/page/parts/dialog.js';
import { plural } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Badge, Button, Empty, Field, Loaded, Section, Time } from '#console/page/parts/ui.js';
import { ConfigForm } from './config-form.js';
import { Secrets } from './secrets.js';

/** @import { Configuration as Config, ConfigurationCheck, ConfigurationWritten } from '#engine/wire/operator/operator.ts' */

export function Configuration() {
  const config = useData(() => /** @type {Promise<Config>} */ (api('/config')), []);
  // beyond the editor, which begins anew with what was written
  const [done, setDone] = useState('');
  return html`<${Loaded} of=${config}>${(/** @type {Config} */ data) => html`
    ${data.error && html`<p class="failure" role="alert">The file cannot be used as it is now, and the values below still hold. ${data.error}</p>`}
    ${data.pendingRestart.length > 0 && html`<p class="notice">These hold at the next start: ${data.pendingRestart.join(', ')}</p>`}
    <${Editor} key=${data.tag} config=${data} reload=${config.reload} done=${done} setDone=${setDone} />
    <${Secrets} />
    <${Keys} config=${data} />`}</${Loaded}>`;
}

/** What was typed and is not written, for this tab; another file than the one that it was begun from takes its place. */
const draftKey = 'parley-config-draft';

/** @param {{ text: string, tag: string }} file @returns {[string, (text: string) => void]} */
function useDraft({ text, tag }) {
  const [draft, setDraft] = useState(() => {
    const kept = JSON.parse(sessionStorage.getItem(draftKey) ?? 'null');
    return kept?.tag === tag ? /** @type {string} */ (kept.text) : text;
  });
  const put = (/** @type {string} */ to) => {
    if (to === text) sessionStorage.removeItem(draftKey);
    else sessionStorage.setItem(draftKey, JSON.stringify({ tag, text: to }));
    setDraft(to);
  };
  return [draft, put];
}

/** @param {{ config: Config, reload: () => Promise<void>, done: string, setDone: (sentence: string) => void }} props `done`: what became of the last change. */
function Editor({ config: { file, text, tag, exists, readAtMs, keys }, reload, done, setDone }) {
  const [draft, setDraft] = useDraft({ text, tag });
  const [checked, setChecked] = useState(/** @type {ConfigurationCheck | undefined} */ (undefined));
  const look = async () => {
    setDone('');
    setChecked(await api('/config/check', { method: 'POST', body: { text: draft } }));
  };
  const write = async () => {
    /** @type {ConfigurationWritten} */
    const written = await api('/config', { method: 'PUT', body: { text: draft, tag } });
    setChecked(undefined);
    sessionStorage.removeItem(draftKey);
    setDone(
      written.pendingRestart.length === 0
        ? 'Written. It holds now.'
        : `Written. At the next start hold: ${written.pendingRestart.join(', ')}.`,
    );
    await reload();
  };
  const isChanged = draft !== text;
  return html`<${ConfigForm} keys=${keys} draft=${draft} setDraft=${setDraft} />
    <${Section} title="File" note=${html`<code>${file}</code>${exists ? html`, read <${Time} ms=${readAtMs} />` : ', not there yet: all values are defaults'}`}>
    <label class="field"><span class="unseen">Text of the config file</span><textarea class="file-text" rows="12" spellcheck="false" value=${draft} onInput=${(/** @type {Event} */ event) => setDraft(/** @type {HTMLTextAreaElement} */ (event.currentTarget).value)}></textarea></label>
    <p class=${`actions left gap${isChanged ? ' sticky' : ''}`}><${Button} writes kind="primary" disabled=${!isChanged} onPress=${look}>Show what changes</${Button}>
      <${Button} disabled=${!isChanged} onPress=${() => setDraft(text)}>Discard changes</${Button}><span role="status" class="muted small">${isChanged ? 'Not written yet; it stays here while you look elsewhere.' : done}</span></p>
    ${checked && html`<${Difference} checked=${checked} write=${write} close=${() => setChecked(undefined)} />`}</${Section}>`;
}

/** @param {{ checked: ConfigurationCheck, write: () => Promise<void>, close: () => void }} props */
function Difference({ checked: { problems, changes }, write, close }) {
  const usable = problems.length === 0;
  return html`<${Dialog} wide title=${usable ? 'Write this to the file?' : 'This cannot be used'} action="Write the file" onDo=${usable ? write : undefined} onClose=${close}>
    ${problems.map((problem) => html`<p key=${problem} class="failure">${problem}</p>`)}
    ${usable && changes.length === 0 && html`<p>No value changes; the file is written as you typed it.</p>`}
    ${
      usable &&
      changes.length > 0 &&
      html`<p>${plural(changes.length, 'value')} ${changes.length === 1 ? 'changes' : 'change'}:</p><div class="table-place" tabindex="0" role="group" aria-label="Changes"><table><thead><tr><th scope="col">Key</th><th scope="col">Before</th><th scope="col">After</th><th scope="col">Holds</th></tr></thead>
      <tbody>${changes.map(({ key, from, to, live }) => html`<tr key=${key}><td><code>${key}</code></td><td><del><code>${shown(from)}</code></del></td><td><ins><code>${shown(to)}</code></ins></td><td>${live ? 'at once' : 'at the next start'}</td></tr>`)}</tbody></table></div>`
    }
  </${Dialog}>`;
}

/** @param {{ config: Config }} props */
function Keys({ config: { keys, pendingRestart } }) {
  const [text, setText] = useState('');
  const [which, setWhich] = useState('file');
  const found = keys.filter(
    ({ key, description, source }) =>
      `${key} ${description}`.toLowerCase().includes(text.toLowerCase()) &&
      (which === 'all' || source === 'file'),
  );
  return html`<${Section} title="Values in use" count=${found.length}>
    <div class="filters"><${Field} hidden label="Search keys" type="search" placeholder="Search keys" value=${text} onInput=${setText} />
      <${Field} hidden label="Which" value=${which} options=${[['file', 'Set in the file'], ['all', 'All, with defaults']]} onInput=${setWhich} /></div>
    ${
      found.length === 0
        ? html`<${Empty} low title="No key fits">${which === 'file' ? 'Nothing of this is set in the file. Choose “All, with defaults”.' : 'Search for a part of a key, like “memory”.'}</${Empty}>`
        : html`<div class="rows table-place" tabindex="0" role="group" aria-label="Values in use"><table class="whole"><thead><tr><th scope="col">Key</th><th scope="col">Value</th><th scope="col">Default</th><th scope="col">From</th></tr></thead>
        <tbody>${found.map(({ key, value, default: usual, source, live }) => html`<tr key=${key}><td><code>${key}</code></td><td><code>${shown(value)}</code></td><td class="muted"><code>${shown(usual)}</code></td><td>${source === 'file' ? html`<${Badge} tone="info">file</${Badge}>` : html`<${Badge}>default</${Badge}>`} ${pendingRestart.includes(key) ? html`<${Badge} tone="warn">next start</${Badge}>` : !live && html`<${Badge} title="A change holds at the next start">restart</${Badge}>`}</td></tr>`)}</tbody></table></div>`
    }
  </${Section}>`;
}

/** @param {unknown} value */
function shown(value) {
  if (value === null || value === undefined) return '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
