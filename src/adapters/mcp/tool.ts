// A tool as a client sees it, and its call as the engine takes it.
import { z } from 'zod';
import { checkInput, unwrapped } from '#base/check-input.ts';
import { ParleyError } from '#base/errors.ts';
import type { ReaderCall } from '#engine/wire/memory/reader.ts';
import {
  isRepeatable,
  type ReaderDeclaration,
  type ReaderOperation,
  readerOperations,
} from '#engine/wire/memory/reader-operations.ts';
import { readerToolName } from '#engine/wire/runs/tool-names.ts';
import { snakeName } from './names.ts';

export interface ToolDefinition extends ReaderDeclaration {
  name: string;
  operation: ReaderOperation;
  title: string;
  description: string;
}

/** The operations that have words for people and models, by the names under which policies know them. */
export const mcpTools: readonly ToolDefinition[] = Object.entries<ReaderDeclaration>(
  readerOperations,
).flatMap(([name, { title, description, ...rest }]) => {
  const operation = name as ReaderOperation; // of the table
  return title === undefined || description === undefined
    ? []
    : [{ ...rest, name: readerToolName(operation), operation, title, description }];
});

/** Who calls: the agent of a token may be left out of its calls, and is no other one. */
interface ToolCaller {
  agent: string | undefined;
}

const agentField = 'agent_id';
const projectField = 'project_id';
const project = z.string().min(1).max(200).optional();

/**
 * A tool in the shape of `tools/list`. It has no schema of its output: the protocol requires a structured copy of each answer next to its text
 * for a tool that has one (https://modelcontextprotocol.io/specification/2025-06-18/server/tools#output-schema), and models read both.
 */
export function shownTool(tool: ToolDefinition, caller: ToolCaller) {
  const { name, title, description, effect } = tool;
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(inputOf(tool, caller)),
    annotations: {
      readOnlyHint: effect === 'reads',
      // of what only reads the protocol asks neither
      ...(effect !== 'reads' && {
        destructiveHint: effect === 'removes' || effect === 'replaces',
        idempotentHint: isRepeatable(effect),
      }),
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
  const schema = inputOf(tool, caller);
  const args = checkInput(schema, withEnums(schema, given ?? {}), {
    ...{ code: 'invalid_arguments', what },
    writes: !onlyReads(tool, given),
  });
  const { shape } = tool.input;
  const input: Record<string, unknown> = {};
  for (const field of Object.keys(shape)) {
    const value = args[clientName(tool, field)];
    if (value !== undefined) input[field] = value;
  }
  const agentID = 'agentID' in shape ? agentOf(args[agentField], caller) : undefined;
  if (agentID !== undefined) input.agentID = agentID;
  const projectID = 'projectID' in shape ? undefined : args[projectField];
  return { input, projectID: typeof projectID === 'string' ? projectID : undefined };
}

function agentOf(given: unknown, { agent }: ToolCaller): unknown {
  if (agent === undefined || given === undefined) return given ?? agent;
  // a name is the same in any case
  if (typeof given === 'string' && given.trim().toLowerCase() === agent.toLowerCase()) return agent;
  throw new ParleyError(
    'invalid_arguments',
    `${agentField}: expected "${agent}", whose token this is, received ${JSON.stringify(given)}.`,
    { hint: 'Leave it out. Nothing was written.' },
  );
}

/** Whether the call changes nothing: also a preview of what would be forgotten. */
function onlyReads({ effect }: ToolDefinition, given: unknown): boolean {
  return effect === 'reads' || (given as { mode?: unknown } | undefined)?.mode === 'preview';
}

/** The same arguments with each choice as the schema spells it: `Gotcha` is `gotcha`, `carried on` is `carried_on`. */
function withEnums(wrapped: z.core.$ZodType, given: unknown): unknown {
  const schema = unwrapped(wrapped);
  if (schema instanceof z.ZodEnum && typeof given === 'string') {
    const plain = given
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_');
    return schema.options.find((option) => option === plain) ?? given;
  }
  if (schema instanceof z.ZodArray && Array.isArray(given))
    return given.map((each) => withEnums(schema.element, each));
  if (!(schema instanceof z.ZodObject) || typeof given !== 'object' || given === null || Array.isArray(given))
    return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const field: z.core.$ZodType | undefined = schema.shape[name];
      return [name, field === undefined ? value : withEnums(field, value)];
    }),
  );
}

/** A refusal's text in which fields have the names that clients write (`agent_id` for `agentID`). */
export function inClientNames(tool: ToolDefinition, words: string, given: unknown): string {
  const { shape } = tool.input;
  // what only reads writes nothing either way
  const said = onlyReads(tool, given) ? words.replace(/ ?Nothing was written\./g, '') : words;
  // elsewhere a name of one word is a word like any other
  return said.replace(/^\w+(?=: )|\b[a-z]+[A-Z]\w*/g, (field) =>
    Object.hasOwn(shape, field) || field === 'projectID' ? clientName(tool, field) : field,
  );
}

function clientName({ fields = {} }: ToolDefinition, field: string): string {
  return fields[field] ?? snakeName(field);
}

/** The input under the names that clients write, with the project where the operation itself has none. */
function inputOf(tool: ToolDefinition, { agent }: ToolCaller): z.ZodObject {
  const { shape } = tool.input;
  const own = Object.entries(shape).map(([field, schema]) => {
    const isKnown = field === 'agentID' && agent !== undefined;
    return [clientName(tool, field), isKnown ? z.optional(schema) : schema];
  });
  const more = 'projectID' in shape || tool.project !== undefined ? {} : { [projectField]: project };
  return z.strictObject({ ...Object.fromEntries(own), ...more });
}

/** Draft 2020-12, as MCP has it; the root is an object. Lengths and other names are left out, which a refusal says: each list of tools is read by a model. */
function inputSchema(schema: z.ZodObject) {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    ...{ io: 'input', reused: 'inline', unrepresentable: 'any' },
    override({ jsonSchema }) {
      for (const bound of [
        'minLength',
        'maxLength',
        'minItems',
        'maxItems',
        'pattern',
        'additionalProperties',
        'propertyNames',
      ] as const)
        delete jsonSchema[bound];
      // what is empty when it is left out need not be said
      if (['[]', '""', 'false', '{}'].includes(JSON.stringify(jsonSchema.default))) delete jsonSchema.default;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // nobody asks for less than one of something, or for less than nothing
      if (jsonSchema.minimum === 0 || jsonSchema.minimum === 1) delete jsonSchema.minimum;
    },
  });
  return { ...made, type: 'object' as const };
}
