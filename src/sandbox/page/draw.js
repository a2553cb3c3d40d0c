// Draws messages as their platform would. Text from a chat becomes text nodes, never markup.
// @ts-check

/**
 * @import { ShownBlock, ShownRun } from '#sandbox/contract.ts'
 * @import { StateMessage } from '#sandbox/control-state.ts'
 * @typedef {{
 *   follows: boolean,
 *   quoted: string,
 *   fileRoot: string,
 *   reply: (() => void) | undefined,
 *   react: ((button: HTMLElement) => void) | undefined,
 *   toggle: ((emoji: string) => void) | undefined,
 *   press: (at: number) => void,
 * }} MessageContext
 */

/** Slack names its emoji; these are the ones that bots react with, and that people do here. @type {Record<string, string | undefined>} */
const pictures = {
  eyes: '👀',
  '+1': '👍',
  '-1': '👎',
  repeat: '🔁',
  x: '❌',
  black_square_for_stop: '⏹️',
  white_check_mark: '✅',
  hourglass: '⌛',
};
const authors = { bot: 'Parley', you: 'You', guest: 'Guest' };
/** What the sandbox serves to be looked at; everything else is saved. */
const picture = /^image\/(?:png|jpeg|gif|webp)$/;
const sound = /^audio\/(ogg|webm|mpeg|mp4|wav|aac|flac)$/;
const hourAndMinute = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/**
 * The one element that fits; the page's own markup promises it.
 * @template {HTMLElement} T @param {ParentNode} parent @param {string} selector @param {new () => T} type
 */
export function find(parent, selector, type) {
  const found = parent.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`The page has no ${selector}.`);
  return found;
}

/** From `tag.class`; strings become text in it, never markup. @param {string} name @param {(Node | string)[]} children */
export function make(name, ...children) {
  const [tag = 'span', ...classes] = name.split('.');
  const element = document.createElement(tag);
  element.classList.add(...classes);
  element.append(...children);
  return element;
}

/** A paragraph that runs the way its own text does. @param {string} name @param {(Node | string)[]} children */
function makeText(name, ...children) {
  return Object.assign(make(name, ...children), { dir: 'auto' });
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
    code.ariaLabel = `Code ${block.language}`.trim();
    if (block.language !== '') code.dataset.language = block.language;
    return code;
  }
  const runs = block.runs.map(drawRun);
  if (block.kind === 'heading') return makeText(`p.h${Math.min(3, block.level)}`, ...runs);
  if (block.kind !== 'item') return makeText(block.kind === 'quote' ? 'blockquote' : 'p', ...runs);
  const item = makeText('p.item', make('span.marker', block.marker), make('span', ...runs));
  item.dataset.depth = String(Math.min(4, block.depth));
  return item;
}

/** A size as people say it; a megabyte is a million bytes. @param {number} bytes */
export function formatBytes(bytes) {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const [value, unit] = bytes < 999_500 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${unit}`;
}

/**
 * A picture to be looked at, a player of sound, or a link that saves the file: whatever it holds, it never runs in the page.
 * @param {{ name: string, mime: string, size: number }} file @param {string} href
 */
function drawFile({ name, mime, size }, href) {
  if (picture.test(mime)) {
    const image = Object.assign(make('img'), { alt: name, src: href, title: name });
    const link = { href, target: '_blank', rel: 'noopener noreferrer' };
    return make('li', Object.assign(make('a.picture', image), link));
  }
  if (sound.test(mime)) {
    const player = Object.assign(make('audio'), { controls: true, preload: 'metadata', src: href });
    player.ariaLabel = `Play ${name}`;
    return make('li.sound', player);
  }
  const words = Object.assign(make('span.name', name), { dir: 'auto' });
  const link = Object.assign(make('a.file', words, make('span.size', formatBytes(size))), {
    href,
    download: name,
  });
  return make('li', link);
}

/**
 * The buttons below a message, which are real ones here too; `press` receives which.
 * @param {readonly string[]} labels @param {(at: number) => void} press
 */
function drawButtons(labels, press) {
  const buttons = labels.map((label, at) =>
    Object.assign(makeText('button', label), { type: 'button', onclick: () => press(at) }),
  );
  const group = Object.assign(make('div.buttons', ...buttons), { role: 'group' });
  group.ariaLabel = 'Answers to choose from';
  return group;
}

/** A reaction as it is seen. @param {string} emoji As the platform writes it. */
export const pictureOf = (emoji) => pictures[emoji] ?? emoji;

/**
 * What people and the bot reacted with. Where one may react, each is a button that gives the same or takes one's own back.
 * @param {StateMessage} message @param {((emoji: string) => void) | undefined} toggle
 */
function drawReactions({ reactions, ownReactions }, toggle) {
  const chips = reactions.map((emoji) => {
    const picture = pictureOf(emoji);
    if (toggle === undefined) return make('span', picture);
    const chip = Object.assign(make('button', picture), { type: 'button', onclick: () => toggle(emoji) });
    chip.ariaPressed = String(ownReactions.includes(emoji));
    chip.ariaLabel = `React with ${picture}`;
    return chip;
  });
  return make('div.reactions', ...chips);
}

/** A small button at the corner of a message. @param {{ name: string, sign: string, title: string, of: StateMessage, act: (button: HTMLElement) => void }} what */
function drawTool({ name, sign, title, of, act }) {
  const button = Object.assign(make(`button.tool.${name}`, sign), { type: 'button', title });
  button.onclick = () => act(button);
  button.ariaLabel = `${title} to ${nameAndWords(of)}`;
  return button;
}

/** What is read of a message: its words, then the names of its files. @param {StateMessage} message */
export function wordsOf({ text, files = [] }) {
  return [text, ...files.map(({ name }) => name)].filter((words) => words !== '').join('\n');
}

/** One line by which a message is recognized. @param {StateMessage} message */
export function nameAndWords(message) {
  const { author } = message;
  const line = wordsOf(message).replaceAll('\n', ' ');
  return `${authors[author]}: ${line.length > 90 ? `${line.slice(0, 90).trimEnd()}…` : line}`;
}

/**
 * A row of the list. `reply`, `react` and `toggle` are undefined for what cannot be replied or reacted to. Its files are under `fileRoot`.
 * @param {StateMessage} message
 * @param {MessageContext} context
 */
export function drawMessage(message, { follows, quoted, fileRoot, reply, react, toggle, press }) {
  const time = Object.assign(make('time', hourAndMinute.format(message.at)), {
    dateTime: new Date(message.at).toISOString(),
  });
  const badge = message.author === 'bot' ? [make('span.badge', 'APP')] : [];
  const head = make('p.head', make('b', authors[message.author]), ...badge, time);
  const avatar = Object.assign(make('span.avatar', authors[message.author].slice(0, 1)), {
    ariaHidden: 'true',
  });
  const body = make('div.body', ...message.blocks.map(drawBlock));
  if (message.edited) body.append(make('span.edited', 'edited'));
  const quote = quoted === '' ? [] : [makeText('p.quoted', quoted)];
  const path = `${fileRoot}/${encodeURIComponent(message.id)}`;
  const list = message.files?.map((file, index) => drawFile(file, `${path}/${index}`)) ?? [];
  const files = list.length === 0 ? [] : [make('ul.files', ...list)];
  const buttons = message.buttons === undefined ? [] : [drawButtons(message.buttons, press)];
  const only = message.onlyYou === true ? [make('p.only', 'Only you can see this.')] : [];
  const row = make(
    'li.message',
    avatar,
    head,
    ...quote,
    body,
    ...only,
    ...files,
    ...buttons,
    drawReactions(message, toggle),
  );
  row.tabIndex = -1; // where the focus goes when the element that had it is gone
  if (react !== undefined) {
    const button = drawTool({ name: 'react', sign: '☺', title: 'React', of: message, act: react });
    button.ariaHasPopup = 'menu';
    row.append(button);
  }
  if (reply !== undefined)
    row.append(drawTool({ name: 'reply', sign: '↩', title: 'Reply', of: message, act: reply }));
  row.classList.add(message.author);
  row.classList.toggle('follows', follows);
  row.classList.toggle('threaded', message.thread !== undefined && message.thread !== message.id);
  return row;
}
