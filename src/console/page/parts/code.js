// Code with its words in colour. What the highlighter does not know is shown in one colour.
// @ts-check

import bash from '@speed-highlight/core/languages/bash.js';
import css from '@speed-highlight/core/languages/css.js';
import diff from '@speed-highlight/core/languages/diff.js';
import json from '@speed-highlight/core/languages/json.js';
import python from '@speed-highlight/core/languages/py.js';
import sql from '@speed-highlight/core/languages/sql.js';
import typescript from '@speed-highlight/core/languages/ts.js';
import yaml from '@speed-highlight/core/languages/yaml.js';
import { tokenizeWith } from '@speed-highlight/core/tokenize';
import { useMemo } from 'preact/hooks';
import { html } from './html.js';

/** @type {Readonly<Record<string, any>>} */
const languages = {
  ...{ bash, sh: bash, shell: bash, css, diff, json, py: python, python, sql, yaml, yml: yaml },
  ...{ ts: typescript, typescript, tsx: typescript, js: typescript, javascript: typescript, jsx: typescript },
};
/** Longer code is shown in one colour: looking through it would hold the page up. */
const limit = 20_000;

/** @param {{ text: string, language?: string | undefined, label?: string }} props */
export function Code({ text, language = '', label = 'Code' }) {
  const pieces = useMemo(() => {
    const known = languages[language.toLowerCase().split(/[\s{]/)[0] ?? ''];
    if (known === undefined || text.length > limit) return [text];
    /** @type {unknown[]} */
    const found = [];
    tokenizeWith(text, known, (/** @type {string} */ piece, /** @type {string | undefined} */ type) => {
      if (piece !== '')
        found.push(type === undefined ? piece : html`<span class=${`code-${type}`}>${piece}</span>`);
    });
    return found;
  }, [text, language]);
  return html`<pre class="code" tabindex="0" aria-label=${language === '' ? label : `${label} (${language})`} role="group"><code>${pieces}</code></pre>`;
}

/** A value as JSON. @param {{ value: unknown, label?: string }} props */
export function Json({ value, label }) {
  return html`<${Code} text=${typeof value === 'string' ? value : JSON.stringify(value, null, 2)} language=${typeof value === 'string' ? '' : 'json'} label=${label} />`;
}
