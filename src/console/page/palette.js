// The command palette: pages, recent conversations, rooms, settings, runs and a few commands, by typing a part of their name.
// @ts-check
import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { api, me, signOut } from './data/api.js';
import { useData } from './data/data.js';
import { cut } from './parts/format.js';
import { classes, html } from './parts/html.js';
import { Icon } from './parts/icons.js';
import { placeText } from './parts/place.js';
import { addressOf, go } from './parts/router.js';
import { dark, switchTheme } from './parts/theme.js';
import { openPlaces } from './places.js';

/** @import { Configuration } from '#engine/wire/operator/operator.ts' @import { NamedChat } from '#engine/wire/channels/place-names.ts' @import { WireSession } from '#engine/wire/sessions/message.ts' */

export const paletteOpen = signal(false);

const shown = 12;
/** Rooms and settings among other things. */
const few = 5;
/** Settings are looked for from so many characters on. */
const least = 3;

/** @typedef {{ id: string, title: string, note: string, icon: string, run: () => unknown }} Entry */

export function Palette() {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const close = () => (paletteOpen.value = false);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, []);
  const wanted = text.trim();
  const sessions = useData(
    () =>
      /** @type {Promise<WireSession[]>} */ (
        api('/session', { query: { page_size: 8, order: 'updated', title: wanted } })
      ),
    [wanted],
  );
  const rooms = useData(() => namedRooms(wanted), [wanted]);
  const searches = wanted.length >= least;
  const settings = useData(() => (searches ? settingKeys() : Promise.resolve([])), [searches]);
  const entries = useMemo(() => {
    const fixed = commands().filter(({ title }) => fits(title, wanted));
    const found = (sessions.data ?? []).map((session) => ({
      id: session.id,
      title: cut(session.title, 80),
      note: placeText(session.place),
      icon: 'conversations',
      run: () => go(addressOf(['conversations', session.id])),
    }));
    /** @type {Entry[]} */
    const ids = /^run_\w+$/.test(wanted)
      ? [{ id: wanted, title: wanted, note: 'Run', icon: 'runs', run: () => go(addressOf(['runs', wanted])) }]
      : [];
    const chats = (rooms.data ?? []).map(({ chat, title }) => ({
      id: chat,
      title,
      note: 'Room',
      icon: 'conversations',
      run: () => go(addressOf(['conversations'], { chat })),
    }));
    const keys = namedSettings(wanted, settings.data ?? []).map((key) => ({
      id: `setting-${key}`,
      title: key,
      note: 'Setting',
      icon: 'settings',
      run: () => go(addressOf(['settings', 'config'], { key })),
    }));
    return wanted.startsWith('#') ? chats : [...ids, ...fixed, ...keys, ...chats, ...found].slice(0, shown);
  }, [wanted, sessions.data, rooms.data, settings.data]);
  const choose = (/** @type {Entry | undefined} */ entry) => {
    if (entry === undefined) return;
    close();
    void entry.run();
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((at + step + entries.length) % Math.max(1, entries.length));
    }
    if (event.key === 'Enter') choose(entries[at]);
  };
  return html`<dialog ref=${dialog} class="palette" aria-label="Go to" onCancel=${close} onClick=${(/** @type {Event} */ event) => event.target === dialog.current && close()}>
    <div class="palette-field"><${Icon} name="search" />
      <input type="text" role="combobox" aria-expanded="true" aria-controls="palette-list" aria-activedescendant=${entries[at] && `palette-${at}`}
        aria-label="A page, a conversation, a #room, a setting or a command" placeholder="A page, a conversation, a #room, a setting or a command" autofocus value=${text} onKeyDown=${press}
        onInput=${(/** @type {Event} */ event) => {
          setText(/** @type {HTMLInputElement} */ (event.currentTarget).value);
          setAt(0);
        }} /><kbd>Esc</kbd></div>
    <div id="palette-list" role="listbox" aria-label="Results">
      ${entries.map(
        (
          entry,
          index,
        ) => html`<div key=${entry.id} id=${`palette-${index}`} role="option" aria-selected=${index === at} class=${classes('palette-entry', index === at && 'on')}
        onClick=${() => choose(entry)} onPointerMove=${() => index !== at && setAt(index)}><${Icon} name=${entry.icon} /><span class="cut">${entry.title}</span><span class="muted">${entry.note}</span></div>`,
      )}
    </div>
    ${entries.length === 0 && html`<p class="palette-none" role="status">Nothing is called so. Search what was written under “Conversations”.</p>`}
  </dialog>`;
}

/** Rooms and threads whose name has the text; after `#` all of them, and without a text none. @param {string} wanted */
async function namedRooms(wanted) {
  if (wanted === '' || me.value?.role === 'viewer') return [];
  const text = wanted.replace(/^#/, '') || undefined;
  return /** @type {NamedChat[]} */ (
    await api('/place', { query: { text, limit: wanted.startsWith('#') ? shown : few } })
  );
}

/** All keys of the configuration, for those who may change it. @returns {Promise<string[]>} */
async function settingKeys() {
  if (me.value?.role !== 'owner') return [];
  const { keys } = /** @type {Configuration} */ (await api('/config'));
  return keys.map(({ key }) => key);
}

/** Those of the keys that have the text, the one that is called so first. @param {string} wanted @param {readonly string[]} keys */
function namedSettings(wanted, keys) {
  if (wanted.length < least || /[#\s]/.test(wanted)) return [];
  const rank = (/** @type {string} */ key) => (key.toLowerCase() === wanted.toLowerCase() ? 0 : 1);
  return keys
    .filter((key) => fits(key, wanted))
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, few);
}

/** @returns {Entry[]} */
function commands() {
  return [
    ...openPlaces().map(({ name, title, icon, key }) => ({
      id: name,
      title,
      note: `Page · g ${key}`,
      icon,
      run: () => go(addressOf([name])),
    })),
    {
      id: 'theme',
      title: dark.value ? 'Light theme' : 'Dark theme',
      note: 'Command',
      icon: dark.value ? 'sun' : 'moon',
      run: switchTheme,
    },
    { id: 'sign-out', title: 'Sign out', note: 'Command', icon: 'out', run: signOut },
  ];
}

/** @param {string} title @param {string} wanted */
function fits(title, wanted) {
  return title.toLowerCase().includes(wanted.toLowerCase());
}
