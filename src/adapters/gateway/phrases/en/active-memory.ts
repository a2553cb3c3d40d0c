// English: the look into memory before an answer.
import { formsOf, type NameCommand } from '#adapters/gateway/phrases/forms.ts';

const { minute, number } = formsOf('en');
const seconds = (ms: number): string => `${number(Math.round(ms / 100) / 10)} s`;

export const activeMemory = {
  isOn: (of: { command: NameCommand }) =>
    `Before each answer here I look whether I remember something that matters. ${of.command('active-memory off')} ends that.`,
  isOff: (of: { command: NameCommand }) =>
    `Here I only remember what a message asks for. ${of.command('active-memory on')} lets me look for more before each answer.`,
  switchedOn: 'From your next message on, I look into my memory before each answer here.',
  switchedOff: 'I no longer look into my memory on my own here. What a message asks for I still remember.',
  wrong: (of: { command: NameCommand }) =>
    `Say ${of.command('active-memory on')}, ${of.command('active-memory off')} or ${of.command('active-memory status')}.`,
  refusals: {
    off: 'I do not look into my memory on my own: the person who runs me has `memory.active` off.',
    chat_kind:
      'In this kind of chat I do not look into my memory on my own. The person who runs me can allow it with `memory.active.chats`.',
    chat: 'In this chat I do not look into my memory on my own. The person who runs me can allow it with `memory.active.allow` and `memory.active.deny`.',
    agent:
      'The assistant that answers here does not look into memory on its own. The person who runs me can allow it with `memory.active.agents`.',
    no_memory: 'The assistant that answers here has no memory.',
  },
  last: (of: { atMs: number; outcome: string }) => `Last look, ${minute(of.atMs)}: ${of.outcome}`,
  given: (of: { n: number; ms: number }) =>
    `${of.n === 1 ? 'one memory' : `${of.n} memories`} in ${seconds(of.ms)}.`,
  nothing: (of: { ms: number }) => `nothing that matters, in ${seconds(of.ms)}.`,
  late: (of: { ms: number }) => `it took longer than ${seconds(of.ms)}, and I answered without it.`,
  failed: 'it failed, and I answered without it.',
  leftOut: 'left out, since several before it took too long or failed.',
  pausedUntil: (of: { untilMs: number }) =>
    `I look again from ${minute(of.untilMs)} on: several looks in a row took too long or failed.`,
};
