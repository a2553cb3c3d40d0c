// Who asked what, where: the line that stands for a run in lists, on cards and on its own page.
// @ts-check
import { cut } from '#console/page/parts/format.js';
import { html } from '#console/page/parts/html.js';
import { askedTitle } from '#engine/wire/channels/place-title.ts';

/** @import { Run } from '#engine/wire/runs/run.ts' @typedef {Pick<Run, 'question' | 'person' | 'place' | 'helper'>} Asked */

/** `Ann · #engine-room · Harbour crew · Discord`, as text. @param {Asked | null | undefined} asked */
export function whoText(asked) {
  return asked === null || asked === undefined
    ? ''
    : askedTitle({ ...asked, person: cut(asked.person ?? '', 60) });
}

/** The same with the question, in one line each. @param {{ asked: Asked | null | undefined }} props */
export function AskedLines({ asked }) {
  return html`<span class="small muted cut" dir="auto">${whoText(asked) || '\u00a0'}</span><span class="cut asked" dir="auto">${asked?.question ?? '\u00a0'}</span>`;
}
