// A sandbox server in memory, without a platform's protocol: for what stands on the contract alone.

import type {
  Fault,
  SandboxChat,
  SandboxPlatform,
  SandboxServer,
  SandboxUser,
  Say,
  ShownMessage,
} from '#adapters/sandbox/contract.ts';
import { markdownBlocks, plainOf } from '#adapters/sandbox/shown.ts';
import { ParleyError } from '#base/errors.ts';

export interface FakeServer extends SandboxServer {
  readonly faults: Fault[];
  readonly redelivered: string[];
  /** How many listeners `onChange` has now. */
  listeners(): number;
  /** Posts as the bot and returns the message's id. */
  answer(chat: SandboxChat, markdown: string, more?: Partial<ShownMessage>): string;
  setTyping(chat: SandboxChat, typing: boolean): void;
}

/** An empty world; the bot is played by the test through `answer`. */
export function createFakeServer(platform: SandboxPlatform, startAt = 1_700_000_000_000): FakeServer {
  const messages: ShownMessage[] = [];
  const listeners = new Set<() => void>();
  const typing = new Set<SandboxChat>();
  const faults: Fault[] = [];
  const redelivered: string[] = [];
  const calls: { name: string; status: number; at: number }[] = [];
  let count = 0;

  const changed = () => {
    for (const listener of listeners) listener();
  };
  const add = (message: Omit<ShownMessage, 'id' | 'text' | 'at' | 'edited' | 'reactions'>): string => {
    count += 1;
    const id = `${platform}-${count}`;
    const text = plainOf(message.blocks);
    messages.push({ id, text, at: startAt + count * 20_000, edited: false, reactions: [], ...message });
    calls.push({ name: 'send', status: 200, at: startAt + count * 20_000 });
    changed();
    return id;
  };
  const get = (id: string): ShownMessage => {
    const message = messages.find((one) => one.id === id);
    if (message === undefined) throw new ParleyError('unknown_message', `There is no message "${id}".`);
    return message;
  };
  const ownerOf = (chat: SandboxChat, user: SandboxUser): SandboxUser => (chat === 'dm' ? user : 'you');

  return {
    ...{ platform, faults, redelivered, url: 'http://127.0.0.1:1', tokens: { bot: 'token' } },
    userID: (user) => `U-${user}`,
    async say({ chat, user, text, mention, replyTo, thread }: Say) {
      const blocks = markdownBlocks(text);
      const first = blocks[0];
      if (mention === true && first !== undefined && 'runs' in first)
        first.runs.unshift({ text: '@Parley', styles: ['mention'] }, { text: ' ', styles: [] });
      const more = { ...(replyTo && { replyTo }), ...(thread && { thread }) };
      return { id: add({ chat, user: ownerOf(chat, user), author: user, blocks, ...more }) };
    },
    async editSaid(id, text) {
      const blocks = markdownBlocks(text);
      Object.assign(get(id), { blocks, text: plainOf(blocks), edited: true });
      changed();
    },
    async deleteSaid(id) {
      messages.splice(messages.indexOf(get(id)), 1);
      changed();
    },
    async redeliver(id) {
      redelivered.push(get(id).id);
    },
    shown: (chat, user) =>
      messages.filter((message) => message.chat === chat && message.user === ownerOf(chat, user)),
    typing: (chat, user) => user === 'you' && typing.has(chat),
    inject: (fault) => void faults.push(fault),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    calls: () => calls,
    close: async () => listeners.clear(),
    listeners: () => listeners.size,
    answer: (chat, markdown, more) =>
      add({ chat, user: 'you', author: 'bot', blocks: markdownBlocks(markdown), ...more }),
    setTyping(chat, on) {
      if (on) typing.add(chat);
      else typing.delete(chat);
      changed();
    },
  };
}
