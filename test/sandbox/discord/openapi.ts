// Holds answers against Discord's own OpenAPI description. A helper of the sandbox's tests.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { once } from '../../support/once.ts';

const file = join(
  import.meta.dirname,
  ...Array.from({ length: 4 }, () => '..'),
  'shared',
  'platform-specs',
  'discord-openapi.json',
);

export interface Description {
  /** What is wrong with a successful answer of this route, or with a refusal. */
  complaints(answer: { method: string; template: string; status: number; body: unknown }): string[];
  /** What is wrong with a value that claims to be of this schema. */
  mismatch(schema: string, value: unknown): string[];
}

/** Each schema is compiled for itself, once, and is not polished: it judges a few answers, not a million. */
const quickly = { inlineRefs: false, code: { optimize: false } };

/** The description, or undefined where the folder with the platforms' specifications is not there. */
export const discordDescription = once((): Description | undefined => {
  if (!existsSync(file)) return undefined;
  const spec = JSON.parse(readFileSync(file, 'utf8'));
  const ajv = new Ajv2020({
    strict: false,
    allErrors: false,
    validateFormats: true,
    ...quickly,
  });
  // ajv-formats is CommonJS: its function is under `default` for an importer of types.
  addFormats.default(ajv);
  ajv.addFormat('snowflake', /^\d+$/);
  ajv.addFormat('nonce', true);
  ajv.addSchema(spec, 'discord');
  const check = (pointer: string, value: unknown): string[] => {
    const validate = ajv.getSchema(`discord#${pointer}`) ?? ajv.compile({ $ref: `discord#${pointer}` });
    if (validate(value) === true) return [];
    return (validate.errors ?? []).map((error) => `${pointer} ${error.instancePath} ${error.message}`);
  };
  const escaped = (part: string): string =>
    encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
  return {
    mismatch: (schema, value) => check(`/components/schemas/${schema}`, value),
    complaints({ method, template, status, body }) {
      const operation = spec.paths[template]?.[method.toLowerCase()];
      if (operation === undefined) return [`${method} ${template} is not in the description`];
      if (status === 429) return check('/components/schemas/RatelimitedResponse', body);
      if (status >= 400) return check('/components/schemas/ErrorResponse', withNumbers(body));
      const response = operation.responses[String(status)];
      if (response === undefined) return [`${method} ${template} never answers ${status}`];
      if (response.content === undefined)
        return body === undefined ? [] : [`${method} ${template} answers ${status} without a body`];
      const path = ['paths', template, method.toLowerCase(), 'responses', String(status), 'content'];
      return check(`/${[...path, 'application/json', 'schema'].map(escaped).join('/')}`, body);
    },
  };
});

/**
 * The description says that the codes inside `errors` are numbers; Discord sends words (`BASE_TYPE_MAX_LENGTH`), and so
 * do the documents of its API. Only that is put aside here.
 */
function withNumbers(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key, value) =>
    key === 'code' && typeof value === 'string' ? 0 : value,
  );
}
