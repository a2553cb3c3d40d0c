// Answers of servers that imitate OpenAI's chat as their clients expect them: a stream of chunks that have choices, whatever was sent.
import { cutBody } from '#base/body-limit.ts';
import { tryJson } from '#base/json.ts';
import { truncate } from '#base/text.ts';

/** A status that says of an error inside an answer that said 200 that the server itself has a problem. */
const ownFault = 500;
/** Bytes of an answer that comes whole. */
const maxWhole = 16 * 2 ** 20;
/** Characters that are read of an answer that is neither JSON nor a stream. */
const maxWords = 2_000;

/**
 * The same response, as a stream of events: whole JSON is sent as one chunk, an error that came with a good status gets a bad one, and
 * chunks are repaired. What is neither JSON nor a stream, whatever it calls itself, is an error with its words.
 */
export async function repairAnswer(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const type = response.headers.get('content-type') ?? '';
  if (!type.includes('json')) return asStream(response.body);
  const text = await cutBody(response, maxWhole).text();
  const value = tryJson(text);
  if (!isObject(value)) return asStream(new Blob([text]).stream());
  if (!Array.isArray(value.choices)) return refusal(value);
  if (errorIn(value) !== undefined) return refusal(value);
  return new Response(eventsOf([value]), { headers: streamed });
}

/** As `repairAnswer` for servers of any kind: only an error that came with a good status. */
export async function refuseErrors(response: Response): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (!type.includes('json')) return response;
  const text = await cutBody(response, maxWhole).text();
  const value = tryJson(text);
  if (value === undefined) return refusal({ error: text });
  return isObject(value) && errorIn(value) !== undefined ? refusal(value) : new Response(text, response);
}

const streamed = { 'content-type': 'text/event-stream' };

/** Chunks, or one whole answer, as a stream of events with its end. */
function eventsOf(values: readonly Record<string, unknown>[]): string {
  const repair = createChunkRepair();
  const chunks = values.map((value) => JSON.stringify(repair(value)));
  if (!chunks.some((chunk) => finishes.test(chunk))) chunks.push(JSON.stringify(finishedChunk));
  return [...chunks, '[DONE]'].map((each) => `data: ${each}\n\n`).join('');
}

function asStream(body: ReadableStream<Uint8Array>): Response {
  return new Response(body.pipeThrough(repairedStream()), { headers: streamed });
}

/** The error in any of the forms that servers have, as OpenAI writes it; undefined for what is none. */
function errorIn(value: Record<string, unknown>): Record<string, unknown> | undefined {
  const { error, object, detail, message = detail, code, choices, base_resp: base } = value;
  // MiniMax says so in each answer: 0 where all is well
  if (isObject(base) && Number(base.status_code ?? 0) !== 0)
    return { code: base.status_code, message: wordsOf(base.status_msg) };
  if (isObject(error)) {
    const { message: own, metadata } = error;
    // a gateway has the words of the server that it asked beside its own
    const words = [own, metadata].filter((each) => each !== undefined).map(wordsOf);
    return { code, ...error, message: words.join(' ') };
  }
  if (error !== undefined && error !== null) return { code, message: wordsOf(error) };
  const isError = object === 'error' || (message !== undefined && choices === undefined);
  return isError ? { code, message: wordsOf(message) } : undefined;
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** An answer with status 200 that says no, with the status that it names. */
function refusal(value: Record<string, unknown>): Response {
  const error = errorIn(value) ?? { message: JSON.stringify(value) };
  const named = Number(error.code ?? error.status ?? Number.NaN);
  const status = Number.isInteger(named) && named >= 400 && named < 600 ? named : ownFault;
  return Response.json({ error }, { status });
}

const finishes = /"finish_reason"\s*:\s*"/;
const finishedChunk = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
/** A chunk that needs no look into it: it has choices, and no tools, whole messages, contents of parts or roles of a server's own. */
const plain =
  /"choices"\s*:\s*\[(?![\s\S]*("tool_calls"\s*:\s*\[|"message"\s*:\s*\{|"content"\s*:\s*\[|"base_resp"\s*:|"role"\s*:\s*"(?!assistant"|")))/;

/** The stream line by line; only lines with something to repair are read. What holds no event is an error with its words. */
function repairedStream(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const repair = createChunkRepair();
  let rest = '';
  let isFinished = false;
  let isStream = false;
  let other = '';
  const repaired = (line: string): string => {
    if (!line.startsWith('data:')) {
      const most = /^\s*[{[]/.test(other) ? maxWhole : maxWords;
      if (!isStream && !field.test(line) && other.length < most) other += `${line}\n`;
      return line;
    }
    isStream = true;
    isFinished ||= finishes.test(line);
    if (line.startsWith('data: [DONE]')) {
      if (isFinished) return line;
      return `data: ${JSON.stringify(finishedChunk)}\n\n${line}`;
    }
    if (plain.test(line)) return line;
    const value = tryJson(line.slice('data:'.length));
    if (!isObject(value)) return line;
    const error = errorIn(value);
    if (error === undefined) return `data: ${JSON.stringify(repair(value))}`;
    isFinished = true;
    return errorEvent(error);
  };
  /** The last line, which may be cut, and what was no stream at all. */
  const last = (): string => {
    const line = repaired(rest);
    if (isStream) {
      const isTorn = tornError.test(line) && tryJson(line.slice('data:'.length)) === undefined;
      return isTorn ? `${errorEvent({ message: line.slice('data:'.length) })}\n\n` : line;
    }
    const words = other.trim();
    if (words === '') return line;
    const values = valuesIn(words);
    const error = values.map(errorIn).find((each) => each !== undefined);
    const isAnswer = error === undefined && values.some(({ choices }) => Array.isArray(choices));
    const events = isAnswer
      ? eventsOf(values)
      : `${errorEvent(error ?? { message: truncate(words, maxWords) })}\n\n`;
    return `\n\n${events}`;
  };
  return new TransformStream({
    transform(bytes, controller) {
      rest += decoder.decode(bytes, { stream: true });
      const end = rest.lastIndexOf('\n') + 1;
      if (end === 0) return;
      const lines = rest
        .slice(0, end - 1)
        .split('\n')
        .map(repaired);
      rest = rest.slice(end);
      controller.enqueue(encoder.encode(`${lines.join('\n')}\n`));
    },
    flush(controller) {
      if (rest !== '' || other !== '') controller.enqueue(encoder.encode(last()));
    },
  });
}

/** Lines of a stream of events that are no data. */
const field = /^(?:event|id|retry)?:|^\s*$/;

/** The answer that a text without events is: one object, or chunks, each in a line. */
function valuesIn(text: string): Record<string, unknown>[] {
  const whole = tryJson(text);
  if (isObject(whole)) return [whole];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const values = lines.map(tryJson).filter(isObject);
  return values.length === lines.length ? values : [];
}

function errorEvent(error: object): string {
  return `data: ${JSON.stringify({ error })}`;
}

/** How an event with an error begins. */
const tornError = /^data:\s*\{\s*"(?:error|detail|message|object"\s*:\s*"error)"/;

/** Repairs the chunks of one answer: choices, each with a delta whose calls have numbers of their own and text as arguments. */
function createChunkRepair(): (chunk: Record<string, unknown>) => Record<string, unknown> {
  const number = createNumbering();
  return (chunk) => {
    const choices = Array.isArray(chunk.choices) ? chunk.choices.filter(isObject) : [];
    return { ...chunk, choices: choices.map((choice) => repairChoice(choice, number)) };
  };
}

function repairChoice(
  { message, delta = message, ...choice }: Record<string, unknown>,
  number: NumberOf,
): object {
  if (!isObject(delta)) return { ...choice, delta: {} };
  const { role: _, tool_calls: calls, ...rest } = delta;
  const said = Array.isArray(rest.content) ? { ...rest, ...saidIn(rest.content) } : rest;
  if (!Array.isArray(calls)) return { ...choice, delta: said };
  const isWhole = message !== undefined && delta === message;
  const repaired = calls
    .filter(isObject)
    .map((call) => ({ ...repairCall(call), index: number(call, isWhole) }));
  return { ...choice, delta: { ...said, tool_calls: repaired } };
}

/** The text and the thoughts in a content of parts, as Mistral and some proxies write it. */
function saidIn(parts: readonly unknown[]): { content: string; reasoning_content?: string } {
  const textIn = (each: unknown): string => {
    if (Array.isArray(each)) return each.map(textIn).join('');
    if (!isObject(each)) return typeof each === 'string' ? each : '';
    return textIn(each.text ?? each.thinking ?? '');
  };
  const isThought = (each: unknown): boolean =>
    isObject(each) && (each.type === 'thinking' || each.type === 'reasoning');
  const thoughts = textIn(parts.filter(isThought));
  const content = textIn(parts.filter((each) => !isThought(each)));
  return thoughts === '' ? { content } : { content, reasoning_content: thoughts };
}

type NumberOf = (call: Record<string, unknown>, isWhole: boolean) => number;

/** Numbers calls where a server numbers none of them, or all alike: a name under another id begins a new call. */
function createNumbering(): NumberOf {
  const calls = new Map<unknown, { number: number; id: unknown }>();
  let count = 0;
  return ({ index, id, function: called }, isWhole) => {
    const known = calls.get(index);
    const isNamed = isObject(called) && typeof called.name === 'string' && called.name !== '';
    const isOther = isWhole || (isNamed && (id ? id !== known?.id : index === undefined));
    if (known !== undefined && !isOther) return known.number;
    if (!isNamed && index === undefined && count > 0) return count - 1;
    const number = count;
    count += 1;
    calls.set(index, { number, id });
    return number;
  };
}

function repairCall(call: Record<string, unknown>): Record<string, unknown> {
  if (!isObject(call.function)) return call;
  const { name, arguments: args } = call.function;
  const isText = typeof args === 'string' || args === undefined || args === null;
  const made = typeof call.id === 'string' || typeof name !== 'string';
  const id = made ? {} : { id: `call_${crypto.randomUUID()}` };
  return {
    ...{ ...call, ...id },
    function: { ...call.function, arguments: isText ? args : JSON.stringify(args) },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
