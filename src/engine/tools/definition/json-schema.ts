// A tool's arguments as JSON Schema, closed to keys that it does not name: providers hold models to it.
import { type ZodType, z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** Under these are schemas, by name; and under those one or several. */
const named: ReadonlySet<string> = new Set(['properties', 'definitions']);
const held: ReadonlySet<string> = new Set(['items', 'anyOf', 'allOf', 'oneOf', 'additionalProperties']);

/** The schema of what goes in (what has a default may be left out), in draft 7, which every provider reads. */
export function strictSchemaOf(input: ZodType): JsonSchema {
  return closed({ ...z.toJSONSchema(input, { target: 'draft-7', io: 'input', reused: 'inline' }) });
}

function closed(schema: JsonSchema): JsonSchema {
  const extra = schema.additionalProperties;
  const whole =
    schema.type === 'object' ? { ...schema, additionalProperties: isSchema(extra) ? extra : false } : schema;
  return mapValues(whole, (value, key) => {
    if (named.has(key) && isSchema(value)) return mapValues(value, closedAny);
    return held.has(key) ? closedAny(value) : value;
  });
}

function closedAny(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedAny);
  return isSchema(value) ? closed(value) : value;
}

function mapValues(values: JsonSchema, change: (value: unknown, key: string) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value, key)]));
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
