// People: roles, linked accounts, limits with what is used of them, pairing requests; admitted, changed and removed here.
// @ts-check
import { useState } from 'preact/hooks';
import { ApiFailure, api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { Dialog } from '#console/page/parts/dialog.js';
import { count, dollars, platformName, plural, short } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Badge, Button, Empty, Field, Head, Loaded, Section, Time } from '#console/page/parts/ui.js';
import { Uses } from '#console/page/parts/uses.js';
import { Block, Pairing } from './pairing.js';

/** @import { BlockedEntry } from '#engine/wire/channels/channel-service.ts' @import { Person, Used } from './audiences.js' @import { PendingRequest } from '#console/page/data/waiting.js'
 * @typedef {{ people: Person[], pending: PendingRequest[], others: { person: string, platform: string, userID: string, shownAs: string, used: Used, seenIn: string[] }[], blocked: BlockedEntry[], limits: Partial<Used>, assistants: { name: string, used: Used, limits: Partial<Used> }[] }} People */

const roles = /** @type {const} */ ([
  ['owner', 'Owner'],
  ['member', 'Member'],
  ['guest', 'Guest'],
]);

export function PeoplePage() {
  const people = useData(() => /** @type {Promise<People>} */ (api('/people')), [], { everyMs: 20_000 });
  const apart = people.error instanceof ApiFailure && people.error.status === 404;
  if (apart)
    return html`<${Head} title="People" /><${Empty} title="The channels run in another process" icon="people">People are looked after there: run “parley people”.</${Empty}>`;
  return html`<${Head} title="People" note=${people.data && plural(people.data.people.length, 'person', 'people')} />
    <${Loaded} of=${people}>${(
      /** @type {People} */ { people: list, pending, others, blocked, limits, assistants },
    ) => html`
      ${pending.length > 0 && html`<${Section} title="Pairing requests" count=${pending.length}><ul class="cards">${pending.map((request) => html`<li key=${request.code} class="card"><${Pairing} request=${request} done=${people.reload} /></li>`)}</ul></${Section}>`}
      <${Section} title="Admitted" count=${list.length}>
        ${list.length === 0 && html`<${Empty} title="Nobody has a name yet" icon="people">Strangers get a code when they write to the bot in private; the request appears here.</${Empty}>`}
        <ul class="cards">${list.map((person) => html`<${PersonCard} key=${person.name} person=${person} limits=${limits} reload=${people.reload} />`)}</ul></${Section}>
      ${others.length > 0 && html`<${Section} title="Other accounts" count=${others.length} note="They wrote to the bot, and have no role"><ul class="rows plain-list">${others.map((account) => html`<${Other} key=${account.person} account=${account} people=${list} limits=${limits} reload=${people.reload} />`)}</ul></${Section}>`}
      ${assistants.length > 0 && html`<${Section} title="Assistants" count=${assistants.length} note="What everyone together may use of them"><ul class="rows plain-list">${assistants.map((each) => html`<li key=${each.name} class="row other-account"><span class="cut grow" dir="auto">${each.name}</span><${Used24} used=${each.used} limits=${each.limits} /></li>`)}</ul></${Section}>`}
      ${blocked.length > 0 && html`<${Section} title="Blocked" count=${blocked.length} note="They are answered nothing"><ul class="rows plain-list">${blocked.map((account) => html`<${Blocked} key=${account.person} account=${account} reload=${people.reload} />`)}</ul></${Section}>`}`}</${Loaded}>`;
}

/** @param {{ account: BlockedEntry, reload: () => Promise<void> }} props */
function Blocked({ account: { platform, userID, shownAs, blockedAtMs }, reload }) {
  const unblock = async () => {
    await api('/people/unblock', { method: 'POST', body: { account: `${platform}:${userID}` } });
    await reload();
  };
  return html`<li class="row other-account"><span class="cut" dir="auto">${shownAs}</span><span class="muted">${platformName(platform)}</span><span class="muted cut grow">${userID}</span><span class="muted small">since <${Time} ms=${blockedAtMs} /></span>
    <${Button} writes label=${`Unblock ${shownAs} on ${platformName(platform)}`} onPress=${unblock}>Unblock</${Button}></li>`;
}

/** An account that nobody has: admitted as someone new, or joined to a person. @param {{ account: People['others'][number], people: readonly Person[], limits: Partial<Used>, reload: () => Promise<void> }} props */
function Other({ account: { platform, userID, shownAs, used, seenIn }, people, limits, reload }) {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState(shownAs.slice(0, 40));
  const [person, setPerson] = useState('');
  const [role, setRole] = useState('member');
  const admit = async () => {
    const as = person === '' ? { name: name.trim() || undefined, role } : { name: person, samePerson: true };
    await api('/people/admit', { method: 'POST', body: { account: `${platform}:${userID}`, ...as } });
    await reload();
  };
  const who = [['', 'Someone new'], ...people.map((each) => [each.name, each.name])];
  return html`<li class="row other-account"><span class="cut" dir="auto">${shownAs}</span><span class="muted">${platformName(platform)}</span><span class="muted cut grow">${userID}</span><${Used24} used=${used} limits=${limits} /><${SeenIn} rooms=${seenIn} />
    ${
      open
        ? html`<div class="filters flat"><${Field} label="Belongs to" value=${person} options=${who} onInput=${setPerson} />${person === '' && html`<${Field} label="Name" value=${name} onInput=${setName} /><${Field} label="Role" value=${role} options=${roles} onInput=${setRole} />`}<${Button} writes kind="primary" onPress=${admit}>${person === '' ? 'Admit' : 'Join'}</${Button}><${Button} onPress=${() => setOpen(false)}>Cancel</${Button}></div>`
        : html`<span class="actions"><${Button} writes label=${`Admit or join ${shownAs} on ${platformName(platform)}`} onPress=${() => setOpen(true)}>Admit or join</${Button}><${Block} account=${`${platform}:${userID}`} who=${`${shownAs} on ${platformName(platform)}`} done=${reload} /></span>`
    }</li>`;
}

/** The rooms in which someone was seen last, by their names. @param {{ rooms: readonly string[] }} props */
function SeenIn({ rooms }) {
  if (rooms.length === 0) return null;
  return html`<p class="seen-in muted small">seen in ${rooms.map((title, at) => html`<span key=${title}>${at > 0 && ', '}<bdi>${title}</bdi></span>`)}</p>`;
}

/** What someone used within the last day, and of which limits; owners have none. @param {{ used: Used, limits: Partial<Used> }} props */
function Used24({ used: { messages, tokens, costUSD }, limits }) {
  return html`<${Uses} rows=${[
    ['messages in 24 h', messages, limits.messages, count],
    ['tokens', tokens, limits.tokens, short],
    ['cost', costUSD, limits.costUSD, dollars],
  ]} />`;
}

/** @param {{ person: Person, limits: Partial<Used>, reload: () => Promise<void> }} props */
function PersonCard({ person: { name, role, inConfig, sinceMs, accounts, used, seenIn }, limits, reload }) {
  const [asks, setAsks] = useState(
    /** @type {{ title: string, path: string, words: string } | undefined} */ (undefined),
  );
  const path = `/people/${encodeURIComponent(name)}`;
  const setRole = async (/** @type {string} */ to) => {
    await api(path, { method: 'PATCH', body: { role: to } });
    await reload();
  };
  const remove = async () => {
    if (asks === undefined) return;
    await api(asks.path, { method: 'DELETE' });
    setAsks(undefined);
    await reload();
  };
  return html`<li class="card person"><div class="card-title"><span class="cut" dir="auto">${name}</span>${inConfig && html`<${Badge} title="Named in the configuration, and changed there">from the configuration</${Badge}>`}
      <span class="actions">${inConfig ? html`<${Badge} tone=${role === 'owner' ? 'info' : undefined}>${role ?? 'no role'}</${Badge}>` : html`<${RoleField} role=${role ?? 'guest'} setRole=${setRole} />`}
      ${!inConfig && html`<${Button} writes icon="trash" label=${`Remove ${name}`} onPress=${() => setAsks({ title: `Remove ${name}?`, path, words: `${name} loses the role and ${plural(accounts.length, 'account')}; after that they are strangers. What they wrote stays remembered.` })} />`}</span></div>
    <ul class="accounts">${accounts.map(
      ({
        platform,
        userID,
        shownAs,
        by,
      }) => html`<li key=${platform + userID}><span>${platformName(platform)}</span><span class="cut" dir="auto">${shownAs || userID}</span><span class="muted small">by ${by === 'link' ? 'their own code' : by === 'config' ? 'the configuration' : 'approval'}</span>
      ${by !== 'config' && html`<${Button} writes kind="quiet" icon="trash" label=${`Unlink ${platformName(platform)} ${shownAs || userID}`} onPress=${() => setAsks({ title: 'Unlink this account?', path: `${path}/accounts/${encodeURIComponent(`${platform}:${userID}`)}`, words: `The ${platformName(platform)} account ${shownAs || userID} no longer belongs to ${name}.` })} />`}</li>`,
    )}</ul>
    <${Used24} used=${used} limits=${role === 'owner' ? {} : limits} /><${SeenIn} rooms=${seenIn} />
    <p class="muted small">since <${Time} ms=${sinceMs} />${role === 'owner' && ', without limits'}</p>
    ${asks && html`<${Dialog} title=${asks.title} action="Remove" danger onDo=${remove} onClose=${() => setAsks(undefined)}><p>${asks.words}</p></${Dialog}>`}</li>`;
}

/** @param {{ role: string, setRole: (role: string) => Promise<void> }} props */
function RoleField({ role, setRole }) {
  const [wanted, setWanted] = useState(role);
  return html`<${Field} hidden label="Role" value=${wanted} options=${roles} onInput=${setWanted} />${wanted !== role && html`<${Button} writes kind="primary" onPress=${() => setRole(wanted)}>Change</${Button}>`}`;
}
