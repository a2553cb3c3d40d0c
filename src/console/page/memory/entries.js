// All that one audience remembers, the newest first; each entry can be forgotten, with its proof.
// @ts-check
import { useState } from 'preact/hooks';
import { ApiFailure, api } from '#console/page/data/api.js';
import { command } from '#console/page/data/called-as.js';
import { useCursor, useSettled } from '#console/page/data/paged.js';
import { Dialog } from '#console/page/parts/dialog.js';
import { cut, plural } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Button, Empty, Field, Loaded } from '#console/page/parts/ui.js';
import { VirtualList } from '#console/page/parts/virtual-list.js';
import { MemoryEntry } from './entry.js';

/** @import { MemoryEntries } from '#engine/wire/memory/memory.ts' @import { MemoryCorrected } from '#engine/wire/memory/memory-govern.ts' @typedef {MemoryEntries['items'][number]} Entry */

const size = 100;

/** @param {{ audience: string, changed: () => Promise<void> }} props */
export function Entries({ audience, changed }) {
  const [words, setWords] = useState('');
  const [wrong, setWrong] = useState(/** @type {Entry | undefined} */ (undefined));
  const [doomed, setDoomed] = useState(/** @type {Entry | undefined} */ (undefined));
  const [proof, setProof] = useState('');
  const wanted = useSettled(words.trim());
  const list = useCursor(
    async (/** @type {string | undefined} */ after) => {
      /** @type {MemoryEntries} */
      const { items, next } = await api('/memory', { query: { audience, q: wanted, limit: size, after } });
      return { items, next: next ?? undefined };
    },
    [audience, wanted],
  );
  const forget = async (/** @type {Entry} */ entry, /** @type {string} */ reason) => {
    const { traces } = /** @type {{ traces: number }} */ (
      await api(`/memory/${encodeURIComponent(entry.id)}`, {
        method: 'DELETE',
        query: { audience, reason: reason.trim() || undefined },
      })
    );
    setDoomed(undefined);
    setProof(await proofOf(entry.id, audience, traces));
    list.drop(({ id }) => id === entry.id);
    await changed();
  };
  const correct = async (/** @type {Entry} */ entry, /** @type {string} */ content) => {
    /** @type {MemoryCorrected} */
    const { status, version } = await api(`/memory/${encodeURIComponent(entry.id)}`, {
      method: 'PATCH',
      body: { audience, content },
    });
    setWrong(undefined);
    setProof(
      status === 'stored'
        ? `Corrected. Version ${version} holds now; the former ones stay readable.`
        : `Nothing was changed: ${status}.`,
    );
    await list.reload();
    await changed();
  };
  return html`<div class="filters"><${Field} hidden label="Only entries with these words" type="search" placeholder="Only entries with these words" value=${words} onInput=${setWords} /></div>
    ${proof && html`<p class="notice" role="status">${proof}</p>`}
    <${Loaded} of=${list}>${(/** @type {Entry[]} */ items) =>
      items.length === 0
        ? html`<${Empty} title=${wanted ? 'No entry has these words' : 'Nothing is remembered here yet'} icon="memory">${wanted ? 'Try fewer words.' : 'What is written to the bot is remembered after it was answered.'}</${Empty}>`
        : html`<div class="tall"><${VirtualList} items=${items} keyOf=${keyOf} label="Entries" estimate=${96} onEnd=${list.more}>${(/** @type {Entry} */ entry) => html`<div class="spaced"><ul class="cards"><${MemoryEntry} entry=${entry} actions=${html`${correctable(entry) && html`<${Button} writes kind="quiet" icon="edit" label="Correct this entry" onPress=${() => setWrong(entry)} />`}<${Button} writes kind="quiet" icon="trash" label="Forget this entry" onPress=${() => setDoomed(entry)} />`} /></ul></div>`}</${VirtualList}></div>`}</${Loaded}>
    ${wrong && html`<${CorrectOne} entry=${wrong} correct=${correct} close=${() => setWrong(undefined)} />`}
    ${doomed && html`<${ForgetOne} entry=${doomed} forget=${forget} close=${() => setDoomed(undefined)} />`}`;
}

const keyOf = (/** @type {Entry} */ { id }) => id;

/** Records have versions; what was said, or stands in a file, is corrected where it was written. @param {Entry} entry */
const correctable = ({ source_type }) => !['exchange', 'turn', 'document'].includes(source_type);

/** @param {{ entry: Entry, correct: (entry: Entry, content: string) => Promise<void>, close: () => void }} props */
function CorrectOne({ entry, correct, close }) {
  const [text, setText] = useState(entry.content);
  const same = text.trim() === '' || text.trim() === entry.content;
  return html`<${Dialog} wide title="Correct this entry" action="Write a new version" onDo=${same ? undefined : () => correct(entry, text.trim())} onClose=${close}>
    <${Field} label="What holds now" rows=${6} value=${text} onInput=${setText} />
    <p>The new version takes the place of this one wherever it is found. The former ones stay readable in its history.</p></${Dialog}>`;
}

/** Asks for the entry again: the answer that it was forgotten is the proof. @param {string} id @param {string} audience @param {number} traces */
async function proofOf(id, audience, traces) {
  try {
    await api(`/memory/${encodeURIComponent(id)}`, { query: { audience } });
    return 'The entry is still there. Try again, and look at the log.';
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 410) throw error;
    return traces === 0
      ? `Forgotten. ${error.message}`
      : `Forgotten, but ${plural(traces, 'word')} of it ${traces === 1 ? 'is' : 'are'} still in a file that another program reads. Run “${command('doctor')}”.`;
  }
}

/** @param {{ entry: Entry, forget: (entry: Entry, reason: string) => Promise<void>, close: () => void }} props */
function ForgetOne({ entry, forget, close }) {
  const [reason, setReason] = useState('');
  return html`<${Dialog} title="Forget this entry?" action="Forget 1 entry" danger onDo=${() => forget(entry, reason)} onClose=${close}>
    <blockquote dir="auto">${cut(entry.content, 300)}</blockquote>
    <p>One entry goes, with its full text, its vector, its versions and all that was made of it. No import brings it back. This cannot be undone.</p>
    <${Field} label="Reason (stored in the audit)" value=${reason} onInput=${setReason} />
  </${Dialog}>`;
}
