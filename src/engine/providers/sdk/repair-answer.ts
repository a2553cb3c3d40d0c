// Answers of servers that imitate OpenAI's chat as their clients expect them: a stream of chunks that have choices, whatever was sent.
import { cutBody } from '#base/body-limit.ts';
import { tryJson } from '#base/json.ts';

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
  if (value.error !== undefined && value.error !== null) return refusal(value);
  const chunk = JSON.stringify(repairChunk(value, 'whole'));
  const chunks = finishes.test(chunk) ? [chunk] : [chunk, JSON.stringify(finishedChunk)];
  const events = [...chunks, '[DONE]'].map((each) => `data: ${each}\n\n`);
  return new Response(events.join(''), { headers: streamed });
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

function asStream(body: ReadableStream<Uint8Array>): Response {
  return new Response(body.pipeThrough(repairedStream()), { headers: streamed });
}

/** The error in any of the forms that servers have, as OpenAI writes it; undefined for what is none. */
function errorIn(value: Record<string, unknown>): Record<string, unknown> | undefined {
  const { error, object, detail, message = detail, code, choices } = value;
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
/** A chunk that needs no look into it: it has choices, and no tools, whole messages or roles of a server's own. */
const plain =
  /"choices"\s*:\s*\[(?![\s\S]*("tool_calls"\s*:\s*\[|"message"\s*:\s*\{|"role"\s*:\s*"(?!assistant"|")))/;

/** The stream line by line; only lines with something to repair are read. What holds no event is an error with its words. */
function repairedStream(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  let isFinished = false;
  let isStream = false;
  let other = '';
  const repaired = (line: string): string => {
    if (!line.startsWith('data:')) {
      if (!isStream && !field.test(line) && other.length < maxWords) other += `${line}\n`;
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
    if (error === undefined) return `data: ${JSON.stringify(repairChunk(value, 'piece'))}`;
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
    const value = tryJson(words);
    const error = isObject(value) ? errorIn(value) : undefined;
    return `\n\n${errorEvent(error ?? { message: words })}\n\n`;
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

function errorEvent(error: object): string {
  return `data: ${JSON.stringify({ error })}`;
}

/** How an event with an error begins. */
const tornError = /^data:\s*\{\s*"(?:error|detail|message|object"\s*:\s*"error)"/;

/** A chunk with choices, each with a delta whose calls have text as arguments; the calls of a whole answer are numbered. */
function repairChunk(chunk: Record<string, unknown>, how: 'whole' | 'piece'): Record<string, unknown> {
  const choices = Array.isArray(chunk.choices) ? chunk.choices.filter(isObject) : [];
  return { ...chunk, choices: choices.map((choice) => repairChoice(choice, how)) };
}

function repairChoice(
  { message, delta = message, ...choice }: Record<string, unknown>,
  how: 'whole' | 'piece',
): object {
  if (!isObject(delta)) return { ...choice, delta: {} };
  const { role: _, tool_calls: calls, ...rest } = delta;
  if (!Array.isArray(calls)) return { ...choice, delta: rest };
  const repaired = calls.filter(isObject).map(repairCall);
  const numbered = repaired.map((call, index) => (how === 'whole' ? { ...call, index } : call));
  return { ...choice, delta: { ...rest, tool_calls: numbered } };
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
