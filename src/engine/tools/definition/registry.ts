// The tools that a model may call: found by name, their arguments checked, their results bounded.
import type { ZodType } from 'zod';
import { errorMessage } from '#base/errors.ts';
import { formatZodError } from '#base/json.ts';
import { lazy } from '#base/lazy.ts';
import type { Secrets } from '#base/secrets.ts';
import { truncate } from '#base/text.ts';
import type { ToolPolicy } from '#engine/permissions/policy.ts';
import type { RequestingCall } from '#engine/permissions/request-rows.ts';
import type { Artifact } from '#engine/wire/runs/artifact.ts';
import { memoryWriters } from '#engine/wire/runs/tool-names.ts';
import type { GivenPassage } from '#memory/types/dreaming.ts';
import type { Provenance, Scope } from '#memory/types/scope.ts';
import { type JsonSchema, strictSchemaOf } from './json-schema.ts';

/** Where a run was asked and for which person: where what it notes belongs. */
interface CallPlace {
  where: Provenance;
  platform: string;
  /** Canonical address of the chat, or a word for where else it came from. */
  chat: string;
  person: string;
  /** The time zone of the person's account, as its platform says it. */
  zone?: string | undefined;
  projectID?: string | undefined;
}

/** What a tool may know of the call and the run that makes it; set by the engine, never by the model. */
export interface ToolContext {
  /** What it may read of memory. */
  scope: Scope;
  place: CallPlace;
  signal: AbortSignal;
  /** Which call of which run this is. */
  asking: RequestingCall;
}

interface ToolOutput {
  /** Survives JSON. */
  result: unknown;
  /** Passages of memory that the model was shown by this, so that they are not archived again. */
  recalled?: readonly string[] | undefined;
  /** What was found in memory by this, with its scores. */
  found?: readonly GivenPassage[] | undefined;
  /** Files for the person that this wrote. */
  files?: readonly Artifact[] | undefined;
}

interface Tool<Input = unknown> {
  name: string;
  /** For the model: when to use it and what it gives. */
  description: string;
  input: ZodType<Input>;
  /** What holds where no policy names it; `allow` when absent. */
  otherwise?: ToolPolicy | undefined;
  /** True for a tool that is of use only where a person can be asked. */
  asks?: boolean | undefined;
  /** True for a tool that waits for a person or for other agents: its time is not charged to the run. As `asks` when absent. */
  waits?: boolean | undefined;
  /** True where the same call made twice does what one does: it is made again when the program died in the middle of it. */
  idempotent?: boolean | undefined;
  /** Characters that its arguments may have next to those of the answer; none when absent. */
  argumentChars?: number | undefined;
  /** Throws with a message, which the model gets. */
  run(input: Input, context: ToolContext): Promise<ToolOutput>;
}

type ToolOutcome =
  | {
      status: 'completed';
      result: unknown;
      recalled: readonly string[];
      found: readonly GivenPassage[];
      files: readonly Artifact[];
    }
  | { status: 'failed'; error: string; cause?: unknown };

/** A tool as the registry holds it; the type of its input is hidden inside. */
export interface AnyTool {
  name: string;
  description: string;
  /** JSON Schema of its arguments, for the model. */
  schema(): JsonSchema;
  otherwise: ToolPolicy;
  asks: boolean;
  waits: boolean;
  idempotent: boolean;
  argumentChars?: number | undefined;
  /** The arguments as the schema reads them, with its defaults; as they came where they do not fit. */
  read(args: unknown): unknown;
  call(args: unknown, context: ToolContext): Promise<ToolOutcome>;
}

/** Keeps what did not fit into a result, and says where. */
type KeepCut = (
  run: { runID: string; sessionID: string },
  cut: { tool: string; json: string },
) => Promise<Artifact>;

export interface Tools {
  /** The tools that there are now. */
  list(): readonly AnyTool[];
  /** Runs a call. What can go wrong is an outcome; only the end of the run (its signal) is thrown. */
  call(name: string, args: unknown, context: ToolContext): Promise<ToolOutcome>;
}

/** Closes a tool over its input type: checks the arguments, then runs it. */
export function defineTool<Input>(definition: Tool<Input>): AnyTool {
  const { name, description, input, otherwise = 'allow', asks = false, argumentChars } = definition;
  const { waits = asks, idempotent = false } = definition;
  return {
    name,
    description,
    // converted once, and only where a model gets it
    schema: lazy(() => strictSchemaOf(input)),
    otherwise,
    asks,
    waits,
    idempotent,
    argumentChars,
    read(args) {
      const parsed = input.safeParse(args);
      return parsed.success ? parsed.data : args;
    },
    async call(args, context) {
      const parsed = input.safeParse(args);
      if (!parsed.success) {
        return {
          status: 'failed',
          error: `The arguments do not fit: ${formatZodError(parsed.error).join('; ')}`,
        };
      }
      const { result, recalled = [], found = [], files = [] } = await definition.run(parsed.data, context);
      return { status: 'completed', result, recalled, found, files };
    },
  };
}

/** A tool of another program, whose arguments that program checks. */
export function foreignTool(definition: {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  schema: JsonSchema;
  /** See `Tool`. */
  idempotent: boolean;
  run(args: Record<string, unknown>, signal: AbortSignal): Promise<unknown>;
}): AnyTool {
  const { name, description, schema, idempotent, run } = definition;
  return {
    name,
    description,
    schema: () => schema,
    otherwise: 'ask',
    asks: false,
    waits: false,
    idempotent,
    read: (args) => args,
    async call(args, { signal }) {
      if (typeof args !== 'object' || args === null || Array.isArray(args)) {
        return { status: 'failed', error: 'The arguments do not fit: expected an object.' };
      }
      return {
        status: 'completed',
        result: await run({ ...args }, signal),
        recalled: [],
        found: [],
        files: [],
      };
    },
  };
}

/**
 * Names, descriptions and schemas for a model, without the means to run them. `short` is for small windows: the first sentence of each
 * description, and arguments by their names and types only.
 */
export function specsOf(tools: readonly AnyTool[], form: 'whole' | 'short' = 'whole') {
  return tools.map(({ name, description, schema, argumentChars, read }) => ({
    name,
    description: form === 'short' ? (/^.+?[.!](?=\s|$)/s.exec(description)?.[0] ?? description) : description,
    argumentChars,
    get schema() {
      return form === 'short' ? withoutDescriptions(schema()) : schema();
    },
    read,
  }));
}

/** What a schema says beyond names, types and choices. */
const wordy = new Set(
  '$schema description title pattern format default minLength maxLength minimum maximum minItems maxItems additionalProperties'.split(
    ' ',
  ),
);

/** The schema with names, types and choices only; a property that is named like a word of schemas stays. */
function withoutDescriptions(schema: JsonSchema): JsonSchema {
  const json = JSON.stringify(schema, (key, value: unknown) =>
    wordy.has(key) && typeof value !== 'object' ? undefined : value,
  );
  return JSON.parse(json) as JsonSchema; // it was one
}

/**
 * A registry of the tools that `list` gives at each call; what they give is masked. A result longer than `outputChars` as JSON is cut for the
 * model; the whole of it is stored through `keepCut`. What is written for a run in `outdated`, also by its agents, is refused.
 */
export function createTools(
  list: () => readonly AnyTool[],
  {
    outputChars,
    keepCut,
    secrets,
    outdated = new Set(),
  }: {
    outputChars: number;
    keepCut: KeepCut;
    secrets: Secrets;
    outdated?: ReadonlySet<string> | undefined;
  },
): Tools {
  return {
    list,
    async call(name, args, context) {
      const found = list().find((each) => each.name === name);
      if (found === undefined) {
        const known = list().map((each) => each.name);
        return {
          status: 'failed',
          error: `There is no tool ${JSON.stringify(truncate(name, 100))}; there are: ${known.join(', ')}.`,
        };
      }
      const { runID, shownIn } = context.asking;
      const isOutdated = outdated.has(runID) || outdated.has(shownIn?.runID ?? '');
      if (isOutdated && (memoryWriters.has(name) || name === 'todo_write'))
        return {
          status: 'failed',
          error: 'The message was changed or deleted by its author: nothing is stored.',
        };
      try {
        const called = await found.call(args, context);
        context.signal.throwIfAborted();
        if (called.status === 'failed') return { ...called, error: secrets.mask(called.error) };
        const outcome = { ...called, result: secrets.maskAll(called.result) };
        const json = JSON.stringify(outcome.result ?? null);
        if (json.length <= outputChars) return outcome;
        const { id } = await keepCut(context.asking, { tool: name, json });
        const result = { cut: `${json.length} characters, the first are shown`, keptAs: id, start: '' };
        return { ...outcome, result: { ...result, start: truncate(json, outputChars) } };
      } catch (cause) {
        context.signal.throwIfAborted();
        return { status: 'failed', error: truncate(secrets.mask(errorMessage(cause)), 500), cause };
      }
    },
  };
}
