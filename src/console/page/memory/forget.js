// Forgetting all that a person wrote, that was written in a conversation, or that comes from somewhere: first a count, then one press, then the proof.
// @ts-check
import { useState } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { Dialog } from '#console/page/parts/dialog.js';
import { plural } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Button, Facts, Field, Section } from '#console/page/parts/ui.js';

/** @import { ContentForgotten } from '#engine/wire/sessions/content.ts' @import { MemoryForgotten } from '#engine/wire/memory/memory.ts' @import { NamedAudience } from '#console/page/people/audiences.js' */

const timeoutMs = 300_000;
/** Of the text of an entry that is shown before it is forgotten. */
const shownChars = 200;
/** Inbox and outbox, where the channels run in this process. */
const ledgerPath = '/ledger/forget';

/** @param {{ audience: string, audiences: NamedAudience[], changed: () => Promise<void> }} props */
export function Forget({ audience, audiences, changed }) {
  const isPerson = audience.startsWith('person:');
  const title = audiences.find((each) => each.audience === audience)?.title ?? audience;
  const [session, setSession] = useState('');
  const [reason, setReason] = useState('');
  const [counted, setCounted] = useState(
    /** @type {{ of: object, found: ContentForgotten } | undefined} */ (undefined),
  );
  const [proof, setProof] = useState(
    /** @type {{ done: ContentForgotten, left: ContentForgotten } | undefined} */ (undefined),
  );
  const send = (/** @type {object} */ of, /** @type {boolean} */ apply) =>
    /** @type {Promise<ContentForgotten>} */ (
      api('/content/forget', {
        method: 'POST',
        body: { of, apply, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) },
        timeoutMs,
      })
    );
  const look = (/** @type {object} */ of) => async () => {
    setProof(undefined);
    setCounted({ of, found: await send(of, false) });
  };
  const forget = async () => {
    if (counted === undefined) return;
    const done = await send(counted.of, true);
    if ('persons' in counted.of)
      await api(ledgerPath, {
        method: 'POST',
        body: { of: counted.of, apply: true, sessionIDs: done.session_ids },
        timeoutMs,
      }).catch(() => undefined); // where the channels run in this process
    setProof({ done, left: await send(counted.of, false) });
    setCounted(undefined);
    await changed();
  };
  const person = audience.slice('person:'.length);
  return html`<${Section} title="Forget a person" note=${isPerson ? `All that ${title} wrote, in memory and in conversations` : 'Choose a person under “As seen by”'}>
      <${Button} writes icon="trash" disabled=${!isPerson} onPress=${look({ persons: [person] })}>Count what would be forgotten</${Button}></${Section}>
    <${Section} title="Forget a conversation" note="By its id, as the address of its page has it">
      <div class="filters flat"><${Field} label="Conversation" placeholder="ses_…" value=${session} onInput=${setSession} />
      <${Button} writes icon="trash" disabled=${!/^ses_\w+$/.test(session.trim())} onPress=${look({ sessions: [session.trim()] })}>Count what would be forgotten</${Button}></div></${Section}>
    <${ByOrigin} audience=${audience} title=${title} changed=${changed} />
    ${proof && html`<${Proof} ...${proof} />`}
    ${
      counted &&
      html`<${Dialog} title="Forget all of this?" danger action="Forget permanently" onDo=${forget} onClose=${() => setCounted(undefined)}>
      <${Counted} found=${counted.found} /><p>It cannot be undone, and no import brings it back. Ids and times stay, so that nothing is answered twice.</p>
      <${Field} label="Reason (stored in the audit)" value=${reason} onInput=${setReason} /></${Dialog}>`
    }`;
}

/** Where memories come from, by the field of the call. */
const origins = /** @type {const} */ ([
  ['agent', 'The agent that wrote it'],
  ['person', 'The person who said it'],
  ['chat', 'The chat, by its address'],
  ['session_id', 'The session'],
  ['run_id', 'The run'],
  ['source', 'The file, folder or source'],
  ['project_id', 'The project'],
  ['from_ms', 'Written since'],
  ['until_ms', 'Written before'],
]);

/** What is remembered of one person or room, by where it comes from. @param {{ audience: string, title: string, changed: () => Promise<void> }} props */
function ByOrigin({ audience, title, changed }) {
  const [by, setBy] = useState(/** @type {string} */ (origins[0][0]));
  const [value, setValue] = useState('');
  const [found, setFound] = useState(
    /** @type {{ of: object, shown: MemoryForgotten } | undefined} */ (undefined),
  );
  const [done, setDone] = useState(/** @type {MemoryForgotten | undefined} */ (undefined));
  const isTime = by.endsWith('_ms');
  const given = value.trim();
  const send = (/** @type {object} */ of) =>
    /** @type {Promise<MemoryForgotten>} */ (api('/memory/forget', { method: 'POST', body: of, timeoutMs }));
  const look = async () => {
    setDone(undefined);
    const of = { audience, [by]: isTime ? Date.parse(given) : given };
    setFound({ of, shown: await send(of) });
  };
  const forget = async () => {
    if (found === undefined) return;
    setDone(await send({ ...found.of, apply: true }));
    setFound(undefined);
    await changed();
  };
  return html`<${Section} title="Forget by where it comes from" note=${`Of ${title}, also of the journal of agents`}>
      <div class="filters flat"><${Field} label="By" value=${by} onInput=${setBy} options=${origins} />
      <${Field} label="Which" type=${isTime ? 'date' : 'text'} value=${value} onInput=${setValue} />
      <${Button} writes icon="trash" disabled=${given === ''} onPress=${look}>Count what would be forgotten</${Button}></div></${Section}>
    ${done && html`<section class="card proof" role="status" aria-label="Proof"><p class="card-title">Forgotten</p><p>${plural(done.entries, 'entry', 'entries')}. ${done.remains.length === 0 ? 'A second look finds nothing that is left.' : done.remains.join(' ')}</p></section>`}
    ${
      found &&
      html`<${Dialog} title="Forget all of this?" danger action="Forget permanently" onDo=${forget} onClose=${() => setFound(undefined)}>
      <p>${plural(found.shown.entries, 'entry', 'entries')}${found.shown.pinned > 0 && `, ${found.shown.pinned} of them pinned`}</p>
      <ul>${found.shown.samples.map(({ id, content }) => html`<li key=${id} dir="auto">${content.slice(0, shownChars)}</li>`)}</ul>
      <p>It cannot be undone, and no import brings it back.</p></${Dialog}>`
    }`;
}

/** @param {{ found: ContentForgotten }} props */
function Counted({ found: { memories, sessions, messages, runs } }) {
  return html`<${Facts} rows=${[
    ['Memories', plural(memories, 'entry', 'entries')],
    ['Conversations', `${plural(sessions, 'conversation')} whole`],
    ['Messages', plural(messages, 'message')],
    ['Runs', `${plural(runs, 'run')}, with files and events`],
  ]} />`;
}

/** What was forgotten, and that a second look finds nothing. @param {{ done: ContentForgotten, left: ContentForgotten }} props */
function Proof({ done, left }) {
  const rest = left.memories + left.messages;
  return html`<section class="card proof" role="status" aria-label="Proof"><p class="card-title">Forgotten</p><${Counted} found=${done} />
    <p class=${rest === 0 && done.remains.length === 0 ? 'good-text' : 'bad-text'}>${rest === 0 && done.remains.length === 0 ? 'A second look finds nothing that is left.' : `Still found: ${plural(left.memories, 'memory', 'memories')}, ${plural(left.messages, 'message')}. ${done.remains.join(' ')}`}</p></section>`;
}
