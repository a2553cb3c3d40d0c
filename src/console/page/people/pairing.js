// A stranger who asks to be admitted, and the two answers.
// @ts-check
import { useState } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { Dialog } from '#console/page/parts/dialog.js';
import { platformName } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Badge, Button, Field, Time } from '#console/page/parts/ui.js';

/** @import { PendingRequest } from '#console/page/data/waiting.js' */

/** @param {{ request: PendingRequest, done: () => unknown }} props */
export function Pairing({ request, done }) {
  const { code, platform, looksLike, userID, expiresAtMs } = request;
  const [name, setName] = useState(request.name.slice(0, 100));
  const [role, setRole] = useState('member');
  const approve = async () => {
    await api('/people/approve', { method: 'POST', body: { code, name: name.trim() || undefined, role } });
    await done();
  };
  const deny = async () => {
    await api('/people/deny', { method: 'POST', body: { code } });
    await done();
  };
  return html`<p class="card-title"><${Badge} tone="info">Pairing request</${Badge}> <span class="cut"><b dir="auto">${request.name || userID}</b> on ${platformName(platform)}</span></p>
    ${looksLike.length > 0 && html`<p class="warn-text small">The name looks like ${looksLike.join(', ')}. Ask them before you approve.</p>`}
    <p class="muted small">account ${userID} · code ${code}${expiresAtMs !== undefined && html`, expires <${Time} ms=${expiresAtMs} />`}</p>
    <div class="filters flat"><${Field} label="Name" value=${name} onInput=${setName} />
      <${Field} label="Role" value=${role} onInput=${setRole} options=${[['member', 'Member'], ['guest', 'Guest'], ['owner', 'Owner']]} />
      <${Button} writes kind="primary" onPress=${approve}>Admit</${Button}><${Button} writes onPress=${deny} title="No new code for 30 days">Turn away</${Button}><${Block} account=${`${platform}:${userID}`} who=${`${request.name || userID} on ${platformName(platform)}`} done=${done} /></div>`;
}

/** Asks once, and then answers an account nothing any more. @param {{ account: string, who: string, done: () => unknown }} props */
export function Block({ account, who, done }) {
  const [asks, setAsks] = useState(false);
  const block = async () => {
    await api('/people/block', { method: 'POST', body: { account } });
    setAsks(false);
    await done();
  };
  return html`<${Button} writes label=${`Block ${who}`} onPress=${() => setAsks(true)}>Block</${Button}>
    ${asks && html`<${Dialog} title=${`Block ${who}?`} action="Block" danger onDo=${block} onClose=${() => setAsks(false)}><p>The account is answered nothing, and nothing of what it writes is stored. It is not told. Unblock it on the page “People”.</p></${Dialog}>`}`;
}
