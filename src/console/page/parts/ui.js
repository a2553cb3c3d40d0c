// The small parts that all pages are made of: buttons, badges, states of a list, fields, times.
// @ts-check
import { signal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { mayWrite, words } from '#console/page/data/api.js';
import { elapsed, fullDate, when } from './format.js';
import { classes, html } from './html.js';
import { Icon } from './icons.js';

/** The time by which distances are shown; moves every ten seconds. */
export const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 10_000);

/** The time to the second, for what is in progress. */
export const second = signal(Date.now());
setInterval(() => {
  if (!document.hidden) second.value = Date.now();
}, 1_000);

/** A text of ours, in which names of keys and values stand between backquotes. @param {{ text: string }} props */
export function Words({ text }) {
  return html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code key=${at}>${part}</code>` : part))}`;
}

/** How long something in progress takes, moving each second. @param {{ since: number }} props */
export function Elapsed({ since }) {
  return html`<${Badge} tone="live">${elapsed(Math.max(0, second.value - since))}</${Badge}>`;
}

/** A time near to the reader; the whole date is its title. @param {{ ms: number | null | undefined, none?: string }} props */
export function Time({ ms, none = 'never' }) {
  if (ms === null || ms === undefined) return html`<span class="muted">${none}</span>`;
  return html`<time datetime=${new Date(ms).toISOString()} title=${fullDate(ms)}>${when(ms, Math.max(now.value, Math.min(ms, Date.now())))}</time>`;
}

/**
 * A button; one that writes is disabled for viewers and says why. While what it began runs it cannot be pressed again, and the focus stays
 * on it; a failure is shown next to it.
 * @param {{ onPress: () => unknown, children?: unknown, kind?: 'primary' | 'danger' | 'quiet', icon?: string, writes?: boolean, disabled?: boolean, label?: string, title?: string }} props
 */
export function Button({ onPress, children, kind, icon, writes, disabled, label, title }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const here = useRef(true);
  useEffect(
    () => () => {
      here.current = false;
    },
    [],
  );
  const running = useRef(false);
  const press = async () => {
    if (running.current) return;
    setFailure('');
    running.current = true;
    try {
      const work = onPress();
      if (work instanceof Promise) setBusy(true);
      await work;
    } catch (error) {
      if (here.current) setFailure(words(error));
    } finally {
      running.current = false;
      if (here.current) setBusy(false);
    }
  };
  const refused = writes === true && !mayWrite();
  return html`<span class="button-place">
    <button type="button" class=${classes('button', kind, icon && !children && 'only-icon')} onClick=${press}
      disabled=${disabled || refused} aria-disabled=${busy} aria-busy=${busy} aria-label=${label}
      title=${refused ? 'Viewers read only. An owner can do this.' : (title ?? label)}>
      ${icon && html`<${Icon} name=${icon} />`}${children}
    </button>
    ${failure && html`<span class="failure-note" role="alert">${failure}</span>`}
  </span>`;
}

/** @param {{ tone?: 'good' | 'warn' | 'bad' | 'live' | 'info', children?: unknown, title?: string }} props */
export function Badge({ tone, children, title }) {
  return html`<span class=${classes('badge', tone)} title=${title}>${tone === 'live' && html`<i class="pulse"></i>`}${children}</span>`;
}

/** A list without entries: what it would show, and what to do. @param {{ title: string, children?: unknown, icon?: string, low?: boolean }} props `low`: in one line, where other parts of the page matter more. */
export function Empty({ title, children, icon = 'inbox', low }) {
  return html`<div class=${low ? 'empty low' : 'empty'}><${Icon} name=${icon} /><p class="empty-title">${title}</p>${children && html`<p>${children}</p>`}</div>`;
}

/** A page of the documentation that came with the program, which serves it. @param {{ name: string }} props */
export function DocumentLink({ name }) {
  return html`<a href=${`/console/docs/${name}`} target="_blank">docs/${name}</a>`;
}

/** What failed, why, and a way to try again; the rest of the page stays. @param {{ error: unknown, retry?: (() => unknown) | undefined }} props */
export function Failure({ error, retry }) {
  return html`<div class="failure" role="alert"><${Icon} name="warning" /><p>${words(error)}</p>
    ${retry && html`<${Button} onPress=${retry}>Try again</${Button}>`}</div>`;
}

/** Rows in the place of a list that is being read. @param {{ rows?: number, label?: string }} props */
export function Loading({ rows = 5, label = 'Loading' }) {
  return html`<div class="loading" role="status" aria-label=${label}>${Array.from({ length: rows }, (_, index) => html`<i key=${index}></i>`)}</div>`;
}

/**
 * The states of something that is read: rows while it loads, the failure, or the content; content that is there stays while a new reading
 * fails.
 * @param {{ of: { data?: unknown, error?: unknown, reload: () => unknown }, rows?: number, children: (data: any) => unknown }} props
 */
export function Loaded({ of: { data, error, reload }, rows = 5, children }) {
  if (data === undefined)
    return error === undefined
      ? html`<${Loading} rows=${rows} />`
      : html`<${Failure} error=${error} retry=${reload} />`;
  return html`${error !== undefined && html`<${Failure} error=${error} retry=${reload} />`}${children(data)}`;
}

/** A part of a page with its heading. @param {{ title: string, count?: number | undefined, actions?: unknown, children?: unknown, class?: string, note?: unknown }} props */
export function Section({ title, count, actions, children, note, ...rest }) {
  return html`<section class=${classes('section', rest.class)} aria-label=${title}>
    <header class="section-head"><h2>${title}${count !== undefined && html` <span class="count">${count}</span>`}</h2>${note && html`<p class="note">${note}</p>`}<div class="actions">${actions}</div></header>
    ${children}
  </section>`;
}

/** The head of a page. @param {{ title: unknown, children?: unknown, note?: unknown }} props */
export function Head({ title, children, note }) {
  return html`<header class="page-head"><div><h1 tabindex="-1">${title}</h1>${note && html`<p class="note">${note}</p>`}</div><div class="actions">${children}</div></header>`;
}

/**
 * A field with its label above it; with `rows` it has so many lines. What is wrong with its value is below it, and brings the focus
 * to it: each new `problem` does, also one with the same words.
 * @param {{ label: string, value: string, onInput: (value: string) => void, type?: string, placeholder?: string, options?: readonly (readonly [string, string])[], hidden?: boolean, disabled?: boolean, autocomplete?: string, rows?: number, problem?: { error?: string } | undefined, grow?: boolean }} props
 */
export function Field({
  label,
  value,
  onInput,
  type = 'text',
  placeholder,
  options,
  hidden,
  rows,
  problem,
  grow,
  ...rest
}) {
  const id = useId();
  const ref = useRef(/** @type {HTMLElement | null} */ (null));
  const error = problem?.error;
  // As the sentence is shown, not a frame later: a click in between would lose the focus again.
  useLayoutEffect(() => {
    if (error) ref.current?.focus();
  }, [problem]);
  const input = (/** @type {Event} */ event) =>
    onInput(/** @type {HTMLInputElement} */ (event.currentTarget).value);
  const its = {
    ref,
    value,
    onInput: input,
    ...rest,
    ...(error && { 'aria-invalid': true, 'aria-describedby': id }),
  };
  return html`<label class=${classes('field', grow && 'grow')}><span class=${hidden ? 'unseen' : 'field-label'}>${label}</span>
    ${
      options !== undefined
        ? html`<select ...${its}>${options.map(([name, text]) => html`<option key=${name} value=${name} selected=${name === value}>${text}</option>`)}</select>`
        : rows === undefined
          ? html`<input type=${type} placeholder=${placeholder} ...${its} />`
          : html`<textarea rows=${rows} dir="auto" ...${its}></textarea>`
    }</label>${error && html`<span id=${id} class="failure-note" role="alert">${error}</span>`}`;
}

/** Views of one page as tabs that are links, so that each has its address; on a narrow screen the open one is in sight. @param {{ label: string, children?: unknown }} props */
export function Tabs({ label, children }) {
  const tabs = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    tabs.current
      ?.querySelector('[aria-current="page"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  return html`<nav class="tabs" ref=${tabs} aria-label=${label}>${children}</nav>`;
}

/**
 * Name and value in two columns.
 * @param {{ rows: readonly (readonly [string, unknown] | false | undefined)[] }} props
 */
export function Facts({ rows }) {
  const shown = /** @type {(readonly [string, unknown])[]} */ (rows.filter(Boolean));
  return html`<dl class="facts">${shown.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
