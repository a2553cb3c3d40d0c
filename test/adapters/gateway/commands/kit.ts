// A chat in which commands are given: the words that come back, without the marks of their form. No test.
import type { TestContext } from 'node:test';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { type Harness, type HarnessOptions, startHarness } from '../harness.ts';
import { createScriptedChannel, dm, message } from '../scripted-channel.ts';
import { createScriptedEngine } from '../scripted-engine.ts';

export interface CommandChat extends Harness {
  /** Says something and gives what was answered to it. */
  say(text: string, over?: Partial<MessageEvent>): Promise<string>;
}

export async function commandChat(t: TestContext, options: HarnessOptions = {}): Promise<CommandChat> {
  const h = await startHarness(t, {
    channel: createScriptedChannel({ partLimit: 8_000, caps: { files: { limitBytes: 1_000_000 } } }),
    engine: createScriptedEngine((texts) => `You said ${texts.join(' ')}.`),
    ...options,
  });
  let id = 0;
  return Object.assign(h, {
    async say(text: string, over: Partial<MessageEvent> = {}) {
      const before = h.channel.messages.length;
      id += 1;
      await h.channel.sink.accept(message(`say${id}`, text, over));
      await h.seen(`an answer to ${text}`, () => (h.channel.messages.length > before ? true : undefined));
      await h.pass();
      return h.channel.messages
        .slice(before)
        .map((one) => one.text)
        .join('\n');
    },
  });
}

/** Another person in a separate direct message. */
export const as = (id: string, name = id): { actor: MessageEvent['actor']; address: Address } => ({
  actor: { id, name, isBot: false },
  address: { ...dm, chat: `D-${id}` },
});
