// Who read, changed or forgot what one audience remembers: ids and times, never texts.
// @ts-check
import { api } from '#console/page/data/api.js';
import { useData } from '#console/page/data/data.js';
import { plural } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Badge, Empty, Loaded, Time } from '#console/page/parts/ui.js';
import { VirtualList } from '#console/page/parts/virtual-list.js';

/** @import { MemoryAuditPage } from '#engine/wire/memory/memory-govern.ts' @typedef {MemoryAuditPage['events'][number]} Line */

/** @param {{ audience: string }} props */
export function Audit({ audience }) {
  const audit = useData(
    () =>
      /** @type {Promise<MemoryAuditPage>} */ (api('/memory/audit', { query: { audience, limit: 1000 } })),
    [audience],
  );
  return html`<${Loaded} of=${audit}>${(/** @type {MemoryAuditPage} */ { events }) =>
    events.length === 0
      ? html`<${Empty} title="The audit has no lines of this audience" icon="clock">Reading, changing and forgetting leave a line here.</${Empty}>`
      : html`<div class="rows tall"><${VirtualList} items=${events} keyOf=${keyOf} label="Audit" estimate=${42}>${row}</${VirtualList}></div>`}</${Loaded}>`;
}

const keyOf = (/** @type {Line} */ { audit_id }) => audit_id;
const row = (/** @type {Line} */ { action, actor, at_ms, memory_ids, detail }) =>
  html`<div class="row"><${Badge} tone=${action === 'forget' ? 'bad' : undefined}>${action}</${Badge}><span class="cut audit-what">${[detail.how, detail.reason].filter(Boolean).join(' · ') || plural(memory_ids.length, 'entry', 'entries')}</span><span class="muted cut">${actor}</span><${Time} ms=${at_ms} /></div>`;
