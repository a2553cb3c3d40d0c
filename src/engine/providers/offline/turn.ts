// What the offline model does next: look into memory, start agents, or say something. Pure and honest; the same prompt gives the same words.
import { asCalledInChat } from '#base/called-as.ts';
import { truncate } from '#base/text.ts';
import type { ModelCallInput } from '#engine/providers/calls/model-call.ts';
import { type AgentsTurn, agentsTurn } from './agents.ts';
import { guide } from './guide.ts';
import { intentOf } from './intent.ts';
import { pointedAt } from './pointed.ts';
import { hasToolResult, type Material, type RecalledPassage, recalledMaterial } from './recalled.ts';

type OfflineTurn = AgentsTurn;

/** What the offline model is asked. */
export type OfflineInput = ModelCallInput & { remembers: boolean };

const searchTool = 'memory_search';
const maxQuotes = 3;
const longestQuote = 600;
const longestQuery = 500;

const offline = 'I am running offline (no model key is set)';

/** What it can do, in a few lines. */
const about = `${offline}. So this is what I can do:

- **Remember** what you tell me: *My boat is called Tern.*
- **Quote** it when you ask, here and on the other platforms: *What is my boat called?*
- **Commands**: \`/help\` lists them, \`/memory recent\` shows what I remember, \`/forget me\` deletes it (on Slack with \`!\` in place of \`/\`).

With a key for a model I answer like any assistant: \`parley init\` asks for one. Say *guide* for how to set me up on Discord, Telegram and Slack (several screens).`;

/** The next turn for this prompt. */
export function nextTurn(asked: OfflineInput): OfflineTurn {
  const { messages, tools, toolChoice } = asked;
  const question = questionOf(messages);
  const maySearch = toolChoice !== 'none' && tools.some((tool) => tool.name === searchTool);
  const query = truncate(question, longestQuery);
  const search: OfflineTurn = { type: 'call', calls: [{ tool: searchTool, args: { query } }] };
  if (toolChoice === 'required' && maySearch && question !== '') return search;
  switch (intentOf(question)) {
    case 'guide':
      return { type: 'say', text: asCalledInChat(guide) };
    case 'about':
      return { type: 'say', text: asCalledInChat(about) };
    case 'greeting':
      return {
        type: 'say',
        text: `Hello! ${offline}, so I can only remember what is written to me and quote it when you ask. Ask what I can do, or tell me something.`,
      };
    case 'thanks':
      return { type: 'say', text: 'You are welcome.' };
    case 'farewell':
      return { type: 'say', text: 'Goodbye. I remember what you told me.' };
    case 'nod':
      return {
        type: 'say',
        text: 'I have asked nothing. Tell me something, or ask me about what you told me.',
      };
    case 'statement':
      return { type: 'say', text: acknowledgement(asked) };
    case 'recall': {
      const pointed = pointedAt(question, messages);
      if (pointed !== undefined) return { type: 'say', text: `${offline}, so I can only quote. ${pointed}` };
      const byAgents = agentsTurn(question, asked);
      if (byAgents !== undefined) return byAgents;
      if (maySearch && !hasToolResult(messages)) return search;
      return { type: 'say', text: recollection(recalledMaterial(asked)) };
    }
  }
}

/** What the person said last, without the notes and the name that the engine put before it. */
function questionOf(messages: ModelCallInput['messages']): string {
  const { content = '' } = messages.findLast((message) => message.role === 'user') ?? {};
  const text =
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const lines = text.split('\n').filter((line) => !/^(\[[^\][]{1,80}\] )?\[.*\]\s*$/.test(line));
  return lines
    .join('\n')
    .replace(/^\[[^\]\n]{1,80}\] /, '')
    .trim();
}

const noted = 'Noted: I will remember that.';

/** Whether an answer is what this model says to a statement, which tells nothing. */
export function isAcknowledgement(answer: string): boolean {
  return answer.startsWith(`${noted} ${offline}`);
}

function acknowledgement({ remembers }: OfflineInput): string {
  return remembers
    ? `${noted} ${offline}, so I can do no more with it than quote it when you ask.`
    : `I have read that, but conversations here are not stored in memory. ${offline}, so I can do no more with it.`;
}

function recollection({ passages, degraded }: Material): string {
  const quotes = passages.map(quoteOf).filter((quote) => quote !== undefined);
  const problem = degraded.length === 0 ? '' : `\n\n(My memory works only in part: ${degraded.join('; ')}.)`;
  if (quotes.length === 0) {
    return `${offline}, so I can only recall, and I remember nothing about that. Tell me, and ask me again later.${problem}`;
  }
  return `${offline}, so I can only recall. This is what I remember:\n\n${quotes.slice(0, maxQuotes).join('\n\n')}${problem}`;
}

/** A passage as a quotation with its source; undefined when it is only an old question or a request for the guide. */
function quoteOf({ text, speaker, where, at }: RecalledPassage): string | undefined {
  const [userText = '', answered] = text.split(/^assistant answered: /m);
  const words = userText.replace(/^[^\n]{1,100}? said: /, '').trim();
  const intent = intentOf(words);
  // The guide is known by heart, and the later pieces of a long answer say nothing about who asked what.
  if (words === '' || intent === 'guide' || intent === 'about') return undefined;
  // A statement is worth quoting on its own; an old question only with an answer that says something.
  const isStatement = intent === 'statement';
  const answer = isStatement ? '' : ownWords(answered);
  if (!isStatement && answer === '') return undefined;
  const saved = isStatement ? words : `${words}\n${answer}`;
  const lines = truncate(saved, longestQuote).split('\n');
  const source = where.startsWith('file ') ? `the ${where}` : `${speaker}, ${where}`;
  return `${lines.map((line) => `> ${line}`).join('\n')}\n— ${source}, ${dayAndTime(at)}`;
}

/** An old answer without what this model says of itself and without quotations and their sources. */
function ownWords(answered = ''): string {
  const lines = answered.split('\n').filter((line) => !/^\s*[>—]/.test(line) && !line.includes(offline));
  return lines.join('\n').trim();
}

/** `2026-11-21 14:05 UTC`. */
function dayAndTime(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return iso;
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
