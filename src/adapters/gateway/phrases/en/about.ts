// English: what `/help`, `/status`, `/whoami`, `/model`, `/assistant`, `/tools` and `/usage` say.
import { formsOf, type NameCommand } from '#adapters/gateway/phrases/forms.ts';

const { count, dollars, number, and } = formsOf('en');

export const about = {
  intro: ({ agent }: { agent: string }) =>
    `I am ${agent}. Write to me here; in channels and groups, mention me or reply to me.`,
  remembers: 'I remember what you tell me, and can use it later wherever you may read it.',

  ready: 'everything works',
  partlyReady: 'not everything works',
  engineNotReady: 'my engine is not ready',
  model: ({ name }: { name: string }) => `model: ${name}`,
  agent: ({ name }: { name: string }) => `assistant: ${name}`,
  conversation: ({ title }: { title: string }) => `conversation: ${title}`,
  noConversation: 'none yet',
  waiting: ({ n }: { n: number }) => `${count(n, { one: 'message', other: 'messages' })} waiting here`,
  /** Of the chat, as webhooks and the command line take it. */
  room: ({ title }: { title: string }) => `this chat: ${title}`,
  address: ({ address }: { address: string }) => `address of this chat: ${address}`,
  channel: ({ name, state, inbox, outbox }: { name: string; state: string; inbox: number; outbox: number }) =>
    `${name}: ${state} (${inbox} to answer, ${outbox} to send)`,
  states: {
    connecting: 'connecting',
    ready: 'connected',
    reconnecting: 'reconnecting',
    standby: 'waiting, another instance answers',
    stopped: 'stopped',
    failed: 'failed',
  },
  couldNotPost: ({ why }: { why: string }) => `could not post ${why}`,

  you: ({ name, role }: { name: string; role: string }) => `I know you as ${name}, ${role}.`,
  yourRole: ({ role, command }: { role: string; command: NameCommand }) =>
    `You are ${role}. Send me ${command('whoami')} in private to see more.`,
  noOtherAccount: ({ command }: { command: NameCommand }) =>
    `I know none of your other accounts; ${command('link')} connects one.`,
  accounts: ({ accounts }: { accounts: readonly string[] }) => `Your accounts are ${and(accounts)}.`,
  answersIn: {
    anyone: 'In channels and groups I answer everyone.',
    known: 'In channels and groups I answer people I know.',
    owners: 'In channels and groups I answer my owners.',
  },

  currentModel: ({ model }: { model: string }) => `${model} answers here.`,
  modelReset: ({ model }: { model: string }) => `${model} answers here again.`,
  modelSet: ({ model }: { model: string }) => `${model} answers from your next message on.`,
  modelUnchecked: 'I could not check whether this model exists.',
  unknownModel: ({ provider, model, command }: { provider: string; model: string; command: NameCommand }) =>
    `${provider} has no model ${model}. ${command('model')} lists those it has.`,
  modelForOwners: ({ role }: { role: string }) =>
    `Only owners can change the model, because it changes the cost. You are ${role}.`,
  currentAgent: ({ agent }: { agent: string }) => `${agent} answers here. You can choose from:`,
  onlyAgent: ({ agent }: { agent: string }) => `${agent} answers here.`,
  agentReset: ({ agent }: { agent: string }) => `${agent} answers here again.`,
  agentSet: ({ agent }: { agent: string }) => `${agent} answers from your next message on.`,
  unknownAgent: ({ agent, command }: { agent: string; command: NameCommand }) =>
    `There is no assistant ${agent}. ${command('assistant')} lists them.`,
  agentForOwners: ({ role }: { role: string }) =>
    `Only owners can choose another assistant in a room, and you are ${role}.`,
  agentNotForYou: ({ agent, role }: { agent: string; role: string }) =>
    `${agent} cannot be chosen by you, since you are ${role}.`,
  agentForNobody: ({ agent }: { agent: string }) =>
    `${agent} cannot be chosen here: it answers where the person who runs me has bound it.`,
  noTools: 'I may not use any tools here.',
  asksFirst: '(asks for approval)',

  usageHere: ({ sum }: { sum: string }) => `this conversation: ${sum}`,
  usageOfDay: ({ day, sum }: { day: string; sum: string }) => `${day}, all chats: ${sum}`,
  usageOfAgent: ({ agent, sum }: { agent: string; sum: string }) => `today, ${agent}: ${sum}`,
  usageNone: 'nothing yet',
  usage: ({ runs, input, output, cost }: { runs: number; input: number; output: number; cost: string }) =>
    `${count(runs, { one: 'answer', other: 'answers' })}, ${number(input)} tokens in, ${number(output)} out, ${cost}`,
  cost: ({ amount }: { amount: number }) => dollars(amount),
  costUnknown: 'no price is set',
  costPartly: ({ cost, n }: { cost: string; n: number }) =>
    `${cost} (${count(n, { one: 'answer', other: 'answers' })} without a price)`,
};
