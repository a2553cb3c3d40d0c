// The tools that a model may call: found by name, their arguments checked, their results bounded. Not who records the calls.
import { type ToolSet, tool } from 'ai';
import type { ZodType } from 'zod';
import { wordsOf } from '#base/errors.ts';
import { zodWords } from '#base/json.ts';
import { truncate } from '#base/text.ts';
import type { Scope } from '#memory/terms/scope.ts';

/** What a tool may know of the run that calls it; set by the engine, never by the model. */
export interface ToolContext {
  scope: Scope;
  signal: AbortSignal;
}

export interface ToolOutput {
  /** Survives JSON. */
  result: unknown;
  /** Passages of memory that the model was shown by this, so that they are not archived again. */
  recalled: readonly string[];
}

export interface Tool<Input = unknown> {
  name: string;
  /** For the model: when to use it and what it gives. */
  description: string;
  input: ZodType<Input>;
  /** Throws in words; the model is told them. */
  run(input: Input, context: ToolContext): Promise<ToolOutput>;
}

export type ToolOutcome =
  | { status: 'completed'; result: unknown; recalled: readonly string[] }
  | { status: 'failed'; error: string; cause?: unknown };

export interface Tools {
  /** Names, descriptions and schemas for the model, without the means to run them. */
  specs: ToolSet;
  /** Runs a call. What can go wrong is an outcome; only the end of the run (its signal) is thrown. */
  call(name: string, args: unknown, context: ToolContext): Promise<ToolOutcome>;
}

/** A tool as the registry holds it; keeps the type of its input to itself. */
interface AnyTool {
  name: string;
  description: string;
  input: ZodType;
  call(args: unknown, context: ToolContext): Promise<ToolOutcome>;
}

/** Closes a tool over its input type: checks the arguments, then runs it. */
export function defineTool<Input>(definition: Tool<Input>): AnyTool {
  const { name, description, input } = definition;
  return {
    name,
    description,
    input,
    async call(args, context) {
      const parsed = input.safeParse(args);
      if (!parsed.success) {
        return { status: 'failed', error: `The arguments do not fit: ${zodWords(parsed.error).join('; ')}` };
      }
      return { status: 'completed', ...(await definition.run(parsed.data, context)) };
    },
  };
}

/** A registry of tools; a result longer than `outputChars` as JSON fails in words, so that nothing is cut in the middle. */
export function createTools(list: readonly AnyTool[], outputChars: number): Tools {
  const byName = new Map(list.map((entry) => [entry.name, entry]));
  return {
    specs: Object.fromEntries(
      list.map(({ name, description, input }) => [name, tool({ description, inputSchema: input })]),
    ),
    async call(name, args, context) {
      const found = byName.get(name);
      if (found === undefined) {
        const known = [...byName.keys()].join(', ');
        return {
          status: 'failed',
          error: `There is no tool ${JSON.stringify(truncate(name, 100))}; there are: ${known}.`,
        };
      }
      try {
        const outcome = await found.call(args, context);
        context.signal.throwIfAborted();
        if (outcome.status === 'failed') return outcome;
        const size = JSON.stringify(outcome.result).length;
        if (size <= outputChars) return outcome;
        return {
          status: 'failed',
          error: `The result is too long: ${size} characters, ${outputChars} are allowed.`,
        };
      } catch (cause) {
        context.signal.throwIfAborted();
        return { status: 'failed', error: truncate(wordsOf(cause), 500), cause };
      }
    },
  };
}
