// Holds answers against the published list of Bot API methods and types. Unknown fields and missing ones are refused.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { z } from 'zod';
import { once } from '../../support/once.ts';

const file = join(
  import.meta.dirname,
  ...['..', '..', '..', '..', 'shared', 'platform-specs', 'telegram-bot-api.json'],
);

const field = z.object({ name: z.string(), types: z.array(z.string()), required: z.boolean() });
const spec = z.object({
  methods: z.record(z.string(), z.object({ returns: z.array(z.string()) })),
  types: z.record(
    z.string(),
    z.object({ fields: z.array(field).optional(), subtypes: z.array(z.string()).optional() }),
  ),
});

export interface Judge {
  /** What is wrong with a method's result; empty when it fits. */
  result(method: string, value: unknown): string[];
  type(name: string, value: unknown): string[];
}

/** Undefined when the specification is not there. */
export const botApiJudge = once((): Judge | undefined => {
  if (!existsSync(file)) return undefined;
  const { methods, types } = spec.parse(JSON.parse(readFileSync(file, 'utf8')));
  const definitions = Object.fromEntries(
    Object.entries(types).map(([name, { fields = [], subtypes }]) => [
      name,
      subtypes === undefined
        ? {
            type: 'object',
            additionalProperties: false,
            required: fields.filter(({ required }) => required).map((one) => one.name),
            properties: Object.fromEntries(fields.map((one) => [one.name, anyOf(one.types)])),
          }
        : anyOf(subtypes),
    ]),
  );
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    // Each type is compiled for itself, once, and is not polished: it judges a few answers, not a million.
    inlineRefs: false,
    code: { optimize: false },
  });
  ajv.addSchema({ $id: 'telegram', definitions });
  const compiled = new Map<string, ValidateFunction>();
  const judge = (names: readonly string[], value: unknown): string[] => {
    const key = names.join();
    const valid = compiled.get(key) ?? ajv.compile(anyOf(names));
    compiled.set(key, valid);
    if (valid(value)) return [];
    return (valid.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
  return {
    result: (method, value) =>
      methods[method] === undefined ? [`no method ${method}`] : judge(methods[method].returns, value),
    type: (name, value) => judge([name], value),
  };
});

function anyOf(names: readonly string[]): object {
  const schemas = names.map(schemaOf);
  return schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas };
}

function schemaOf(name: string): object {
  const inner = /^Array of (.+)$/.exec(name)?.[1];
  if (inner !== undefined) return { type: 'array', items: schemaOf(inner) };
  switch (name) {
    case 'Integer':
      return { type: 'integer' };
    case 'Float':
      return { type: 'number' };
    case 'String':
      return { type: 'string' };
    case 'Boolean':
      return { type: 'boolean' };
    default:
      return { $ref: `telegram#/definitions/${name}` };
  }
}
