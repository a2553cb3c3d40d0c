// A call of a tool that a model wrote into its answer instead of making it: recognised only where nothing else is in the answer.
import { tryJson } from '#base/json.ts';

export interface WrittenCall {
  tool: string;
  args: unknown;
}

export interface WrittenCalls {
  /** The part of the text that is surely said, now that this came. */
  push(delta: string): string;
  /** The calls that the whole text was; undefined for any other text. */
  calls(): WrittenCall[] | undefined;
  /** What was held back, as the words that it is. */
  rest(): string;
}

/** Characters after which an answer that began like a call is an answer. */
const maxHeld = 8_000;
/** Within so many characters a call has named its tool or arguments. */
const enough = 60;

/** How such an answer begins: a mark of tool calls or a fence, then an object with one of the keys of a call. */
const beginning =
  /^\s*(?:```(?:json|tool_call|tool_code)?\s*|<tool_call>\s*|\[TOOL_CALLS\]\s*)?\[?\s*\{\s*"(?:name|tool|tool_name|function|type|id|arguments|parameters)"/;
/** The first characters of that, while too little has come. */
const maybe = /^\s*(?:[`<[{]|$)/;

/** Watches one answer of a model that was offered these tools. */
export function createWrittenCalls(tools: ReadonlySet<string>): WrittenCalls {
  let held = '';
  let isSaid = tools.size === 0;
  const rest = (): string => {
    isSaid = true;
    const text = held;
    held = '';
    return text;
  };
  return {
    push(delta) {
      if (isSaid) return delta;
      held += delta;
      const isPossible = held.length < enough ? maybe.test(held) : beginning.test(held);
      if (isPossible && held.length <= maxHeld) return '';
      return rest();
    },
    calls: () => (isSaid ? undefined : writtenCalls(held, tools)),
    rest,
  };
}

/** The calls that the text is, each of a tool that was offered; undefined for any other text. */
export function writtenCalls(text: string, tools: ReadonlySet<string>): WrittenCall[] | undefined {
  const calls = jsonIn(text.trim())?.map(callOf);
  if (calls === undefined || calls.length === 0) return undefined;
  const named = calls.flatMap((call) => (call !== undefined && tools.has(call.tool) ? [call] : []));
  return named.length === calls.length ? named : undefined;
}

/** The objects in a text that is nothing but JSON, in a fence or between the marks of calls. */
function jsonIn(text: string): unknown[] | undefined {
  const tagged = text.match(/<tool_call>[\s\S]*?<\/tool_call>/g);
  if (tagged !== null) {
    const isAll = text.replace(/<tool_call>[\s\S]*?<\/tool_call>/g, '').trim() === '';
    return isAll ? tagged.map((one) => tryJson(one.replace(/<\/?tool_call>/g, ''))) : undefined;
  }
  const [, fenced] = /^```(?:json|tool_call|tool_code)?\s*\n([\s\S]*?)\n?```$/.exec(text) ?? [];
  const value = tryJson((fenced ?? text).replace(/^\[TOOL_CALLS\]\s*/, ''));
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value : [value];
}

function callOf(value: unknown): WrittenCall | undefined {
  if (!isObject(value)) return undefined;
  const { function: inner, name, tool, tool_name: toolName } = value;
  if (isObject(inner)) return callOf(inner);
  const called = [name, tool, toolName, inner].find((each) => typeof each === 'string');
  const { arguments: args, parameters, args: short, input } = value;
  const given = args ?? parameters ?? short ?? input ?? {};
  const read = typeof given === 'string' ? tryJson(given) : given;
  return typeof called === 'string' && isObject(read) ? { tool: called, args: read } : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
