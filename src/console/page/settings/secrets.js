// Tokens and keys: which are set and where, and a way to set them. No value is ever shown, nor sent back by the server.
// @ts-check
import { useState } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { Dialog } from '#console/page/parts/dialog.js';
import { html } from '#console/page/parts/html.js';
import { Badge, Button, Field, Loaded, Section } from '#console/page/parts/ui.js';

/** @import { SecretState } from '#engine/wire/operator/operator.ts' */

const sources = /** @type {const} */ ({
  none: [undefined, 'not set'],
  file: ['good', 'set'],
  environment: ['info', 'set by the environment'],
});

export function Secrets() {
  const list = useData(() => /** @type {Promise<SecretState[]>} */ (api('/config/secrets')), []);
  const [done, setDone] = useState('');
  const change = async (/** @type {string} */ name, /** @type {string | null} */ value) => {
    await api('/config/secrets', { method: 'PUT', body: { name, value } });
    setDone(`${name} is ${value === null ? 'removed' : 'written'}. It holds at the next start.`);
    await list.reload();
  };
  return html`<${Section} title="Secrets" count=${list.data?.length} note="Written to .env next to the config file, and never shown">
    <p role="status" class=${done ? 'notice' : 'unseen'}>${done}</p>
    <${Loaded} of=${list} rows=${3}>${(/** @type {SecretState[]} */ secrets) => html`<ul class="rows plain-list">${secrets.map((each) => html`<${Secret} key=${each.name} secret=${each} change=${change} />`)}</ul>`}</${Loaded}></${Section}>`;
}

/** @param {{ secret: SecretState, change: (name: string, value: string | null) => Promise<void> }} props */
function Secret({ secret: { name, about, source, pending }, change }) {
  const [open, setOpen] = useState('');
  const [value, setValue] = useState('');
  const close = () => {
    setOpen('');
    setValue('');
  };
  const send = async () => {
    await change(name, open === 'set' ? value : null);
    close();
  };
  const [tone, words] = sources[source];
  const title = open === 'set' ? `Set ${name}` : `Remove ${name}?`;
  return html`<li class="row secret-row"><span class="grow"><code>${name}</code> <span class="muted small">${about}</span></span>
    <${Badge} tone=${tone}>${words}</${Badge}>${pending && html`<${Badge} tone="warn">next start</${Badge}>`}
    ${
      source === 'environment'
        ? html`<span class="muted small">changed where Parley is started</span>`
        : html`<${Button} writes label=${`Set ${name}`} onPress=${() => setOpen('set')}>Set</${Button}>${source === 'file' && html`<${Button} writes kind="quiet" icon="trash" label=${`Remove ${name}`} onPress=${() => setOpen('remove')} />`}`
    }
    ${
      open &&
      html`<${Dialog} title=${title} action=${open === 'set' ? 'Write it' : 'Remove it'} danger=${open !== 'set'} onDo=${open === 'set' && value.trim() === '' ? undefined : send} onClose=${close}>
      ${open === 'set' ? html`<${Field} label=${about} type="password" value=${value} onInput=${setValue} autocomplete="off" />` : html`<p>At the next start Parley is without it.</p>`}</${Dialog}>`
    }</li>`;
}
