// Work: what the agents of all people left in the journal, by project and agent: what is open as a board, decisions, lessons, and the latest sessions.
// @ts-check
import { useState } from 'preact/hooks';
import { api, me } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { useCursor } from '#console/page/data/paged.js';
import { Dialog } from '#console/page/parts/dialog.js';
import { cut, plural } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { LongText, Markdown } from '#console/page/parts/markdown.js';
import { addressOf, Link, route, setQuery } from '#console/page/parts/router.js';
import {
  Badge,
  Button,
  DocumentLink,
  Empty,
  Field,
  Head,
  Loaded,
  Section,
  Tabs,
  Time,
} from '#console/page/parts/ui.js';
import { useAudiences } from '#console/page/people/audiences.js';

/**
 * @import { JournalSettled, MemoryJournal } from '#engine/wire/memory/memory-journal.ts' @import { NamedAudience } from '#console/page/people/audiences.js'
 * @typedef {MemoryJournal['entries'][number]} Entry
 * @typedef {{ audiences: string, project: string | undefined, agent: string | undefined }} Narrowed
 * @typedef {{ narrowed: Narrowed, titleOf: (audience: string) => string | undefined }} ViewProps
 */

/** Entries that one request reads. */
const size = 100;

const views = /** @type {const} */ ([
  ['open', 'Open', Board],
  ['decisions', 'Decisions', Decisions],
  ['lessons', 'Lessons', Lessons],
  ['recap', 'Recap', Recap],
]);

export function WorkPage() {
  const { pieces, query } = route.value;
  const name = pieces[1] ?? 'open';
  const View = views.find(([each]) => each === name)?.[2] ?? Board;
  const whose = useAudiences();
  const [of, project, agent] = ['of', 'project', 'agent'].map((each) => query.get(each) ?? undefined);
  const narrowed = { audiences: of ?? 'all', project, agent };
  const places = useData(
    async () =>
      (await read({ ...narrowed, project: undefined, agent: undefined }, { with: 'places', limit: 1 }))
        .places ?? [],
    [narrowed.audiences],
  );
  const names = (/** @type {'project_id' | 'agent'} */ field) => [
    ...new Set(places.data?.flatMap((place) => place[field] ?? [])),
  ];
  const choice = (
    /** @type {string} */ all,
    /** @type {string[]} */ known,
    /** @type {string | undefined} */ chosen,
  ) => [
    ['', all],
    ...(chosen && !known.includes(chosen) ? [chosen, ...known] : known).map((each) => [each, each]),
  ];
  const titles = new Map(whose.data?.map((each) => [each.audience, each.title]));
  // whose it is goes without saying where one person or room was chosen
  const titleOf = (/** @type {string} */ audience) => (of === undefined ? titles.get(audience) : undefined);
  return html`<${Head} title="Work" note="What agents left open, decided and learned" />
    <${Tabs} label="Views of work">${views.map(([each, title]) => html`<${Link} key=${each} to=${addressOf(['work', each], { of, project, agent })} current=${each === name}>${title}</${Link}>`)}</${Tabs}>
    <div class="filters"><${Field} label="Of" value=${of ?? ''} options=${[['', 'Everyone'], ...owners(whose.data ?? [])]} onInput=${(/** @type {string} */ to) => setQuery({ of: to, project: undefined, agent: undefined })} />
      <${Field} label="Project" value=${project ?? ''} options=${choice('All projects', names('project_id'), project)} onInput=${(/** @type {string} */ to) => setQuery({ project: to })} />
      <${Field} label="Agent" value=${agent ?? ''} options=${choice('All agents', names('agent'), agent)} onInput=${(/** @type {string} */ to) => setQuery({ agent: to })} /></div>
    <${Loaded} of=${whose}>${() => html`<${View} key=${JSON.stringify(narrowed)} narrowed=${narrowed} titleOf=${titleOf} />`}</${Loaded}>`;
}

/** Persons with all their accounts, then rooms and others, each with the audiences that are theirs. @param {readonly NamedAudience[]} all */
function owners(all) {
  const groups = Map.groupBy(all, ({ person, title }) => person ?? title);
  return [...groups].map(([title, of]) => [of.map(({ audience }) => audience).join(','), title]);
}

/** @param {Narrowed} narrowed @param {Record<string, string | number | undefined>} more @returns {Promise<MemoryJournal>} */
const read = (narrowed, more) => api('/memory/journal', { query: { ...narrowed, limit: size, ...more } });

/** Pages of the entries that a view shows. @param {Narrowed} narrowed @param {{ kind: string, status?: string }} of */
const useEntries = (narrowed, of) => {
  const [hasMore, setMore] = useState(false);
  const list = useCursor(
    async (/** @type {string | undefined} */ before) => {
      const { entries, next } = await read(narrowed, { ...of, before });
      setMore(next !== null);
      return { items: entries, next: next ?? undefined };
    },
    [JSON.stringify([narrowed, of])],
  );
  return {
    ...list,
    rest:
      hasMore &&
      html`<p class="actions left"><${Button} onPress=${list.more}>Show older entries</${Button}></p>`,
  };
};

/** @type {readonly [title: string, isIn: (entry: Entry) => boolean][]} */
const columns = [
  ['Open threads', ({ kind, status }) => kind === 'thread' && status === 'open'],
  ['Next steps', ({ kind, status }) => kind === 'step' && status === 'pending'],
  ['Parked', ({ status }) => status === 'parked'],
];

/** What is open, what comes next and what is set aside, side by side; each is settled or answered where it stands. @param {ViewProps} props */
function Board({ narrowed, titleOf }) {
  const [asked, setAsked] = useState(
    /** @type {{ entry: Entry, how: keyof typeof ways } | undefined} */ (undefined),
  );
  const [notice, setNotice] = useState('');
  const list = useEntries(narrowed, { kind: 'thread,step', status: 'open,pending,parked' });
  const settle = async (/** @type {string} */ note) => {
    if (asked === undefined) return;
    const { entry, how } = asked;
    const { id, audience, title, agent } = entry;
    const body = { audience, action: ways[how].action, note: note.trim() || undefined, by: me.value?.name };
    /** @type {JournalSettled} */
    const settled = await api(`/memory/journal/${encodeURIComponent(id)}`, { method: 'PATCH', body });
    setAsked(undefined);
    setNotice(chosenIn(settled) ?? `${ways[how].done(agent)} ${cut(title, 100)}`);
    await list.reload();
  };
  return html`${notice && html`<p class="notice" role="status" dir="auto">${notice}</p>`}
    <${Loaded} of=${list}>${(/** @type {Entry[]} */ entries) =>
      entries.length === 0
        ? html`<${Empty} title="Nothing is open" icon="check">Threads and next steps that agents leave when they close a session over MCP appear here: see <${DocumentLink} name="mcp.md" />.</${Empty}>`
        : html`<div class="board">${columns.map(([title, isIn]) => {
            const shown = entries.filter(isIn);
            return html`<${Section} key=${title} title=${title} count=${shown.length}>${shown.length === 0 ? html`<p class="muted small">None.</p>` : byPlace(shown, (entry) => html`<${Card} key=${entry.id} entry=${entry} titleOf=${titleOf} actions=${html`<${Actions} entry=${entry} ask=${(/** @type {keyof typeof ways} */ how) => setAsked({ entry, how })} />`} />`)}</${Section}>`;
          })}</div>${list.rest}`}</${Loaded}>
    ${asked && html`<${Settle} entry=${asked.entry} way=${ways[asked.how]} settle=${settle} close=${() => setAsked(undefined)} />`}`;
}

/** What an answer to a question about two memories did; undefined for any other entry. @param {JournalSettled} settled */
function chosenIn({ holds, superseded = [], choices }) {
  const shown = (/** @type {NonNullable<JournalSettled['holds']>} */ { text, source, at }) =>
    `${cut(text, 200)} (${source}, ${at.slice(0, 10)})`;
  if (holds !== undefined)
    return `This holds now: ${shown(holds)}. It takes the place of: ${superseded.map(shown).join('; ')}`;
  return (
    choices &&
    `Both memories stand: ${choices.map((side, index) => `${index + 1}. ${shown(side)}`).join('; ')}. Answer with the number of the one that holds.`
  );
}

/** What a person does with an entry: the words of its button and dialog, and what was done then. */
const ways = {
  done: { action: 'resolved', title: 'Mark as done', note: 'How (optional)', done: () => 'Done:' },
  answer: {
    action: 'answered',
    title: 'Answer',
    note: 'Answer',
    done: (/** @type {string} */ agent) => `${agent} reads your answer in its next bundle:`,
  },
  park: { action: 'parked', title: 'Set aside', note: 'Why (optional)', done: () => 'Set aside:' },
  reopen: { action: 'carried_on', title: 'Open again', note: 'Why (optional)', done: () => 'Open again:' },
  drop: { action: 'dropped', title: 'Drop', note: 'Why (optional)', done: () => 'Dropped:' },
};

/** @param {{ entry: Entry, ask: (how: keyof typeof ways) => void }} props */
function Actions({ entry: { status, title }, ask }) {
  const button = (/** @type {keyof typeof ways} */ how, /** @type {string} */ text) =>
    html`<${Button} writes kind="quiet" title=${`${ways[how].title}: ${cut(title, 80)}`} onPress=${() => ask(how)}>${text}</${Button}>`;
  return html`<p class="actions left">${button('done', 'Done')}${button('answer', 'Answer')}${status === 'parked' ? button('reopen', 'Open again') : button('park', 'Park')}${button('drop', 'Drop')}</p>`;
}

/** @param {{ entry: Entry, way: (typeof ways)[keyof typeof ways], settle: (note: string) => Promise<void>, close: () => void }} props */
function Settle({ entry, way, settle, close }) {
  const [note, setNote] = useState('');
  const isReady = way.action !== 'answered' || note.trim() !== '';
  return html`<${Dialog} title=${way.title} action=${way.title} onDo=${isReady ? () => settle(note) : undefined} onClose=${close}>
    <p dir="auto"><b>${cut(entry.title, 300)}</b></p>
    ${entry.text && html`<div class="said"><${Markdown} text=${cut(entry.text, 1_000)} /></div>`}
    <${Field} label=${way.note} rows=${3} value=${note} onInput=${setNote} />
    <p class="muted small">${entry.agent} reads it when it wakes the next time.</p></${Dialog}>`;
}

/** @param {ViewProps} props */
function Decisions({ narrowed, titleOf }) {
  return html`<${Listed} list=${useEntries(narrowed, { kind: 'decision' })} titleOf=${titleOf} none="Nothing was decided yet" />`;
}

/** @param {ViewProps} props */
function Lessons({ narrowed, titleOf }) {
  return html`<${Listed} list=${useEntries(narrowed, { kind: 'lesson', status: 'active' })} titleOf=${titleOf} none="Nothing was learned yet" />`;
}

/** @param {{ list: ReturnType<typeof useEntries>, titleOf: ViewProps['titleOf'], none: string }} props */
function Listed({ list, titleOf, none }) {
  return html`<${Loaded} of=${list}>${(/** @type {Entry[]} */ entries) =>
    entries.length === 0
      ? html`<${Empty} title=${none} icon="clock">Agents write it over MCP, and the assistant where people say it in a chat: see <${DocumentLink} name="mcp.md" />.</${Empty}>`
      : html`${byPlace(entries, (entry) => html`<${Card} key=${entry.id} entry=${entry} titleOf=${titleOf} />`)}${list.rest}`}</${Loaded}>`;
}

/** The latest session of each agent in each project, and how much is open there. @param {ViewProps} props */
function Recap({ narrowed, titleOf }) {
  const sessions = useEntries(narrowed, { kind: 'session' });
  const open = useEntries(narrowed, { kind: 'thread,step', status: 'open,pending' });
  return html`<${Loaded} of=${sessions}>${(/** @type {Entry[]} */ entries) => {
    if (entries.length === 0)
      return html`<${Empty} title="No session was closed yet" icon="clock">Agents that work over MCP close their sessions here: see <${DocumentLink} name="mcp.md" />.</${Empty}>`;
    const latest = [...Map.groupBy(entries, placeOf).values()].flatMap(([first]) => first ?? []);
    return html`${byPlace(latest, (entry) => {
      const left = open.data?.filter((each) => placeOf(each) === placeOf(entry)).length ?? 0;
      const to = addressOf(['work', 'open'], {
        of: route.value.query.get('of') ?? undefined,
        project: entry.project_id ?? undefined,
        agent: entry.agent,
      });
      return html`<${Card} key=${entry.id} entry=${entry} titleOf=${titleOf} actions=${left > 0 && html`<p><${Link} to=${to}>${plural(left, 'thread or step', 'threads and steps')} open</${Link}></p>`} />`;
    })}${sessions.rest}`;
  }}</${Loaded}>`;
}

/** @param {Pick<Entry, 'project_id' | 'agent'>} entry */
const placeOf = ({ project_id, agent }) => `${project_id ?? 'No project'} · ${agent}`;

/** Entries in groups of one project and agent, the group with the newest first. @param {readonly Entry[]} entries @param {(entry: Entry) => unknown} show */
function byPlace(entries, show) {
  return [...Map.groupBy(entries, placeOf)].map(
    ([place, group]) =>
      html`<section key=${place} class="place" aria-label=${place}><h3 class="cut" dir="auto">${place}</h3><div class="cards">${group.map(show)}</div></section>`,
  );
}

/** @param {{ entry: Entry, titleOf: ViewProps['titleOf'], actions?: unknown }} props */
function Card({
  entry: { kind, title, text, status, note, key, tags, pinned, audience, created_at_ms },
  titleOf,
  actions,
}) {
  const whose = titleOf(audience);
  const isParked = status === 'parked';
  return html`<article class="card"><p class="card-title">${isParked && html`<${Badge}>${kind}</${Badge}>`}${pinned && html`<${Badge} tone="info">pinned</${Badge}>`}<b class="grow" dir="auto">${title}</b></p>
    ${text && html`<div class="memory-text" dir="auto">${text.length > 2_000 ? html`<${LongText} text=${text} />` : html`<${Markdown} text=${text} />`}</div>`}
    ${note && html`<div class="said"><${Markdown} text=${note} /></div>`}
    <p class="muted small">${whose && html`${whose} · `}${key && html`key ${key} · `}${tags.length > 0 && `${tags.map((tag) => `#${tag}`).join(' ')} · `}<${Time} ms=${created_at_ms} /></p>
    ${actions}</article>`;
}
