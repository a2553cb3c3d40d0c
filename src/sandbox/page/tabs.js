// The tabs of a pane, one for each chat: which is open, and which have something new.
// @ts-check
import { find } from './draw.js';

/** @import { ChatState, StateMessage } from '#sandbox/control-state.ts' */

/** @param {HTMLElement} root Of the pane. @param {{ title: string, open: (chat: string) => void }} on */
export function createTabs(root, { title, open }) {
  const panel = find(root, '.panel', HTMLElement);
  const strip = find(root, '.tabs', HTMLElement);
  const tabs = [...root.querySelectorAll('button')].filter(({ dataset }) => dataset.chat !== undefined);
  /** @type {Map<string | undefined, StateMessage | undefined>} The newest message of a chat that has been on the screen. */
  const read = new Map();

  /** Marks a tab whose chat has something newer than was on the screen. @param {HTMLElement} tab @param {readonly ChatState[]} chats */
  function mark(tab, chats) {
    const { chat } = tab.dataset;
    const newest = chats.find((state) => state.chat === chat)?.messages.at(-1);
    if (chats.length > 0 && (chat === root.dataset.open || !read.has(chat))) read.set(chat, newest);
    const seen = read.get(chat);
    const newer = newest !== undefined && newest.id !== seen?.id && newest.at >= (seen?.at ?? 0);
    tab.classList.toggle('unread', newer);
  }

  /** Arrow keys, Home and End move along the tabs. @param {KeyboardEvent} event */
  function move(event) {
    const at = tabs.findIndex(({ tabIndex }) => tabIndex === 0);
    const steps = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const to = Object.entries(steps).find(([key]) => key === event.key)?.[1];
    const next = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    open(next.dataset.chat ?? '');
    next.focus();
  }

  strip.ariaLabel = `Chats on ${title}`;
  strip.onkeydown = move;
  for (const tab of tabs) {
    tab.setAttribute('aria-controls', panel.id);
    tab.onclick = () => open(tab.dataset.chat ?? '');
  }
  return {
    /** @param {string} chat */
    choose(chat) {
      for (const tab of tabs) {
        const chosen = tab.dataset.chat === chat;
        tab.ariaSelected = String(chosen);
        tab.tabIndex = chosen ? 0 : -1;
        if (chosen) panel.ariaLabel = `${title}, ${tab.textContent}`;
      }
    },
    /** @param {readonly ChatState[]} chats */
    mark(chats) {
      for (const tab of tabs) mark(tab, chats);
    },
    unread: () => tabs.some(({ classList }) => classList.contains('unread')),
  };
}
