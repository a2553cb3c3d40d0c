// The configuration as a form: its keys in groups with what they mean, their bounds and defaults. It changes the text of the file, which is checked and written next to it.
// @ts-check
import { useEffect, useRef, useState } from 'preact/hooks';
import { plural } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { route } from '#console/page/parts/router.js';
import { Badge, Button, Empty, Field, Section, Words } from '#console/page/parts/ui.js';

/** @import { Configuration } from '#engine/wire/operator/operator.ts' @typedef {Configuration['keys'][number]} Key @typedef {Record<string, any>} JsonObject */

/** @param {{ keys: readonly Key[], draft: string, setDraft: (text: string) => void }} props */
export function ConfigForm({ keys, draft, setDraft }) {
  // the setting that was jumped to
  const wanted = route.value.query.get('key') ?? '';
  const [text, setText] = useState(wanted);
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  useEffect(() => {
    if (wanted === '') return;
    const field = box.current?.querySelector(`[data-key="${CSS.escape(wanted)}"]`);
    /** @type {HTMLElement | null | undefined} */ (field?.querySelector('input, select, textarea'))?.focus();
  }, [wanted]);
  const words = text.trim().toLowerCase();
  const file = parsed(draft);
  const found = keys.filter(({ key, description }) => `${key} ${description}`.toLowerCase().includes(words));
  const groups = Map.groupBy(found, ({ key }) =>
    key.includes('.') ? (key.split('.')[0] ?? key) : 'general',
  );
  const put = (/** @type {string} */ key) => (/** @type {unknown} */ value) =>
    setDraft(`${JSON.stringify(changed(file ?? {}, key.split('.'), value), null, 2)}\n`);
  return html`<${Section} title="Settings" count=${found.length} note="Nothing is written before you have seen what changes">
    <div class="filters"><${Field} hidden label="Search settings" type="search" placeholder="Search names and descriptions" value=${text} onInput=${setText} /></div>
    ${file === undefined && html`<p class="failure" role="alert">The text of the file is no JSON object: correct it below, or discard its changes.</p>`}
    ${found.length === 0 && html`<${Empty} low title="No setting fits">Search for a part of a name or of its description, like “memory” or “proxy”.</${Empty}>`}
    ${file !== undefined && html`<div ref=${box}>${[...groups].map(([name, all]) => html`<${Group} key=${name} name=${name} all=${all} open=${words.length > 1} file=${file} put=${put} />`)}</div>`}
  </${Section}>`;
}

/** Its fields are there once it is open. @param {{ name: string, all: readonly Key[], open: boolean, file: JsonObject, put: (key: string) => (value: unknown) => void }} props */
function Group({ name, all, open, file, put }) {
  const [pressed, setPressed] = useState(false);
  const set = all.filter(({ key }) => valueAt(file, key) !== undefined).length;
  const shown = open || pressed;
  return html`<details class="card config-group" open=${shown} onToggle=${(/** @type {Event} */ event) => setPressed(/** @type {HTMLDetailsElement} */ (event.currentTarget).open)}>
    <summary><b>${name}</b> <span class="muted small">${plural(all.length, 'setting')}${set > 0 && `, ${set} set`}</span></summary>
    ${shown && html`<div class="config-fields">${all.map((each) => html`<${Setting} key=${each.key} of=${each} now=${valueAt(file, each.key)} put=${put(each.key)} />`)}</div>`}</details>`;
}

/** @param {{ of: Key, now: unknown, put: (value: unknown) => void }} props `now`: what the text of the file says; undefined where it says nothing. */
function Setting({ of: { key, description, schema, default: usual, live }, now, put }) {
  return html`<div class="config-field" data-key=${key}>
    <${Control} label=${key} schema=${schema} value=${now} usual=${usual} put=${put} />
    <p class="small"><${Words} text=${description} /></p>
    <p class="muted small">${boundsOf(schema)}default ${usual === null ? 'none' : html`<code>${JSON.stringify(usual)}</code>`} · <${Badge}>${live ? 'at once' : 'at the next start'}</${Badge}>
      ${now !== undefined && html` <${Button} kind="quiet" label=${`Use the default of ${key}`} onPress=${() => put(undefined)}>Use the default</${Button}>`}</p></div>`;
}

/** A field that fits the schema: choices, a number, a text, or JSON for lists and objects. @param {{ label: string, schema: JsonObject, value: unknown, usual: unknown, put: (value: unknown) => void }} props */
function Control({ label, schema, value, usual, put }) {
  const [typed, setTyped] = useState(/** @type {string | undefined} */ (undefined));
  const [problem, setProblem] = useState(/** @type {{ error: string } | undefined} */ (undefined));
  const choices = schema.type === 'boolean' ? [true, false] : schema.enum;
  if (choices !== undefined) {
    const options = [
      ['', `Default${usual === null ? '' : ` (${usual})`}`],
      ...choices.map((/** @type {unknown} */ each) => [String(each), String(each)]),
    ];
    const choose = (/** @type {string} */ text) =>
      put(choices.find((/** @type {unknown} */ each) => String(each) === text));
    return html`<${Field} label=${label} value=${value === undefined ? '' : String(value)} options=${options} onInput=${choose} />`;
  }
  const isText = schema.type === 'string';
  const isNumber = schema.type === 'number' || schema.type === 'integer';
  const shown =
    value === undefined ? '' : isText || isNumber ? String(value) : JSON.stringify(value, null, 2);
  const input = (/** @type {string} */ text) => {
    setTyped(text);
    const read = text.trim() === '' ? { value: undefined } : readValue(text, { schema, isText, isNumber });
    setProblem('error' in read ? { error: read.error ?? '' } : undefined);
    if ('value' in read) put(read.value);
  };
  const placeholder = usual === null ? '' : isText || isNumber ? String(usual) : JSON.stringify(usual);
  const more = isNumber
    ? {
        type: 'number',
        min: schema.minimum,
        max: schema.maximum,
        step: schema.type === 'integer' ? 1 : 'any',
      }
    : isText
      ? {}
      : { rows: 3 };
  return html`<${Field} label=${label} value=${problem === undefined ? shown : (typed ?? shown)} placeholder=${placeholder} onInput=${input} problem=${problem} ...${more} />`;
}

/** @param {string} text @param {{ schema: JsonObject, isText: boolean, isNumber: boolean }} of @returns {{ value?: unknown, error?: string }} */
function readValue(text, { schema, isText, isNumber }) {
  if (isText) return { value: text };
  if (isNumber) {
    const value = Number(text);
    if (schema.type === 'integer' && !Number.isInteger(value)) return { error: 'Expected a whole number.' };
    if (value < schema.minimum || value > schema.maximum || value <= schema.exclusiveMinimum)
      return { error: `Expected a number ${boundsOf(schema).replace(' · ', '')}.` };
    return { value };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { error: 'Expected JSON, like ["a", "b"].' };
  }
}

/** @param {JsonObject} schema */
function boundsOf({ minimum, maximum, exclusiveMinimum }) {
  if (exclusiveMinimum !== undefined)
    return `above ${exclusiveMinimum}${maximum === undefined ? '' : `, at most ${maximum}`} · `;
  if (minimum === undefined && maximum === undefined) return '';
  const far = Number.MAX_SAFE_INTEGER;
  return maximum === undefined || maximum >= far
    ? `from ${minimum} · `
    : `from ${minimum ?? 0} to ${maximum} · `;
}

/** @param {string} text @returns {JsonObject | undefined} */
function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** @param {unknown} value @param {string} key */
const valueAt = (value, key) =>
  key
    .split('.')
    .reduce(
      (here, name) => (typeof here === 'object' && here !== null ? Reflect.get(here, name) : undefined),
      value,
    );

/** The same with another value there; undefined takes the key out, and objects that are empty then. @param {JsonObject} of @param {readonly string[]} path @param {unknown} value @returns {JsonObject} */
function changed(of, [name = '', ...rest], value) {
  const inner = of[name];
  const next =
    rest.length === 0
      ? value
      : changed(
          typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : {},
          rest,
          value,
        );
  const { [name]: _, ...others } = of;
  const isGone =
    next === undefined || (rest.length > 0 && Object.keys(/** @type {object} */ (next)).length === 0);
  if (isGone) return others;
  return name in of ? { ...of, [name]: next } : { ...others, [name]: next };
}
