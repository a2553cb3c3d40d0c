// Files that were chosen for a message and are not sent yet: shown by name and size, each removable; audio may be a voice message.
// @ts-check
import { find, formatBytes, make } from './draw.js';
import { createRecorder } from './record.js';

/** @typedef {File & { voice?: boolean }} Chosen A file, and whether it is sent as a voice message. */

/** What the control interface takes in one message: `share` in its schema, and its bytes in base64. */
const maxFiles = 10;
const maxBytes = 20_000_000;

/**
 * The button, its file dialog and the list in a pane's composer. `refuse` is called with a message about what could not be taken.
 * @param {HTMLElement} root @param {(words: string) => void} refuse
 */
export function createAttachments(root, refuse) {
  const list = find(root, '.chosen', HTMLElement);
  const picker = find(root, '.picker', HTMLInputElement);
  const button = find(root, '.attach', HTMLButtonElement);
  /** @type {Chosen[]} */
  let files = [];

  function draw() {
    list.hidden = files.length === 0;
    list.replaceChildren(
      ...files.map((file, index) => {
        const remove = Object.assign(make('button', '✕'), {
          type: 'button',
          ariaLabel: `Do not send ${file.name}`,
          onclick: () => drop(index),
        });
        const name = Object.assign(make('span.name', file.name), { dir: 'auto' });
        const size = make('span.size', formatBytes(file.size));
        return make('li', name, size, ...(file.type.startsWith('audio/') ? [voiceSwitch(file)] : []), remove);
      }),
    );
  }

  /** @param {Chosen} file */
  function voiceSwitch(file) {
    const button = Object.assign(make('button.voice', 'Voice message'), {
      type: 'button',
      ariaPressed: String(file.voice === true),
      onclick: () => {
        file.voice = file.voice !== true;
        button.ariaPressed = String(file.voice);
      },
    });
    return button;
  }

  /** @param {number} index */
  function drop(index) {
    files = files.filter((_, at) => at !== index);
    draw();
    const next = list
      .querySelectorAll('li')
      [Math.min(index, files.length - 1)]?.querySelector('button:last-child');
    (next instanceof HTMLElement ? next : button).focus();
  }

  /** @param {readonly File[]} more */
  function add(more) {
    const all = [...files, ...more];
    const bytes = all.reduce((sum, { size }) => sum + size, 0);
    if (all.length > maxFiles)
      return refuse(`Not attached. One message takes ${maxFiles} files, these would be ${all.length}.`);
    if (bytes > maxBytes)
      return refuse(
        `Not attached. One message takes ${formatBytes(maxBytes)} of files; ${more.map(({ name, size }) => `${name} (${formatBytes(size)})`).join(', ')} would make it more.`,
      );
    files = all;
    draw();
  }

  const recorded = {
    add: (/** @type {File} */ voice) => add([Object.assign(voice, { voice: true })]),
    refuse,
  };
  createRecorder(root, recorded);
  button.onclick = () => picker.click();
  picker.onchange = () => {
    add([...(picker.files ?? [])]);
    picker.value = ''; // the same file can be chosen again
    button.focus();
  };
  return {
    /** What is chosen now. */
    files: () => files,
    /** Shows these instead: of another chat, or none. @param {readonly File[]} now */
    show(now) {
      files = [...now];
      draw();
    },
  };
}

/** A file as the control interface takes it; rejects with a message when it can no longer be read. @param {Chosen} file */
export async function encoded(file) {
  const { name, type, voice } = file;
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error(`${name} cannot be read any more. Choose it again.`);
  });
  const pieces = [];
  // in pieces: a call takes only so many arguments; a multiple of three, so that they join
  for (let at = 0; at < bytes.byteLength; at += 24_576)
    pieces.push(btoa(String.fromCharCode(...new Uint8Array(bytes.slice(at, at + 24_576)))));
  const mime = type || 'application/octet-stream';
  return { name, mime, base64: pieces.join(''), ...(voice === true && { voice }) };
}
