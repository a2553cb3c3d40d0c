// The pages of the console by name: their titles, keys, and who may open them.
// @ts-check
import { me } from './data/api.js';

/** @typedef {{ name: string, title: string, icon: string, viewers: boolean, key: string }} Place */

/** In the order of the navigation; `key` opens it after `g`. @type {readonly Place[]} */
export const places = [
  { name: 'now', title: 'Now', icon: 'now', viewers: true, key: 'n' },
  { name: 'conversations', title: 'Conversations', icon: 'conversations', viewers: true, key: 'c' },
  { name: 'runs', title: 'Runs', icon: 'runs', viewers: true, key: 'r' },
  { name: 'memory', title: 'Memory', icon: 'memory', viewers: false, key: 'm' },
  { name: 'work', title: 'Work', icon: 'work', viewers: false, key: 'w' },
  { name: 'people', title: 'People', icon: 'people', viewers: false, key: 'p' },
  { name: 'agents', title: 'Agents', icon: 'agents', viewers: false, key: 'a' },
  { name: 'settings', title: 'Settings', icon: 'settings', viewers: true, key: 's' },
  { name: 'try', title: 'Try it', icon: 'try', viewers: false, key: 't' },
];

/** True where this person may open the page. @param {Place} place */
export function mayOpen({ name, viewers }) {
  return (me.value?.role !== 'viewer' || viewers) && (name !== 'try' || me.value?.sandbox === true);
}

/** The pages that this person may open. */
export const openPlaces = () => places.filter(mayOpen);
