// Who asked what, where: the line that stands for a run in lists, on cards and on its own page.
// @ts-check
import { html } from '#console/page/parts/html.js';
import { placeText } from '#console/page/parts/place.js';

/** @import { Run } from '#engine/wire/runs/run.ts' @typedef {Pick<Run, 'question' | 'person' | 'place' | 'helper'>} Asked */

/** `Ann · #engine-room · Harbour crew · Discord`, as text. @param {Asked | null | undefined} asked */
export function whoText(asked) {
  if (asked === null || asked === undefined) return '';
  const { person, place, helper } = asked;
  if (helper !== undefined) return `Agent ${helper}`;
  if (place === undefined) return placeText(undefined);
  const room = !place.chat.split(':')[1]?.startsWith('dm');
  return room && person ? `${person} · ${placeText(place)}` : placeText({ ...place, person });
}

/** The same with the question, in one line each. @param {{ asked: Asked | null | undefined }} props */
export function AskedLines({ asked }) {
  return html`<span class="small muted cut" dir="auto">${whoText(asked) || '\u00a0'}</span><span class="cut asked" dir="auto">${asked?.question ?? '\u00a0'}</span>`;
}
