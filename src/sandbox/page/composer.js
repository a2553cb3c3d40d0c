// The place to type of a pane: what is typed and attached in each chat, the message that is answered, and what could not be sent.
// @ts-check
import { createAttachments, encoded } from './attach.js';
import { find, nameAndWords } from './draw.js';

/** @import { StateMessage } from '#sandbox/control-state.ts' */

const outOfReach =
  'Parley cannot be reached; perhaps it was stopped. Your text stays here: send it again when the page is connected.';

/** @param {HTMLElement} root Of the pane. @param {{ platform: string, title: string, sent: () => void }} on */
export function createComposer(root, { platform, title, sent }) {
  const input = find(root, 'textarea', HTMLTextAreaElement);
  const problem = find(root, '.problem', HTMLElement);
  const replying = find(root, '.replying', HTMLElement);
  /** @type {Map<string | undefined, string>} What is typed in a chat and not sent. */
  const typed = new Map();
  /** @type {Map<string | undefined, readonly File[]>} What is attached in a chat and not sent. */
  const attached = new Map();
  const attachments = createAttachments(root, complain);
  /** @type {StateMessage | undefined} */
  let replyTo;

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

  /** Does something to a message; says what was not done when that fails. @param {'press' | 'react'} act @param {{ id: string, at: number } | { id: string, emoji: string, taken?: 'back' | undefined }} body */
  async function actOn(act, body) {
    problem.hidden = true;
    try {
      await post(`${platform}/${act}`, { ...body, user: 'you' });
    } catch (error) {
      complain(`Not ${act}ed. ${error instanceof Error ? error.message : error}`);
    }
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
      if (files.length === 0) await post(`${platform}/say`, say);
      else await post(`${platform}/share`, { ...say, files: await Promise.all(files.map(encoded)) });
      sent();
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
  return {
    complain,
    actOn,
    sendAs,
    setReply,
    focus: () => input.focus(),
    /** The page is connected again: that it was not is no problem any more. */
    connected() {
      if (problem.textContent?.includes(outOfReach) === true) problem.hidden = true;
    },
    /** Puts away what is typed in the open chat and shows what is typed in this one. @param {string} chat */
    open(chat) {
      typed.set(root.dataset.open, input.value);
      input.value = typed.get(chat) ?? '';
      attached.set(root.dataset.open, attachments.files());
      attachments.show(attached.get(chat) ?? []);
      setReply(undefined);
      problem.hidden = true;
      input.placeholder = chat === 'dm' ? 'Message Parley' : 'Message the room';
      input.ariaLabel = `${input.placeholder} on ${title}`;
    },
  };
}

/** Asks the controls of a platform. @param {string} path Of the platform and of what is done. @param {object} body */
async function post(path, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`/sandbox/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Error(outOfReach);
  });
  if (!response.ok) throw new Error((await response.json()).error);
}
