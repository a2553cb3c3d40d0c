// Tokens by which programs read memory over MCP for a person or an agent; made and revoked here.
// @ts-check
import { useState } from 'preact/hooks';
import { ApiFailure, api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { html } from '#console/page/parts/html.js';
import { Badge, Button, Empty, Field, Loaded, Section, Time } from '#console/page/parts/ui.js';

/** @typedef {{ id: string, person?: string, agent?: string, readOnly: boolean, createdAtMs: number, expiresAtMs?: number, revokedAtMs?: number, usedAtMs?: number }} Token */

export function Tokens() {
  const list = useData(() => /** @type {Promise<Token[]>} */ (api('/tokens')), []);
  if (list.error instanceof ApiFailure && list.error.status === 404)
    return html`<${Empty} title="The channels run in another process" icon="people">Tokens are looked after there: run “parley token”.</${Empty}>`;
  return html`<${Section} title="Tokens of programs" count=${list.data?.length} note=${html`For the Model Context Protocol at <code>${location.origin}/mcp</code>`}><${Loaded} of=${list} rows=${2}>${(
    /** @type {Token[]} */ tokens,
  ) =>
    tokens.length === 0
      ? html`<${Empty} low title="No program has a token" icon="tool">A token lets a program read what one person or one agent may read.</${Empty}>`
      : html`<ul class="rows plain-list">${tokens.map((each) => html`<${TokenRow} key=${each.id} token=${each} reload=${list.reload} />`)}</ul>`}</${Loaded}></${Section}>
    <${NewToken} reload=${list.reload} />`;
}

/** @param {{ token: Token, reload: () => Promise<void> }} props */
function TokenRow({ token, reload }) {
  const { id, person, agent, readOnly, createdAtMs, expiresAtMs, revokedAtMs, usedAtMs } = token;
  const state = revokedAtMs ? 'revoked' : expiresAtMs && expiresAtMs < Date.now() ? 'expired' : undefined;
  const revoke = async () => {
    await api(`/tokens/${encodeURIComponent(id)}`, { method: 'DELETE' });
    await reload();
  };
  return html`<li class="row sign-in-row"><span class="grow"><b>${person ?? `agent ${agent}`}</b> ${readOnly && html`<${Badge}>reads only</${Badge}> `}${state && html`<${Badge} tone="warn">${state}</${Badge}>`}<span class="muted small agent">${id}</span></span>
    <span class="muted small">made <${Time} ms=${createdAtMs} />, used <${Time} ms=${usedAtMs} />, until <${Time} ms=${expiresAtMs} none="it is revoked" /></span>${!state && html`<${Button} writes onPress=${revoke} label=${`Revoke the token of ${person ?? agent}`}>Revoke</${Button}>`}</li>`;
}

/** @param {{ reload: () => Promise<void> }} props */
function NewToken({ reload }) {
  const [of, setOf] = useState('person');
  const [name, setName] = useState('');
  const [may, setMay] = useState('read');
  const [secret, setSecret] = useState('');
  const make = async () => {
    const body = { [of]: name.trim(), readOnly: may === 'read', expiresInDays: 90 };
    /** @type {{ secret: string }} */
    const made = await api('/tokens', { method: 'POST', body });
    setSecret(made.secret);
    await reload();
  };
  return html`<${Section} title="A new token" note="It expires after 90 days">
    <div class="filters flat"><${Field} label="For" value=${of} options=${[['person', 'A person'], ['agent', 'An agent']]} onInput=${setOf} /><${Field} label="Name" value=${name} onInput=${setName} />
    <${Field} label="It may" value=${may} options=${[['read', 'Read'], ['write', 'Read and write']]} onInput=${setMay} /><${Button} writes disabled=${name.trim() === ''} onPress=${make}>Make it</${Button}></div>
    ${secret && html`<p class="notice link-text" role="status">Shown only now: <code>${secret}</code></p>`}</${Section}>`;
}
