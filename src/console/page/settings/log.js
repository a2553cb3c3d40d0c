// The log as it is written, with filters; it stops moving while a person reads further up.
// @ts-check
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '#console/page/data/api.js';
import { fullDate, timeWithSeconds } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { Badge, Empty, Failure, Field, Loading } from '#console/page/parts/ui.js';
import { VirtualList } from '#console/page/parts/virtual-list.js';

/** @import { LogLines } from '#engine/wire/operator/operator.ts' @typedef {LogLines['lines'][number]} Line */

const everyMs = 1_500;
const most = 5_000;
const levels = /** @type {const} */ (['trace', 'debug', 'info', 'warn', 'error', 'fatal']);
const tones = /** @type {const} */ ({ warn: 'warn', error: 'bad', fatal: 'bad' });

export function Log() {
  const [lines, setLines] = useState(/** @type {Line[] | undefined} */ (undefined));
  const [error, setError] = useState(/** @type {unknown} */ (undefined));
  const [level, setLevel] = useState('trace');
  const [text, setText] = useState('');
  const last = useRef(0);
  const read = async () => {
    try {
      /** @type {LogLines} */
      const fresh = await api('/log', { query: { after: last.current } });
      last.current = fresh.last;
      setError(undefined);
      setLines((old = []) => (fresh.lines.length === 0 ? old : [...old, ...fresh.lines].slice(-most)));
    } catch (failure) {
      setError(failure);
    }
  };
  useEffect(() => {
    void read();
    const timer = setInterval(() => {
      if (!document.hidden) void read();
    }, everyMs);
    return () => clearInterval(timer);
  }, []);
  const wanted = text.trim().toLowerCase();
  const found = lines?.filter(
    (line) =>
      levels.indexOf(line.level) >= levels.indexOf(/** @type {any} */ (level)) &&
      (wanted === '' || `${line.message} ${JSON.stringify(line.fields)}`.toLowerCase().includes(wanted)),
  );
  return html`<div class="filters"><${Field} hidden label="Search the log" type="search" placeholder="Search the log" value=${text} onInput=${setText} />
      <${Field} hidden label="Level" value=${level} options=${levels.map((name) => [name, name === 'trace' ? 'All levels' : `${name} and above`])} onInput=${setLevel} /></div>
    ${error !== undefined && html`<${Failure} error=${error} retry=${read} />`}
    ${found === undefined && error === undefined && html`<${Loading} />`}
    ${found?.length === 0 && html`<${Empty} title=${lines?.length === 0 ? 'Nothing was logged since the start' : 'No line fits'} icon="clock">${lines?.length === 0 ? 'What is logged from the level of “log.level” on appears here.' : 'Change the search or the level.'}</${Empty}>`}
    ${found !== undefined && found.length > 0 && html`<div class="rows tall"><${VirtualList} items=${found} keyOf=${keyOf} label="Log" estimate=${30} stick>${row}</${VirtualList}></div>`}`;
}

const keyOf = (/** @type {Line} */ { seq }) => String(seq);
const row = (/** @type {Line} */ { atMs, level, message, fields }) =>
  html`<div class="log-line"><span class="muted" title=${fullDate(atMs)}>${timeWithSeconds(atMs)}</span><${Badge} tone=${tones[/** @type {keyof typeof tones} */ (level)]}>${level}</${Badge}><span>${message} <span class="muted">${Object.keys(fields).length === 0 ? '' : JSON.stringify(fields)}</span></span></div>`;
