// The sandbox page: draws what the three platforms show and says what is typed there. Not a client of the engine.
// @ts-check

/**
 * @import { SandboxPlatform, ShownBlock, ShownDraft, ShownMessage, ShownRun } from '#adapters/sandbox/contract.ts'
 * @import { ChatState, SandboxState } from '#adapters/sandbox/control-state.ts'
 */

const names = { discord: 'Discord', telegram: 'Telegram', slack: 'Slack' };
const authors = { bot: 'Parley', you: 'You', guest: 'Guest' };
const hourAndMinute = new Intl.DateTimeFormat(undefined, { timeStyle: 'short', hourCycle: 'h23' });
/** Messages of one author within this time stand under one name. */
const groupMs = 5 * 60_000;
const retryMs = 2000;
/** An answer that held still for this long is read to a screen reader. */
const stillMs = 1200;

/**
 * The one element that fits; the page's own markup promises it.
 * @template {HTMLElement} T @param {ParentNode} parent @param {string} selector @param {new () => T} type
 */
function find(parent, selector, type) {
  const found = parent.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`The page has no ${selector}.`);
  return found;
}

/** From `tag.class`; strings become text in it, never markup. @param {string} name @param {(Node | string)[]} children */
function make(name, ...children) {
  const [tag = 'span', ...classes] = name.split('.');
  const element = document.createElement(tag);
  element.classList.add(...classes);
  element.append(...children);
  return element;
}

/** @param {ShownRun} run */
function drawRun({ text, styles, url }) {
  const element = make(styles.includes('code') ? 'code' : 'span', text);
  element.classList.add(...styles.filter((style) => style !== 'code'));
  if (styles.includes('spoiler')) element.tabIndex = 0;
  if (url === undefined || !/^(https?:|mailto:)/i.test(url)) return element;
  return Object.assign(make('a', element), { href: url, target: '_blank', rel: 'noopener noreferrer' });
}

/** @param {ShownBlock} block */
function drawBlock(block) {
  if (block.kind === 'code') {
    const code = Object.assign(make('pre', make('code', block.text)), { tabIndex: 0, role: 'group' });
    code.ariaLabel = `Code ${block.language}`;
    if (block.language !== '') code.dataset.language = block.language;
    return code;
  }
  const runs = block.runs.map(drawRun);
  if (block.kind === 'heading') return make(`p.h${Math.min(3, block.level)}`, ...runs);
  if (block.kind !== 'item') return make(block.kind === 'quote' ? 'blockquote' : 'p', ...runs);
  const item = make('p.item', make('span.marker', block.marker), make('span', ...runs));
  item.dataset.depth = String(Math.min(4, block.depth));
  return item;
}

/** @param {ShownMessage} message */
function nameAndWords({ author, text }) {
  const line = text.replaceAll('\n', ' ');
  return `${authors[author]}: ${line.length > 90 ? `${line.slice(0, 90).trimEnd()}…` : line}`;
}

/** @param {ShownMessage} message @param {{ follows: boolean, quoted: string, reply: () => void }} context */
function drawMessage(message, { follows, quoted, reply }) {
  const time = make('time', hourAndMinute.format(message.at));
  const badge = message.author === 'bot' ? [make('span.badge', 'APP')] : [];
  const head = make('p.head', make('b', authors[message.author]), ...badge, time);
  const avatar = Object.assign(make('span.avatar', authors[message.author].slice(0, 1)), {
    ariaHidden: 'true',
  });
  const body = make('div.body', ...message.blocks.map(drawBlock));
  if (message.edited) body.append(make('span.edited', 'edited'));
  const reactions = make('p.reactions', ...message.reactions.map((emoji) => make('span', emoji)));
  const button = Object.assign(make('button.reply', '↩'), { type: 'button', title: 'Reply', onclick: reply });
  button.ariaLabel = `Reply to ${nameAndWords(message)}`;
  const quote = quoted === '' ? [] : [make('p.quoted', quoted)];
  const row = make('li.message', avatar, head, ...quote, body, reactions, button);
  row.classList.add(message.author);
  row.classList.toggle('follows', follows);
  row.classList.toggle('threaded', message.thread !== undefined && message.thread !== message.id);
  return row;
}

/** One platform's chats; `update` takes what they show now. @param {SandboxPlatform} platform */
function createPane(platform) {
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
  /** @type {Map<string | undefined, number>} How many messages of a chat have been on the screen. */
  const read = new Map();
  /** @type {ChatState[]} */
  let chats = [];
  /** @type {ShownMessage | undefined} */
  let replyTo;
  let hearing = 0;
  /** @type {string | undefined} */
  let heard;

  function draw() {
    const state = chats.find(({ chat }) => chat === root.dataset.open);
    const said = state?.messages ?? [];
    const messages = state?.draft === undefined ? said : [...said, asMessage(state.draft, state)];
    const atEnd = panel.scrollHeight - panel.scrollTop - panel.clientHeight < 60;
    const byID = new Map(messages.map((message) => [message.id, message]));
    for (const [id, { row }] of rows) if (!byID.has(id) && rows.delete(id)) row.remove();
    for (const [index, message] of messages.entries()) {
      const before = messages[index - 1];
      const answered = byID.get(message.replyTo ?? message.thread ?? message.id);
      const quoted = answered === undefined || answered === message ? '' : nameAndWords(answered);
      const near = before?.author === message.author && message.at - before.at < groupMs;
      const follows = near && (quoted === '' || before.thread === message.thread);
      const context = { follows, quoted: follows ? '' : quoted, reply: () => setReply(message) };
      const look = JSON.stringify([message, context]);
      const drawn = rows.get(message.id);
      const row = drawn?.look === look ? drawn.row : drawMessage(message, context);
      if (row !== drawn?.row) drawn?.row.replaceWith(row);
      rows.set(message.id, { look, row });
      if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
    }
    find(root, '.typing', HTMLElement).hidden = state?.typing !== true;
    if (atEnd) panel.scrollTop = panel.scrollHeight;
    for (const tab of tabs) {
      const { chat } = tab.dataset;
      const count = chats.find((state) => state.chat === chat)?.messages.length ?? 0;
      const known = chat === root.dataset.open ? count : Math.min(count, read.get(chat) ?? count);
      if (chats.length > 0) read.set(chat, known);
      tab.classList.toggle('unread', count > known);
    }
    hear(said.slice(said.findLastIndex(({ author }) => author !== 'bot') + 1));
  }

  /** @param {ShownDraft} draft @param {ChatState} state @returns {ShownMessage} */
  function asMessage(draft, { chat, user }) {
    return { ...draft, id: 'draft', chat, user, author: 'bot', edited: false, reactions: [], at: Date.now() };
  }

  /** @param {ShownMessage[]} answer */
  function hear(answer) {
    const words = answer.map(({ text }) => text).join('\n');
    if (words === heard) return;
    clearTimeout(hearing);
    const say = () =>
      find(root, '.heard', HTMLElement).replaceChildren(`Parley on ${names[platform]}: ${words}`);
    if (heard !== undefined && words !== '') hearing = setTimeout(say, stillMs);
    heard = words;
  }

  /** @param {string | undefined} chat */
  function open(chat) {
    root.dataset.open = chat;
    rows.clear();
    list.replaceChildren();
    setReply(undefined);
    for (const tab of tabs) {
      const chosen = tab.dataset.chat === chat;
      tab.ariaSelected = String(chosen);
      tab.tabIndex = chosen ? 0 : -1;
      if (chosen) panel.ariaLabel = `${names[platform]}, ${tab.textContent}`;
    }
    input.placeholder = chat === 'dm' ? 'Message Parley' : 'Message the room';
    input.ariaLabel = `${input.placeholder} on ${names[platform]}`;
    draw();
    panel.scrollTop = panel.scrollHeight;
  }

  /** @param {ShownMessage | undefined} message */
  function setReply(message) {
    replyTo = message;
    replying.hidden = message === undefined;
    if (message === undefined) return;
    find(replying, 'span', HTMLElement).textContent = nameAndWords(message);
    input.focus();
  }

  /** Says what is typed; puts it back with the reason when that fails. */
  async function send() {
    const text = input.value;
    if (text.trim() === '') return;
    const chat = root.dataset.open;
    const mention = chat !== 'dm' && find(root, '.hint input', HTMLInputElement).checked;
    const { id, thread } = replyTo ?? {};
    const body = JSON.stringify({ chat, user: 'you', text, mention, replyTo: id, thread });
    const headers = { 'content-type': 'application/json' };
    input.value = '';
    problem.hidden = true;
    setReply(undefined);
    try {
      const response = await fetch(`/sandbox/${platform}/say`, { method: 'POST', headers, body });
      if (!response.ok) throw new Error((await response.json()).error);
      panel.scrollTop = panel.scrollHeight;
    } catch (error) {
      if (input.value === '') input.value = text;
      problem.textContent = `Not sent. ${error instanceof Error ? error.message : error}`;
      problem.hidden = false;
    }
  }

  root.classList.add(platform);
  root.ariaLabel = names[platform];
  find(root, 'h2', HTMLElement).textContent = names[platform];
  panel.tabIndex = 0;
  for (const [index, tab] of tabs.entries()) {
    tab.onclick = () => open(tab.dataset.chat);
    tab.onkeydown = ({ key }) => {
      const next = tabs.at((index + (key === 'ArrowRight' ? 1 : -1)) % tabs.length);
      if (key !== 'ArrowRight' && key !== 'ArrowLeft') return;
      open(next?.dataset.chat);
      next?.focus();
    };
  }
  find(root, 'form', HTMLElement).onsubmit = (event) => {
    event.preventDefault();
    void send();
  };
  input.onkeydown = (event) => {
    if (event.key === 'Escape') setReply(undefined);
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void send();
  };
  find(replying, 'button', HTMLElement).onclick = () => setReply(undefined);
  find(document, 'main', HTMLElement).append(root);
  open('dm');
  return {
    /** @param {ChatState[]} now */
    update(now) {
      chats = now.filter(({ user }) => user === 'you');
      draw();
    },
  };
}

function start() {
  /** @type {Map<SandboxPlatform, ReturnType<typeof createPane>>} */
  const panes = new Map();
  const lost = find(document, '.lost', HTMLElement);
  let fetching = false;
  let stale = false;

  async function refresh() {
    stale = true;
    if (fetching) return;
    fetching = true;
    while (stale) {
      stale = false;
      try {
        const response = await fetch('/sandbox/state');
        if (!response.ok) throw new Error(`The sandbox answered ${response.status}.`);
        /** @type {SandboxState} */
        const state = await response.json();
        for (const { platform, chats } of state.platforms) {
          const pane = panes.get(platform) ?? createPane(platform);
          panes.set(platform, pane);
          pane.update(chats);
        }
        lost.hidden = true;
      } catch (error) {
        console.warn(error);
        lost.hidden = false;
        stale = true;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
    fetching = false;
  }

  function listen() {
    const events = new EventSource('/sandbox/events');
    events.addEventListener('change', () => void refresh());
    events.addEventListener('error', () => {
      lost.hidden = false;
      if (events.readyState === EventSource.CLOSED) setTimeout(listen, retryMs);
    });
  }

  find(document, '.tries', HTMLElement).onclick = ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    find(document, `.${target.dataset.platform} [data-chat="dm"]`, HTMLElement).click();
    const input = find(document, `.${target.dataset.platform} textarea`, HTMLTextAreaElement);
    input.value = target.textContent;
    input.focus();
  };
  listen();
}

start();
