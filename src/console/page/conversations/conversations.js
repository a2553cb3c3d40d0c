// Conversations: the list with its filters, and next to it the one that is open.
// @ts-check

import { liveRuns } from '#console/page/data/live-runs.js';
import { usePaged, useSettled } from '#console/page/data/paged.js';
import { cut, plural } from '#console/page/parts/format.js';
import { classes, html } from '#console/page/parts/html.js';
import { agentOf, placeText } from '#console/page/parts/place.js';
import { addressOf, Link, route, setQuery } from '#console/page/parts/router.js';
import { Empty, Field, Head, Loaded, Time } from '#console/page/parts/ui.js';
import { VirtualList } from '#console/page/parts/virtual-list.js';
import { Conversation } from './conversation.js';

/** @import { WireSession } from '#engine/wire/sessions/message.ts' */

const platforms = /** @type {const} */ ([
  ['', 'All platforms'],
  ['discord', 'Discord'],
  ['telegram', 'Telegram'],
  ['slack', 'Slack'],
  ['terminal', 'Terminal'],
]);
const days = /** @type {const} */ ([
  ['', 'Any time'],
  ['1', 'Last day'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
]);
const dayMs = 86_400_000;

export function ConversationsPage() {
  const { pieces, query } = route.value;
  const open = pieces[1];
  return html`<div class=${classes('split', open && 'open')}>
    <div class="split-list"><${List} open=${open} query=${query} /></div>
    <div class="split-page">${open === undefined ? html`<${Empty} title="No conversation is open" icon="conversations">Choose one from the list to read it.</${Empty}>` : html`<${Conversation} key=${open} id=${open} message=${query.get('message') ?? undefined} />`}</div>
  </div>`;
}

/** @param {{ open: string | undefined, query: URLSearchParams }} props */
function List({ open, query }) {
  const value = (/** @type {string} */ name) => query.get(name) ?? '';
  const put = (/** @type {string} */ name) => (/** @type {string} */ text) => setQuery({ [name]: text });
  const text = useSettled(value('text'));
  const person = useSettled(value('person'));
  const room = useSettled(value('room'));
  const agent = useSettled(value('agent'));
  const from =
    value('days') === ''
      ? undefined
      : Math.floor((Date.now() - Number(value('days')) * dayMs) / 60_000) * 60_000;
  const sessions = usePaged(
    '/session',
    {
      order: 'updated',
      text,
      person,
      platform: value('platform'),
      chat: value('chat'),
      room,
      agent,
      from_ms: from,
      archived: value('archived') || 'false',
    },
    {
      keyOf,
      on: ({ type }) =>
        ['session.updated', 'session.run.started', 'session.run.finished', 'session.deleted'].includes(type),
    },
  );
  const filtered = [...query].some(([name, text]) => name !== 'message' && text !== '');
  return html`<${Head} title="Conversations" note=${sessions.data && plural(sessions.total, 'conversation')} />
    <div class="filters">
      <${Field} hidden label="Search what was written" type="search" placeholder="Search what was written" value=${value('text')} onInput=${put('text')} />
      <${Field} hidden label="Person" type="search" placeholder="Person" value=${value('person')} onInput=${put('person')} />
      <${Field} hidden label="Room" type="search" placeholder="Room" value=${value('room')} onInput=${put('room')} />
      <${Field} hidden label="Assistant" type="search" placeholder="Assistant" value=${value('agent')} onInput=${put('agent')} />
      <${Field} hidden label="Platform" value=${value('platform')} options=${platforms} onInput=${put('platform')} />
      <${Field} hidden label="Time" value=${value('days')} options=${days} onInput=${put('days')} />
      <${Field} hidden label="Archive" value=${value('archived')} options=${[['', 'Active'], ['true', 'Archived'], ['all', 'All']]} onInput=${put('archived')} />
      ${value('chat') && html`<span class="badge" dir="auto">${chatTitle(value('chat'), sessions.data)} <button type="button" class="text-button" onClick=${() => setQuery({ chat: undefined })}>show all</button></span>`}
    </div>
    <${Loaded} of=${sessions} rows=${8}>${(/** @type {WireSession[]} */ data) =>
      data.length === 0
        ? html`<${Empty} title=${filtered ? 'No conversation fits' : 'There are no conversations yet'}>${filtered ? 'Change the search or the filters.' : 'Write to the bot on a platform; the conversation appears here.'}</${Empty}>`
        : html`<div class="list-place"><${VirtualList} items=${text ? byRoom(data) : data} keyOf=${keyOf} label="Conversations" estimate=${text ? 150 : 62} onEnd=${sessions.more} focus=${undefined}>${(/** @type {Listed} */ session) => html`<${Row} session=${session} current=${session.id === open} query=${query} several=${severalAnswer(data)} />`}</${VirtualList}></div>`}</${Loaded}>`;
}

/** The chat of a filter, as its conversations call it. @param {string} chat @param {WireSession[] | undefined} sessions */
function chatTitle(chat, sessions) {
  const place = sessions?.find((each) => each.place?.chat === chat)?.place;
  return placeText(place ?? { chat, names: namesAbove(sessions?.[0]?.place) });
}

/** The names of the room that a thread is in. @param {WireSession['place']} place */
const namesAbove = (place) => place && { ...place.names, thread: undefined };

/** @typedef {WireSession & { room?: string }} Listed `room`: the heading above the first one of a room. */
const keyOf = (/** @type {Listed} */ { id }) => id;

/** Conversations of a room follow each other, the room with the newest one first. @param {readonly WireSession[]} sessions @returns {Listed[]} */
function byRoom(sessions) {
  const rooms = Map.groupBy(sessions, ({ place }) =>
    placeText(place && { ...place, names: { ...place.names, thread: undefined } }),
  );
  return [...rooms].flatMap(([room, all]) => all.map((each, at) => (at === 0 ? { ...each, room } : each)));
}

/** @param {readonly WireSession[]} sessions */
const severalAnswer = (sessions) => new Set(sessions.flatMap(({ place }) => place?.agent ?? [])).size > 1;

/** @param {{ session: Listed, current: boolean, query: URLSearchParams, several: boolean }} props `several`: more than one assistant answers in the list. */
function Row({ session, current, query, several }) {
  const { id, title, place, time, archived, found = [], room } = session;
  const live = [...liveRuns.value.values()].some(({ sessionID }) => sessionID === id);
  return html`${room && html`<p class="entry-room" dir="auto">${room}</p>`}<${Link} to=${addressOf(['conversations', id], { ...Object.fromEntries(query), message: undefined })} class="entry" current=${current}>
    <span class="entry-title">${live && html`<i class="pulse live-dot" title="A run is in progress"></i>`}<span class="cut" dir="auto">${cut(title, 200)}</span></span>
    <span class="entry-note">${found.length === 0 && html`<span class="cut">${placeText(place)}</span>`}${several && place?.agent && html`<span class="badge" dir="auto" title="The assistant that answers there">${place.agent}</span>`}${agentOf(session) && html`<span class="badge" title="An agent of a mission works in it">agent ${agentOf(session)}</span>`}${archived && html`<span class="badge">archived</span>`}${found.length === 0 && html`<${Time} ms=${time.updated * 1000} />`}</span>
  </${Link}>
  ${found.map(({ messageID, name, atMs, before, match, after }) => html`<${Link} key=${messageID} to=${addressOf(['conversations', id], { ...Object.fromEntries(query), message: messageID })} class="entry-found" title="Open this message"><span dir="auto"><b>${name ?? place?.agent ?? 'Parley'}</b> <${Time} ms=${atMs} /> ${before}<mark>${match}</mark>${after}</span></${Link}>`)}`;
}
