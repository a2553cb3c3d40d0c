// The browsers that are signed in: seen and ended here, and links for new ones.
// @ts-check
import { useState } from 'preact/hooks';
import { api, me } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { html } from '#console/page/parts/html.js';
import { Badge, Button, Field, Loaded, Section, Time } from '#console/page/parts/ui.js';

/** @import { SignIn, SignInLink } from '#engine/wire/operator/sign-in.ts' */

/** Browsers and systems by what they say of themselves; the first that fits, since most name others too. */
const browsers = /** @type {const} */ ([
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]);
const systems = /** @type {const} */ ([
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]);

/** `Chrome on Linux`; what says something else stands as it is. @param {string} agent */
function browserOf(agent) {
  const named = [browsers, systems].map((all) => all.find(([form]) => form.test(agent))?.[1]);
  return named.every((each) => each !== undefined) ? named.join(' on ') : agent;
}

export function SignIns() {
  const list = useData(() => /** @type {Promise<SignIn[]>} */ (api('/sign-ins')), [], { everyMs: 20_000 });
  const [link, setLink] = useState('');
  const [role, setRole] = useState('viewer');
  const [name, setName] = useState('');
  const end = async (/** @type {string} */ id) => {
    await api(`/sign-ins/${encodeURIComponent(id)}`, { method: 'DELETE' });
    if (id === me.value?.id) me.value = null;
    else await list.reload();
  };
  const make = async () => {
    /** @type {SignInLink} */
    const made = await api('/sign-in/link', {
      method: 'POST',
      body: { role, ...(name.trim() === '' ? {} : { name: name.trim() }) },
    });
    setLink(location.origin + made.path);
  };
  return html`<${Section} title="Signed in"><${Loaded} of=${list} rows=${2}>${(
    /** @type {SignIn[]} */ signIns,
  ) =>
    html`<ul class="rows plain-list">${signIns.map(
      ({
        id,
        role: as,
        name: of,
        agent,
        lastSeenAtMs,
        expiresAtMs,
      }) => html`<li key=${id} class="row sign-in-row">
      <span class="grow"><b>${of}</b> <${Badge} tone=${as === 'owner' ? 'info' : undefined}>${as}</${Badge}>${id === me.value?.id && html` <${Badge} tone="good">this browser</${Badge}>`}<span class="muted small agent" title=${agent}>${browserOf(agent)}</span></span>
      <span class="muted small">seen <${Time} ms=${lastSeenAtMs} />, until <${Time} ms=${expiresAtMs} /></span><${Button} writes onPress=${() => end(id)} label=${`End the sign-in of ${of}`}>End</${Button}></li>`,
    )}</ul>`}</${Loaded}></${Section}>
    <${Section} title="A link for another browser" note="It works once, for five minutes">
      <div class="filters flat"><${Field} label="For" placeholder="Name" value=${name} onInput=${setName} /><${Field} label="Role" value=${role} options=${[['viewer', 'Viewer: reads open rooms'], ['owner', 'Owner: everything']]} onInput=${setRole} /><${Button} writes onPress=${make}>Make a link</${Button}></div>
      ${link && html`<p class="notice link-text" role="status"><code>${link}</code></p>`}</${Section}>`;
}
