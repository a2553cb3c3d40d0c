// One platform's pane: its chats as tabs, what was written in the open one, and the place to type.
// @ts-check
import { createAttachments, encoded } from './attach.js';
import { drawMessage, find, nameAndWords, wordsOf } from './draw.js';
import { createFollow } from './follow.js';
import { createWalk } from './walk.js';

/**
 * @import { SandboxPlatform, ShownAlert, ShownDraft } from '#sandbox/contract.ts'
 * @import { ChatState, PlatformState, StateMessage } from '#sandbox/control-state.ts'
 */

const names = { discord: 'Discord', telegram: 'Telegram', slack: 'Slack' };
/** Messages of one author within this time are under one name. */
const groupMs = 5 * 60_000;
/** An answer that held still for this long is read to a screen reader. */
const stillMs = 1200;
const outOfReach =
  'Parley cannot be reached; perhaps it was stopped. Your text stays here: send it again when the page is connected.';
const draftID = 'draft';

/** Puts a pane on the page; `update` takes what its chats show now. @param {SandboxPlatform} platform */
export function createPane(platform) {
  const template = find(document, '#pane', HTMLTemplateElement);
  const root = find(document.importNode(template.content, true), '.pane', HTMLElement);
  const panel = find(root, '.panel', HTMLElement);
  const list = find(root, '.list', HTMLElement);
  const input = find(root, 'textarea', HTMLTextAreaElement);
  const problem = find(root, '.problem', HTMLElement);
  const replying = find(root, '.replying', HTMLElement);
  const tabs = [...root.querySelectorAll('button')].filter(({ dataset }) => dataset.chat !== undefined);
  /** @type {Map<string, { look: string, row: HTMLElement }>} What is drawn, by message id. */
  const rows = new Map();
  /** @type {Map<string | undefined, StateMessage | undefined>} The newest message of a chat that has been on the screen. */
  const read = new Map();
  /** @type {Map<string | undefined, string>} What is typed in a chat and not sent. */
  const typed = new Map();
  /** @type {Map<string | undefined, readonly File[]>} What is attached in a chat and not sent. */
  const attached = new Map();
  const attachments = createAttachments(root, complain);
  const { follow, toEnd } = createFollow(panel, list);
  const { settle } = createWalk(list, panel);
  /** @type {ChatState[]} */
  let chats = [];
  /** @type {StateMessage | undefined} */
  let replyTo;
  /** @type {number | undefined} The newest alert that is known. */
  let alerted;
  let hearing = 0;
  /** @type {string | undefined} */
  let received;

  function draw() {
    const state = chats.find(({ chat }) => chat === root.dataset.open);
    const said = state?.messages ?? [];
    const messages = state?.draft === undefined ? said : [...said, asMessage(state.draft, state)];
    const byID = new Map(messages.map((message) => [message.id, message]));
    for (const [id, { row }] of rows) if (!byID.has(id) && rows.delete(id)) row.remove();
    for (const [index, message] of messages.entries()) {
      const before = messages[index - 1];
      const answered = byID.get(message.replyTo ?? message.thread ?? message.id);
      const quoted = answered === undefined || answered === message ? '' : nameAndWords(answered);
      const near = before?.author === message.author && message.at - before.at < groupMs;
      const follows = near && (quoted === '' || before.thread === message.thread);
      const passing = message.id === draftID || message.onlyYou === true;
      const context = {
        follows,
        quoted: follows ? '' : quoted,
        fileRoot: `/sandbox/${platform}/file`,
        reply: passing ? undefined : () => setReply(message),
        press: (/** @type {number} */ at) => void press(message.id, at),
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
    for (const tab of tabs) mark(tab);
    if (state !== undefined) hear(said.slice(said.findLastIndex(({ author }) => author !== 'bot') + 1));
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

  /** Marks a tab whose chat has something newer than was on the screen. @param {HTMLElement} tab */
  function mark(tab) {
    const { chat } = tab.dataset;
    const newest = chats.find((state) => state.chat === chat)?.messages.at(-1);
    if (chats.length > 0 && (chat === root.dataset.open || !read.has(chat))) read.set(chat, newest);
    const seen = read.get(chat);
    const newer = newest !== undefined && newest.id !== seen?.id && newest.at >= (seen?.at ?? 0);
    tab.classList.toggle('unread', newer);
  }

  /** @param {ShownDraft} draft @param {ChatState} state @returns {StateMessage} */
  function asMessage(draft, { chat, user }) {
    return { ...draft, id: draftID, chat, user, author: 'bot', edited: false, reactions: [], at: Date.now() };
  }

  /** @param {StateMessage[]} answer */
  function hear(answer) {
    const words = answer.map(wordsOf).join('\n');
    if (words === received) return;
    clearTimeout(hearing);
    const say = () =>
      find(root, '.heard', HTMLElement).replaceChildren(`Parley on ${names[platform]}: ${words}`);
    if (received !== undefined && words !== '') hearing = setTimeout(say, stillMs);
    received = words;
  }

  /** @param {string | undefined} chat */
  function open(chat) {
    typed.set(root.dataset.open, input.value);
    input.value = typed.get(chat) ?? '';
    attached.set(root.dataset.open, attachments.files());
    attachments.show(attached.get(chat) ?? []);
    root.dataset.open = chat;
    rows.clear();
    list.replaceChildren();
    setReply(undefined);
    problem.hidden = true;
    for (const tab of tabs) {
      const chosen = tab.dataset.chat === chat;
      tab.ariaSelected = String(chosen);
      tab.tabIndex = chosen ? 0 : -1;
      if (chosen) panel.ariaLabel = `${names[platform]}, ${tab.textContent}`;
    }
    input.placeholder = chat === 'dm' ? 'Message Parley' : 'Message the room';
    input.ariaLabel = `${input.placeholder} on ${names[platform]}`;
    clearTimeout(hearing);
    received = undefined; // what was here before is not news
    draw();
    toEnd();
  }

  /** @param {StateMessage | undefined} message */
  function setReply(message) {
    replyTo = message;
    replying.hidden = message === undefined;
    if (message === undefined) return;
    find(replying, 'span', HTMLElement).textContent = nameAndWords(message);
    input.focus();
  }

  /** @param {string} words */
  function complain(words) {
    problem.textContent = words;
    problem.hidden = false;
  }

  /** Presses a button of a message. @param {string} id @param {number} at */
  async function press(id, at) {
    problem.hidden = true;
    try {
      await post('press', { id, user: 'you', at });
    } catch (error) {
      complain(`Not pressed. ${error instanceof Error ? error.message : error}`);
    }
  }

  /** What the platform shows on top of its chats; what was there before this page did is old. @param {ShownAlert | undefined} alert */
  function say(alert) {
    const id = alert?.id ?? 0;
    if (alerted !== undefined && id > alerted) complain(alert?.text ?? '');
    alerted = id;
  }

  /** Says what is typed, with what is attached; puts both back with the reason when that fails. */
  function send() {
    return sendAs({ text: input.value, files: attachments.files() });
  }

  /** @param {{ text: string, files: readonly File[] }} what */
  async function sendAs({ text, files }) {
    if (text.trim() === '' && files.length === 0) return;
    const chat = root.dataset.open;
    const answered = replyTo;
    const mention = chat !== 'dm' && find(root, '.hint input', HTMLInputElement).checked;
    const { id, thread } = answered ?? {};
    const say = { chat, user: 'you', text, mention, replyTo: id, thread };
    if (input.value === text) input.value = '';
    if (files.length > 0) attachments.show([]);
    problem.hidden = true;
    setReply(undefined);
    try {
      if (files.length === 0) await post('say', say);
      else await post('share', { ...say, files: await Promise.all(files.map(encoded)) });
      toEnd();
    } catch (error) {
      if (chat === root.dataset.open) {
        input.value = [text, input.value].filter((part) => part !== '').join('\n');
        attachments.show([...files, ...attachments.files()]);
        if (replyTo === undefined) setReply(answered);
      } else {
        typed.set(chat, text);
        attached.set(chat, files);
      }
      complain(`Not sent. ${error instanceof Error ? error.message : error}`);
    }
  }

  /** @param {'say' | 'share' | 'press'} what @param {object} body */
  async function post(what, body) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`/sandbox/${platform}/${what}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    }).catch(() => {
      throw new Error(outOfReach);
    });
    if (!response.ok) throw new Error((await response.json()).error);
  }

  /** Arrow keys, Home and End move along the tabs. @param {KeyboardEvent} event */
  function move(event) {
    const at = tabs.findIndex(({ tabIndex }) => tabIndex === 0);
    const steps = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const to = Object.entries(steps).find(([key]) => key === event.key)?.[1];
    const next = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    open(next.dataset.chat);
    next.focus();
  }

  root.classList.add(platform);
  root.ariaLabel = names[platform];
  find(root, 'h2', HTMLElement).textContent = names[platform];
  panel.id = `${platform}-chat`;
  const strip = find(root, '.tabs', HTMLElement);
  strip.ariaLabel = `Chats on ${names[platform]}`;
  strip.onkeydown = move;
  for (const tab of tabs) {
    tab.setAttribute('aria-controls', panel.id);
    tab.onclick = () => open(tab.dataset.chat);
  }
  find(root, 'form', HTMLElement).onsubmit = (event) => {
    event.preventDefault();
    void send();
  };
  input.onkeydown = (event) => {
    // While an input method composes a word, its keys belong to it.
    if (event.isComposing) return;
    if (event.key === 'Escape') setReply(undefined);
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    void send();
  };
  find(replying, 'button', HTMLElement).onclick = () => {
    setReply(undefined);
    input.focus();
  };
  find(document, 'main', HTMLElement).append(root);
  open('dm');
  return {
    /** @param {PlatformState} now */
    update(now) {
      if (problem.textContent?.includes(outOfReach) === true) problem.hidden = true;
      chats = now.chats.filter(({ user }) => user === 'you');
      draw();
      say(now.alert);
    },
    /** Whether a chat that is not on the screen has something unread. */
    unread: () => tabs.some(({ classList }) => classList.contains('unread')),
    /** Says a text in the direct message, as if it was typed there; what is typed stays. @param {string} text */
    suggest(text) {
      open('dm');
      input.focus();
      void sendAs({ text, files: [] });
    },
  };
}
