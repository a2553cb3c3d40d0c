// A stranger who asks to be admitted, and the two answers.
// @ts-check
import { useState } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
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
      <${Button} writes kind="primary" onPress=${approve}>Admit</${Button}><${Button} writes onPress=${deny}>Turn away</${Button}></div>`;
}
