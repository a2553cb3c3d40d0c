// One platform's pane: its chats as tabs, what was written in the open one, and the place to type.
// @ts-check
import { createComposer } from './composer.js';
import { find } from './draw.js';
import { createMessageList } from './message-list.js';
import { createReactions } from './reactions.js';
import { createTabs } from './tabs.js';

/**
 * @import { SandboxPlatform, ShownAlert } from '#sandbox/contract.ts'
 * @import { ChatState, SandboxState, StateMessage } from '#sandbox/control-state.ts'
 */

const names = { discord: 'Discord', telegram: 'Telegram', slack: 'Slack' };

/** Puts a pane on the page; `update` takes what its chats show now. @param {SandboxPlatform} platform */
export function createPane(platform) {
  const template = find(document, '#pane', HTMLTemplateElement);
  const root = find(document.importNode(template.content, true), '.pane', HTMLElement);
  const title = names[platform];
  root.classList.add(platform);
  root.ariaLabel = title;
  find(root, 'h2', HTMLElement).textContent = title;
  find(root, '.panel', HTMLElement).id = `${platform}-chat`;
  const composer = createComposer(root, { platform, title, sent: () => messages.toEnd() });
  const messages = createMessageList(root, {
    platform,
    title,
    reply: composer.setReply,
    react: (message, button) => reactions.open(message, button),
    toggle,
    press: (id, at) => void composer.actOn('press', { id, at }),
  });
  const reactions = createReactions(root, { platform, toggle, closed: messages.recover });
  const tabs = createTabs(root, { title, open });
  /** @type {ChatState[]} */
  let chats = [];
  /** @type {number | undefined} The newest alert that is known. */
  let alerted;

  /** Gives a reaction, or takes one's own back. @param {StateMessage} message @param {string} emoji */
  function toggle({ id, ownReactions }, emoji) {
    const taken = ownReactions.includes(emoji) ? 'back' : undefined;
    void composer.actOn('react', { id, emoji, taken });
  }

  function draw() {
    messages.draw(chats.find(({ chat }) => chat === root.dataset.open));
    tabs.mark(chats);
  }

  /** @param {string} chat */
  function open(chat) {
    composer.open(chat);
    root.dataset.open = chat;
    tabs.choose(chat);
    messages.clear();
    draw();
    messages.toEnd();
  }

  /** What the platform shows on top of its chats; what was there before this page was opened is old. @param {ShownAlert | undefined} alert */
  function say(alert) {
    const id = alert?.id ?? 0;
    if (alerted !== undefined && id > alerted) composer.complain(alert?.text ?? '');
    alerted = id;
  }

  find(document, 'main', HTMLElement).append(root);
  open('dm');
  return {
    /** @param {SandboxState['platforms'][number]} now */
    update(now) {
      composer.connected();
      chats = now.chats.filter(({ user }) => user === 'you');
      draw();
      say(now.alert);
    },
    /** Whether a chat that is not on the screen has something unread. */
    unread: tabs.unread,
    /** Says a text in the direct message, as if it was typed there; what is typed stays. @param {string} text */
    suggest(text) {
      open('dm');
      composer.focus();
      void composer.sendAs({ text, files: [] });
    },
  };
}
