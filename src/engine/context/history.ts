// The part of a conversation that goes to the model: the newest whole exchanges within bounds.
import type { JSONValue, ModelMessage, ToolCallPart, ToolResultPart } from 'ai';
import type { Part, ToolPart } from '#engine/sessions/part-rows.ts';
import type { StoredMessage } from '#engine/sessions/wire-shapes.ts';
import { asSaid, asSaidIn, type SpeechOptions, speechOf } from './speech.ts';

export interface HistoryLimits {
  /** Characters of what is sent, tool calls and results included. */
  historyChars: number;
  /** Stored messages. */
  historyMessages: number;
}

interface History {
  messages: ModelMessage[];
  /** The stored messages that these were made from. */
  sources: StoredMessage[];
}

/**
 * The newest exchanges (a user message and what answered it) that fit, oldest first. An exchange is kept or dropped as a
 * whole, so that a tool call is never parted from its result. Each has an answer, or a note that there was none, so that no two
 * messages of people follow each other.
 */
export function historyOf(
  stored: readonly StoredMessage[],
  limits: HistoryLimits,
  speech: Omit<SpeechOptions, 'limit'>,
): History {
  const saved: Exchange[] = [];
  let messages = 0;
  let chars = 0;
  for (const exchange of exchangesOf(stored).reverse()) {
    messages += exchange.length;
    chars += exchange.reduce((sum, message) => sum + sizeOf(message), 0);
    if (messages > limits.historyMessages || chars > limits.historyChars) break;
    saved.unshift(exchange);
  }
  const options = { ...speech, limit: limits.historyChars };
  return {
    sources: saved.flat(),
    messages: saved.flatMap(([question, ...answers]) => [speechOf(question, options), ...answersOf(answers)]),
  };
}

/** A user message and what answered it. */
type Exchange = [StoredMessage, ...StoredMessage[]];

/** What answered a message: the answers that stand, or the last attempt, or that there was none. */
function answersOf(answers: readonly StoredMessage[]): ModelMessage[] {
  const whole = answers.flatMap((answer) => (answer.error === undefined ? answerMessages(answer.parts) : []));
  if (whole.length > 0) return whole;
  const last = answers.slice(-1).flatMap((answer) => answerMessages(sayableParts(answer)));
  return last.length > 0 ? last : [{ role: 'assistant', content: unanswered }];
}

const unanswered = '[No answer was given.]';
const brokenOff = '[This answer was broken off here.]';

/**
 * What later prompts hold of a message: the part of a cancelled answer that was written; of a failed one what its tools did, which is not to
 * be done again, or that there was none.
 */
export function sayableParts({ id, error, parts }: StoredMessage): readonly Part[] {
  if (error === undefined) return parts;
  if (error.code === 'CANCELLED')
    return [...parts, { id, type: 'text', text: '[This answer was cancelled here.]' }];
  const done = parts.filter(({ type }) => type === 'tool');
  return [...done, { id, type: 'text', text: done.length === 0 ? unanswered : brokenOff }];
}

/** Groups of messages that begin with a user message; what stands before the first one lost its question and is left out. */
function exchangesOf(stored: readonly StoredMessage[]): Exchange[] {
  const exchanges: Exchange[] = [];
  for (const message of stored) {
    if (message.role === 'user') exchanges.push([message]);
    else exchanges.at(-1)?.push(message);
  }
  return exchanges;
}

/** The characters of a message as they count for the limits of the history. */
export function sizeOf(message: StoredMessage): number {
  return sayableParts(message).reduce((sum, part) => sum + partSize(part), 0);
}

function partSize(part: Part): number {
  switch (part.type) {
    case 'text':
      return part.text.length;
    case 'reasoning':
      return 0;
    case 'file':
      return (part.filename ?? '').length + part.mime.length;
    case 'tool':
      return JSON.stringify(part.args ?? null).length + JSON.stringify(earlierOutputOf(part)).length;
  }
}

/**
 * An answer as the model gave it: text and calls, each run of calls followed by its results, as `output` tells them. Reasoning is not
 * sent again.
 */
export function answerMessages(
  parts: readonly Part[],
  output: (part: ToolPart) => ToolResultPart['output'] = earlierOutputOf,
): ModelMessage[] {
  const messages: ModelMessage[] = [];
  let content: ({ type: 'text'; text: string } | ToolCallPart)[] = [];
  let results: ToolResultPart[] = [];
  const flush = (): void => {
    if (content.length > 0) messages.push({ role: 'assistant', content: content });
    if (results.length > 0) messages.push({ role: 'tool', content: results });
    content = [];
    results = [];
  };
  for (const part of parts) {
    if (part.type === 'text') {
      if (results.length > 0) flush();
      if (part.text !== '') content.push({ type: 'text', text: part.text });
    }
    if (part.type === 'tool') {
      content.push({ type: 'tool-call', toolCallId: part.id, toolName: part.tool, input: part.args ?? {} });
      results.push({
        type: 'tool-result',
        toolCallId: part.id,
        toolName: part.tool,
        output: output(part),
      });
    }
  }
  flush();
  return messages;
}

/** True for a tool whose result is memory: who may read that can have changed since. */
export function givesMemory(tool: string): boolean {
  return tool.startsWith('memory_');
}

/**
 * What a tool part of an earlier run says to the model. What memory gave then is not shown again: the person who asks now may be another,
 * and what was open may be closed, changed or deleted.
 */
export function earlierOutputOf(part: ToolPart): ToolResultPart['output'] {
  return part.state === 'completed' && givesMemory(part.tool)
    ? { type: 'text', value: 'What memory gave then is not shown again. Search again if it is needed.' }
    : outputOf(part);
}

/** What a tool part says to the model, in which no block passes for memory; one that never ended says that. */
export function outputOf(part: ToolPart): ToolResultPart['output'] {
  switch (part.state) {
    case 'completed':
      return { type: 'json', value: asSaidIn(part.result) as JSONValue }; // it was stored as JSON
    case 'failed':
    case 'denied':
      return { type: 'error-text', value: asSaid(part.error) };
    case 'pending':
    case 'running':
      return { type: 'error-text', value: 'The call did not end.' };
  }
}
