// What agents wrote into the work journal of one audience: sessions with their decisions, open threads, lessons and builds.
// @ts-check
import { useState } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { useCursor, useSettled } from '#console/page/data/paged.js';
import { html } from '#console/page/parts/html.js';
import { LongText, Markdown } from '#console/page/parts/markdown.js';
import { Badge, DocumentLink, Empty, Field, Loaded, Time } from '#console/page/parts/ui.js';
import { VirtualList } from '#console/page/parts/virtual-list.js';

/** @import { MemoryJournal } from '#engine/wire/memory/memory-journal.ts' @typedef {MemoryJournal['entries'][number]} Entry */

const kinds = /** @type {const} */ ([
  ['', 'All kinds'],
  ['session', 'Sessions'],
  ['decision', 'Decisions'],
  ['thread', 'Threads'],
  ['step', 'Next steps'],
  ['context', 'Key context'],
  ['lesson', 'Lessons'],
  ['touchstone', 'Touchstones'],
  ['conversation', 'Conversations'],
  ['build', 'Builds'],
  ['project_entry', 'Project entries'],
]);
const size = 50;
/** What is settled is done; the rest asks for something. */
const open = ['open', 'pending', 'active', 'planned'];

/** @param {{ audience: string }} props */
export function Journal({ audience }) {
  const [kind, setKind] = useState('');
  const [typed, setTyped] = useState('');
  const agent = useSettled(typed.trim());
  const list = useCursor(
    async (/** @type {string | undefined} */ before) => {
      /** @type {MemoryJournal} */
      const { entries, next } = await api('/memory/journal', {
        query: { audience, kind, agent, before, limit: size },
      });
      return { items: entries, next: next ?? undefined };
    },
    [audience, kind, agent],
  );
  return html`<div class="filters"><${Field} hidden label="Kind" value=${kind} options=${kinds} onInput=${setKind} />
      <${Field} hidden label="Agent" type="search" placeholder="Agent" value=${typed} onInput=${setTyped} /></div>
    <${Loaded} of=${list}>${(/** @type {Entry[]} */ entries) =>
      entries.length === 0
        ? html`<${Empty} title=${kind || agent ? 'No entry fits' : 'The journal is empty'} icon="clock">${kind || agent ? 'Choose another kind, or leave the agent out.' : html`Agents that work over MCP close their sessions here: see <${DocumentLink} name="mcp.md" />.`}</${Empty}>`
        : html`<div class="tall"><${VirtualList} items=${entries} keyOf=${keyOf} label="Journal" estimate=${110} onEnd=${list.more}>${row}</${VirtualList}></div>`}</${Loaded}>`;
}

const keyOf = (/** @type {Entry} */ { id }) => id;
const row = (/** @type {Entry} */ { kind, title, text, status, agent, project_id, created_at_ms }) =>
  html`<div class="spaced"><article class="card"><p class="card-title"><${Badge}>${kind.replace('_', ' ')}</${Badge}>${status && html`<${Badge} tone=${open.includes(status) ? 'warn' : undefined}>${status}</${Badge}>`} <b class="cut grow" dir="auto">${title}</b></p>
    ${text && html`<div class="memory-text" dir="auto">${text.length > 2_000 ? html`<${LongText} text=${text} />` : html`<${Markdown} text=${text} />`}</div>`}
    <p class="muted small">by ${agent}${project_id && html` · project ${project_id}`} · <${Time} ms=${created_at_ms} /></p></article></div>`;
