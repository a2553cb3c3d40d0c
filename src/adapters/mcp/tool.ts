// A tool as a client sees it, and its call as the engine takes it.
import { z } from 'zod';
import { checkInput } from '#base/check-input.ts';
import { ParleyError } from '#base/errors.ts';
import { type ReaderCall, type ReaderOperation, readerInputs } from '#engine/wire/memory/reader.ts';
import { snakeName } from './names.ts';

/** `adds once`: the same call again changes nothing. */
type ToolEffect = 'reads' | 'adds' | 'adds once' | 'changes' | 'removes';

export interface ToolDefinition {
  name: string;
  title: string;
  operation: ReaderOperation;
  effect: ToolEffect;
  /** For the model: when to use it and what it gives. */
  description: string;
  /** Names of fields that clients know under another one than their own. */
  fields?: Readonly<Record<string, string>>;
  output: z.ZodObject;
}

/** Who calls: the agent of a token may be left out of its calls, and is no other one. */
interface ToolCaller {
  agent: string | undefined;
}

const agentField = 'agent_id';
const projectField = 'project_id';
const project = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Reads and writes in this project only: what is open there is that of every agent');

/** A tool in the shape of `tools/list`. */
export function shownTool(tool: ToolDefinition, caller: ToolCaller) {
  const { name, title, description, effect, output } = tool;
  return {
    name,
    title,
    description,
    inputSchema: objectSchema(inputOf(tool, caller), 'input'),
    outputSchema: objectSchema(output, 'output'),
    annotations: {
      title,
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'removes',
      idempotentHint: effect !== 'adds',
      openWorldHint: false,
    },
  };
}

/**
 * Checks the arguments of a call and returns the call; throws a ParleyError `invalid_arguments` that names the field, what was expected
 * and what came.
 */
export function callOf(
  tool: ToolDefinition,
  given: unknown,
  caller: ToolCaller,
): Pick<ReaderCall, 'projectID' | 'input'> {
  const what = `The call of ${tool.name}`;
  const args = checkInput(inputOf(tool, caller), given ?? {}, { code: 'invalid_arguments', what });
  const { shape } = readerInputs[tool.operation];
  const input: Record<string, unknown> = {};
  for (const field of Object.keys(shape)) {
    const value = args[clientName(tool, field)];
    if (value !== undefined) input[field] = value;
  }
  if ('agentID' in shape) input.agentID = agentOf(args[agentField], caller);
  const projectID = 'projectID' in shape ? undefined : args[projectField];
  return { input, projectID: typeof projectID === 'string' ? projectID : undefined };
}

function agentOf(given: unknown, { agent }: ToolCaller): unknown {
  if (agent === undefined || given === undefined || given === agent) return given ?? agent;
  throw new ParleyError(
    'invalid_arguments',
    `${agentField}: expected "${agent}", whose token this is, received ${JSON.stringify(given)}.`,
    { hint: 'Leave it out. Nothing was written.' },
  );
}

/** A refusal's text in which the leading field has the name that clients write (`agent_id` for `agentID`). */
export function inClientNames(tool: ToolDefinition, words: string): string {
  const { shape } = readerInputs[tool.operation] as z.ZodObject;
  return words.replace(/^(\w+)(?=: )/, (field) =>
    Object.hasOwn(shape, field) ? clientName(tool, field) : field,
  );
}

function clientName({ fields = {} }: ToolDefinition, field: string): string {
  return fields[field] ?? snakeName(field);
}

/** The input under the names that clients write, with the project where the operation itself has none. */
function inputOf(tool: ToolDefinition, { agent }: ToolCaller): z.ZodObject {
  const { shape } = readerInputs[tool.operation] as z.ZodObject;
  const own = Object.entries(shape).map(([field, schema]) => {
    const isKnown = field === 'agentID' && agent !== undefined;
    return [clientName(tool, field), isKnown ? z.optional(schema) : schema];
  });
  const more = 'projectID' in shape || tool.operation.startsWith('memory') ? {} : { [projectField]: project };
  return z.strictObject({ ...Object.fromEntries(own), ...more });
}

/** Draft 2020-12, as MCP has it; the root is an object. */
function objectSchema(schema: z.ZodObject, io: 'input' | 'output') {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, reused: 'inline', unrepresentable: 'any' });
  return { ...made, type: 'object' as const };
}
