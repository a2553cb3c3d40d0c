// English: what `/compact` and `/context` say.
import { formsOf, type NameCommand } from '#adapters/gateway/phrases/forms.ts';

const { count, number } = formsOf('en');
const messages = { one: 'message', other: 'messages' };
const tokens = { one: 'token', other: 'tokens' };

export const compaction = {
  done: ({ n }: { n: number }) =>
    `I summarized the first ${count(n, messages)} of this conversation and keep the latest exchange as it is. This is what I keep of them:`,
  unseen: ({ n }: { n: number }) =>
    `The oldest ${count(n, messages)} did not fit and are not in the summary. My memory still has what was stored of them.`,
  tooShort: 'There is nothing to summarize yet: this conversation has no more than one exchange.',
  failed: ({ command }: { command: NameCommand }) =>
    `The model gave no summary, so the conversation is as it was. Try ${command('compact')} again later.`,
  keepTooLong: ({ limit }: { limit: number }) =>
    `Say in at most ${number(limit)} characters what I should keep.`,
  held: ({ n, model }: { n: number; model: string }) =>
    `The prompt of my last answer had about ${count(n, tokens)}. I do not know the window of ${model}.`,
  heldOf: ({ n, model, window, percent }: { n: number; model: string; window: number; percent: number }) =>
    `The prompt of my last answer had about ${count(n, tokens)}, which is ${number(percent)} % of the ${number(window)} of ${model}:`,
  section: ({ name, n }: { name: string; n: number }) => `${name}: ${number(n)}`,
  sections: {
    Instructions: 'instructions',
    Tools: 'tools',
    'Memory files': 'memory files',
    'Recalled memory': 'recalled memory',
    'Active memory': 'active memory',
    'Summary of older messages': 'summary of older messages',
    Conversation: 'conversation',
    'What others wrote before': 'what others wrote before',
    Message: 'your message',
  },
  counted: ({ calls, n }: { calls: number; n: number }) =>
    `The model counted ${count(n, tokens)} in ${count(calls, { one: 'call', other: 'calls' })}.`,
  summarized: ({ n }: { n: number }) =>
    `The first ${count(n, messages)} of this conversation are summarized.`,
  estimated: ({ command }: { command: NameCommand }) =>
    `Parts are estimated by their length. ${command('compact')} summarizes the conversation.`,
  noPrompt: 'I have not answered anything in this conversation yet.',
};
