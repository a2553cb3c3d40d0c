// The menu of a pane from which a reaction to a message is chosen. What reactions do is the bot's business.
// @ts-check
import { find, make, pictureOf } from './draw.js';

/**
 * @import { SandboxPlatform } from '#sandbox/contract.ts'
 * @import { StateMessage } from '#sandbox/control-state.ts'
 */

/**
 * What is offered, as the platform's events write it, with the emoji's name. Telegram's people have a fixed list, without 🔁, ❌ and ⏹: there
 * 🤔 and 💩 are ones that an operator may give a meaning instead.
 * @type {Record<SandboxPlatform, Record<string, string>>}
 */
const offered = {
  discord: { '👍': 'Thumbs up', '👎': 'Thumbs down', '🔁': 'Repeat', '❌': 'Cross', '⏹️': 'Stop' },
  telegram: {
    '👍': 'Thumbs up',
    '👎': 'Thumbs down',
    '🤔': 'Thinking',
    '💩': 'Pile of poo',
    '😴': 'Sleeping',
  },
  slack: {
    '+1': 'Thumbs up',
    '-1': 'Thumbs down',
    repeat: 'Repeat',
    x: 'Cross',
    black_square_for_stop: 'Stop',
  },
};
/** Between the menu and its button, and between the menu and the edge of the window, in pixels. */
const gap = 6;

/**
 * Arrow keys, Home and End move in the menu, Escape and Tab close it. `toggle` receives what was chosen; `closed` is called with the id of
 * the message each time it closes.
 * @param {HTMLElement} root Of the pane.
 * @param {{ platform: SandboxPlatform, toggle: (message: StateMessage, emoji: string) => void, closed: (id: string) => void }} on
 */
export function createReactions(root, { platform, toggle, closed }) {
  const menu = find(root, '.react-menu', HTMLElement);
  const items = Object.entries(offered[platform]).map(([emoji, name]) => {
    const item = Object.assign(make('button', pictureOf(emoji)), {
      type: 'button',
      title: name,
      tabIndex: -1,
    });
    item.role = 'menuitemcheckbox';
    item.ariaLabel = name;
    return { emoji, item };
  });
  menu.replaceChildren(...items.map(({ item }) => item));

  /** Below the button, above it where the window ends. @param {HTMLElement} button */
  function place(button) {
    const { top, bottom, right } = button.getBoundingClientRect();
    const { offsetHeight: height, offsetWidth: width } = menu;
    const below = bottom + gap;
    menu.style.top = `${below + height + gap > innerHeight ? Math.max(gap, top - gap - height) : below}px`;
    menu.style.left = `${Math.max(gap, right - width)}px`;
  }

  menu.addEventListener('keydown', (event) => {
    if (event.key === 'Tab') return menu.hidePopover(); // and goes on from the button
    const at = items.findIndex(({ item }) => item === document.activeElement);
    const steps = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: -1,
    };
    const to = Object.entries(steps).find(([key]) => key === event.key)?.[1];
    if (to === undefined) return;
    event.preventDefault();
    items.at(to % items.length)?.item.focus();
  });
  return {
    /** @param {StateMessage} message @param {HTMLElement} button That was pressed for it. */
    open(message, button) {
      for (const { emoji, item } of items) {
        item.ariaChecked = String(message.ownReactions.includes(emoji));
        item.onclick = () => {
          menu.hidePopover();
          toggle(message, emoji);
        };
      }
      menu.ontoggle = (event) => {
        if (event.newState === 'closed') closed(message.id);
      };
      menu.showPopover();
      place(button);
      items[0]?.item.focus();
    },
  };
}
