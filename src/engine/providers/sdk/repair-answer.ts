// Answers of servers that imitate OpenAI's chat as their clients expect them: a stream of chunks that have choices, whatever was sent.
import { cutBody } from '#base/body-limit.ts';
import { tryJson } from '#base/json.ts';

/** A status that says of an error inside an answer that said 200 that the server itself has a problem. */
const ownFault = 502;
/** Bytes of an answer that comes whole. */
const maxWhole = 16 * 2 ** 20;

/**
 * The same response, as a stream of events: whole JSON is sent as one chunk, an error that came with a good status gets a bad one, and
 * chunks are repaired. What is no JSON and no stream stays unchanged.
 */
export async function repairAnswer(response: Response): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (type.includes('json')) return fromWhole(response);
  if (response.body === null || !type.includes('text/event-stream')) return response;
  const { headers, status, statusText } = response;
  return new Response(response.body.pipeThrough(repairedStream()), { headers, status, statusText });
}

/** As `repairAnswer` for servers of any kind: only an error that came with a good status. */
export async function refuseErrors(response: Response): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (!type.includes('json')) return response;
  const text = await cutBody(response, maxWhole).text();
  return refusal(tryJson(text), text) ?? new Response(text, response);
}

async function fromWhole(response: Response): Promise<Response> {
  const text = await cutBody(response, maxWhole).text();
  const value = tryJson(text);
  const refused = refusal(value, text);
  if (refused !== undefined) return refused;
  if (!isObject(value) || !Array.isArray(value.choices)) return new Response(text, response);
  const chunk = JSON.stringify(repairChunk(value, 'whole'));
  const chunks = finishes.test(chunk) ? [chunk] : [chunk, JSON.stringify(finishedChunk)];
  const events = [...chunks, '[DONE]'].map((each) => `data: ${each}\n\n`);
  return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });
}

/** The error in a body that came with status 200, with the status that it names. */
function refusal(value: unknown, text: string): Response | undefined {
  if (!isObject(value) || value.error === undefined || value.error === null) return undefined;
  const { error } = value;
  const named = isObject(error) ? Number(error.code ?? error.status) : Number.NaN;
  const status = Number.isInteger(named) && named >= 400 && named < 600 ? named : ownFault;
  // a plain text as error is what some servers send; the client reads its words from `message`
  const body = typeof error === 'string' ? JSON.stringify({ error: { message: error } }) : text;
  return new Response(body, { status, headers: { 'content-type': 'application/json' } });
}

const finishes = /"finish_reason"\s*:\s*"/;
const finishedChunk = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
/** A chunk that needs no look into it: it has choices, and no tools, whole messages or roles of a server's own. */
const plain =
  /"choices"\s*:\s*\[(?![\s\S]*("tool_calls"\s*:\s*\[|"message"\s*:\s*\{|"role"\s*:\s*"(?!assistant"|")))/;

/** The stream line by line; only lines with something to repair are read. */
function repairedStream(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  let isFinished = false;
  const repaired = (line: string): string => {
    if (!line.startsWith('data:')) return line;
    isFinished ||= finishes.test(line);
    if (line.startsWith('data: [DONE]')) {
      if (isFinished) return line;
      return `data: ${JSON.stringify(finishedChunk)}\n\n${line}`;
    }
    if (plain.test(line)) return line;
    const value = tryJson(line.slice('data:'.length));
    return isObject(value) && value.error === undefined
      ? `data: ${JSON.stringify(repairChunk(value, 'piece'))}`
      : line;
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
      if (rest !== '') controller.enqueue(encoder.encode(repaired(rest)));
    },
  });
}

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
