// Where a conversation is, as text.
// @ts-check
import { cut, platformName } from './format.js';

/** @import { WireSession } from '#engine/wire/sessions/message.ts' */

/** The platform, the kind of chat and the person who wrote there last. @param {WireSession['place']} place */
export function placeText(place) {
  if (place === undefined) return 'API';
  const kind = place.kind === 'dm' ? 'direct message' : place.private ? 'private room' : 'room';
  return `${platformName(place.platform)} · ${kind} · ${cut(place.person, 60)}`;
}
