// Where a conversation is, as text.
// @ts-check
import { placeTitle } from '#engine/wire/channels/place-title.ts';
import { cut } from './format.js';

/** @import { TitledPlace } from '#engine/wire/channels/place-title.ts' */

/** The room by its name, or the person of a direct message, with the platform. @param {TitledPlace | undefined} place */
export function placeText(place) {
  return place === undefined ? 'API' : placeTitle({ ...place, person: cut(place.person ?? '', 60) });
}

/** The agent of a mission that works in a session; undefined in those of people. @param {{ sourceMetadata?: Record<string, unknown> | undefined }} session */
export function agentOf({ sourceMetadata }) {
  const { instanceID, templateID } = sourceMetadata ?? {};
  return instanceID === undefined ? undefined : String(templateID);
}

/**
 * Options whose titles are all different: those that are called alike show the end of what they stand for.
 * @param {readonly (readonly [value: string, title: string])[]} options
 * @returns {[value: string, title: string][]}
 */
export function distinct(options) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const [, title] of options) times.set(title, (times.get(title) ?? 0) + 1);
  return options.map(([value, title]) => [
    value,
    times.get(title) === 1 ? title : `${title} (…${value.replace(/(:-)+$/, '').slice(-6)})`,
  ]);
}
