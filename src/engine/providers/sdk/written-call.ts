// A call of a tool that a model wrote into its answer instead of making it: recognised only where nothing else is in the answer.
import { z } from 'zod';
import { tryJson } from '#base/json.ts';
import type { ToolSpec } from '#engine/providers/calls/model-call.ts';

export interface WrittenCall {
  tool: string;
  args: Record<string, unknown>;
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
export function createWrittenCalls(tools: readonly OfferedTool[]): WrittenCalls {
  let held = '';
  let isSaid = tools.length === 0;
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

/** What is known of a tool that the model may call. */
type OfferedTool = Pick<ToolSpec, 'name' | 'schema'>;

/** The calls that the text is, each of a tool that was offered and with arguments that fit it; undefined for any other text. */
export function writtenCalls(text: string, tools: readonly OfferedTool[]): WrittenCall[] | undefined {
  const calls = jsonIn(text.trim())?.map(callOf);
  if (calls === undefined || calls.length === 0) return undefined;
  const fitting = calls.flatMap((call) => {
    const tool = tools.find(({ name }) => name === call?.tool);
    return call !== undefined && tool !== undefined && fits(call.args, tool) ? [call] : [];
  });
  return fitting.length === calls.length ? fitting : undefined;
}

/** Whether a tool can be called so. A schema where the arguments should be is what the model tells about the tool. */
function fits(args: Record<string, unknown>, { schema }: OfferedTool): boolean {
  const own = isObject(schema.properties) ? schema.properties : {};
  if (args.type === 'object' && isObject(args.properties) && !('properties' in own)) return false;
  try {
    return z.fromJSONSchema(schema).safeParse(args).success;
  } catch {
    // a schema of another program with words that are not known here: that program checks the arguments
    const { required } = schema;
    return !Array.isArray(required) || required.every((name) => Object.hasOwn(args, name));
  }
}

/** An object in a text that is nothing but JSON; `isMarked` where it stands between the marks of calls. */
interface Written {
  value: unknown;
  isMarked: boolean;
}

/** The objects in a text that is nothing but JSON, in a fence or between the marks of calls. */
function jsonIn(text: string): Written[] | undefined {
  const tagged = text.match(/<tool_call>[\s\S]*?<\/tool_call>/g);
  if (tagged !== null) {
    const isAll = text.replace(/<tool_call>[\s\S]*?<\/tool_call>/g, '').trim() === '';
    if (!isAll) return undefined;
    return tagged.map((one) => ({ value: tryJson(one.replace(/<\/?tool_call>/g, '')), isMarked: true }));
  }
  const [, fenced] = /^```(?:json|tool_call|tool_code)?\s*\n([\s\S]*?)\n?```$/.exec(text) ?? [];
  const mark = /^\[TOOL_CALLS\]\s*/;
  const value = tryJson((fenced ?? text).replace(mark, ''));
  if (value === undefined) return undefined;
  return [value].flat().map((each) => ({ value: each, isMarked: mark.test(text) }));
}

/** All keys that a call has: with any other one it is the description of a tool, or something else. */
const callKeys = new Set(
  'name tool tool_name function type id call_id tool_call_id index arguments parameters args input'.split(
    ' ',
  ),
);

/** Without a mark only an object with arguments is a call: a name alone may be the answer. */
function callOf({ value, isMarked }: Written): WrittenCall | undefined {
  if (!isObject(value) || Object.keys(value).some((key) => !callKeys.has(key))) return undefined;
  const { function: inner, name, tool, tool_name: toolName } = value;
  if (isObject(inner)) return callOf({ value: inner, isMarked });
  const called = [name, tool, toolName, inner].find((each) => typeof each === 'string');
  const { arguments: args, parameters, args: short, input } = value;
  const given = args ?? parameters ?? short ?? input ?? (isMarked ? {} : undefined);
  const read = typeof given === 'string' ? tryJson(given) : given;
  return typeof called === 'string' && isObject(read) ? { tool: called, args: read } : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
