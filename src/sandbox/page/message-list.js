// The messages of a pane's open chat: each is drawn again only where its look changed, and an answer that held still is announced.
// @ts-check
import { drawMessage, find, nameAndWords, wordsOf } from './draw.js';
import { createFollow } from './follow.js';
import { createWalk } from './walk.js';

/**
 * @import { ShownDraft } from '#sandbox/contract.ts'
 * @import { ChatState, StateMessage } from '#sandbox/control-state.ts'
 */

/** Messages of one author within this time stand under one name. */
const groupMs = 5 * 60_000;
/** An answer that held still for this long is read to a screen reader. */
const stillMs = 1200;
const draftID = 'draft';

/**
 * @param {HTMLElement} root Of the pane.
 * @param {{
 *   platform: string,
 *   title: string,
 *   reply: (message: StateMessage) => void,
 *   react: (message: StateMessage, button: HTMLElement) => void,
 *   toggle: (message: StateMessage, emoji: string) => void,
 *   press: (id: string, at: number) => void,
 * }} on
 */
export function createMessageList(root, { platform, title, reply, react, toggle, press }) {
  const list = find(root, '.list', HTMLElement);
  const panel = find(root, '.panel', HTMLElement);
  /** @type {Map<string, { look: string, row: HTMLElement }>} What is drawn, by message id. */
  const rows = new Map();
  const { follow, toEnd } = createFollow(panel, list);
  const { settle } = createWalk(list, panel);
  let hearing = 0;
  /** @type {string | undefined} */
  let received;

  /** @param {ChatState | undefined} state */
  function draw(state) {
    const saved = state?.messages ?? [];
    const messages = state?.draft === undefined ? saved : [...saved, asMessage(state.draft, state)];
    const byID = new Map(messages.map((message) => [message.id, message]));
    for (const [id, { row }] of rows) if (!byID.has(id) && rows.delete(id)) remove(row);
    for (const [index, message] of messages.entries()) {
      const before = messages[index - 1];
      const answered = byID.get(message.replyTo ?? message.thread ?? message.id);
      const quoted = answered === undefined || answered === message ? '' : nameAndWords(answered);
      const near = before?.author === message.author && message.at - before.at < groupMs;
      const follows = near && (quoted === '' || before.thread === message.thread);
      const passing = message.id === draftID || message.onlyYou === true;
      const isAnswer = !passing && message.author === 'bot';
      const context = {
        follows,
        quoted: follows ? '' : quoted,
        fileRoot: `/sandbox/${platform}/file`,
        reply: passing ? undefined : () => reply(message),
        react: isAnswer ? (/** @type {HTMLElement} */ button) => react(message, button) : undefined,
        toggle: isAnswer ? (/** @type {string} */ emoji) => toggle(message, emoji) : undefined,
        press: (/** @type {number} */ at) => press(message.id, at),
      };
      const look = JSON.stringify([message, context]);
      const drawn = rows.get(message.id);
      const row = drawn?.look === look ? drawn.row : drawMessage(message, context);
      row.classList.toggle('draft', message.id === draftID);
      if (drawn !== undefined && row !== drawn.row) exchange(drawn.row, row);
      rows.set(message.id, { look, row });
      if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
    }
    find(root, '.typing', HTMLElement).hidden = state?.typing !== true;
    settle();
    follow();
    if (state !== undefined) hear(saved.slice(saved.findLastIndex(({ author }) => author !== 'bot') + 1));
  }

  /** Takes a message away; the focus that was in it goes to a neighbour. @param {HTMLElement} row */
  function remove(row) {
    const next = row.nextElementSibling ?? row.previousElementSibling ?? panel;
    if (row.contains(document.activeElement) && next instanceof HTMLElement)
      next.focus({ preventScroll: true });
    row.remove();
  }

  /** @param {StateMessage[]} answer */
  function hear(answer) {
    const words = answer.map(wordsOf).join('\n');
    if (words === received) return;
    clearTimeout(hearing);
    const say = () => find(root, '.heard', HTMLElement).replaceChildren(`Parley on ${title}: ${words}`);
    if (received !== undefined && words !== '') hearing = setTimeout(say, stillMs);
    received = words;
  }

  return {
    draw,
    toEnd,
    /** Puts a focus that is nowhere on a message. @param {string} id */
    recover(id) {
      if (document.activeElement === document.body) rows.get(id)?.row.focus({ preventScroll: true });
    },
    /** Nothing is drawn, as before another chat is; what is in that one is not news. */
    clear() {
      rows.clear();
      list.replaceChildren();
      clearTimeout(hearing);
      received = undefined;
    },
  };
}

/** Puts a new look of a message in the place of the old; the focus stays on its button, or on what is left. @param {HTMLElement} old @param {HTMLElement} row */
function exchange(old, row) {
  const focused = old.contains(document.activeElement) ? document.activeElement : undefined;
  old.replaceWith(row);
  if (focused === undefined) return;
  const buttons = [...row.querySelectorAll('button')];
  const same = buttons.find(({ textContent }) => textContent === focused?.textContent);
  (same ?? row).focus({ preventScroll: true });
}

/** @param {ShownDraft} draft @param {ChatState} state @returns {StateMessage} */
function asMessage(draft, { chat, user }) {
  return {
    ...draft,
    id: draftID,
    chat,
    user,
    author: 'bot',
    edited: false,
    reactions: [],
    ownReactions: [],
    at: Date.now(),
  };
}
