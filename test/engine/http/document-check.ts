// Holds answers against the engine's own OpenAPI document, so that it cannot promise what is not so.
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: object;
}

/** A check of JSON answers; throws for one that its operation does not promise. */
export function createDocumentCheck(document: OpenApiDocument) {
  // Each schema is compiled for itself, once, and is not polished: it judges a few answers, not a million.
  const ajv = new Ajv2020({ strict: false, inlineRefs: false, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'https://parley.example/', components: document.components });
  const paths = Object.keys(document.paths)
    // A path without holes goes before one that would take it for an id.
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }));
  // An answer's schema is compiled once: it is the same for every answer of its operation and status.
  const compiled = new Map<object, ValidateFunction>();
  const compile = (schema: object): ValidateFunction => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const fits = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"https://parley.example/#/components')),
    );
    compiled.set(schema, fits);
    return fits;
  };
  return (method: string, at: string, response: { status: number; body: unknown }): void => {
    const path = paths.find(({ pattern }) => pattern.test(at.split('?')[0] ?? ''))?.path;
    const operation = document.paths[path ?? '']?.[method.toLowerCase()];
    if (operation === undefined) return; // refused: there is no such route
    const answer = operation.responses[response.status] ?? operation.responses.default;
    const schema = answer?.content?.['application/json']?.schema;
    if (schema === undefined)
      throw new Error(`${method} ${path}: no JSON is promised for ${response.status}`);
    const fits = compile(schema);
    if (!fits(response.body))
      throw new Error(
        `${method} ${path} ${response.status}: ${ajv.errorsText(fits.errors)}: ${JSON.stringify(response.body)}`,
      );
  };
}
