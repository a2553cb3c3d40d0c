// `GET /docs`: the document of the routes as a page for people. One answer without scripts or anything loaded from elsewhere.
import { createHash } from 'node:crypto';
import { escapeMarkup } from '#base/text.ts';
import { defineRoute, type Route } from '#engine/http/routing/route.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
  description?: string;
}

interface Operation {
  tags?: string[];
  summary?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema?: Schema }> }>;
}

/** As much of an OpenAPI document as the page shows. */
interface ShownDocument {
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, Operation>>;
}

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{margin:2rem 0 .5rem}details{border-top:1px solid #8884;padding:.4rem 0}summary{cursor:pointer}code,pre{font:13px/1.5 ui-monospace,monospace}
pre{background:#8881;padding:.6rem;border-radius:.4rem;white-space:pre-wrap;margin:.3rem 0}summary code{font-weight:600}summary span{opacity:.8}
.m{display:inline-block;min-width:4.2rem;font:600 12px ui-monospace,monospace}h4{margin:.6rem 0 0}table{border-spacing:0}td{padding:0 .8rem 0 0;vertical-align:top}`;

/** The hash admits this one style and no other. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

/** The route; `document` is made at each request. */
export function docPageRoute(document: () => object): Route {
  return defineRoute({
    method: 'GET',
    path: '/docs',
    tag: 'service',
    summary: 'This document as a page; a browser asks for the token as a password',
    answers: { 200: { about: 'HTML', type: 'text/html' } },
    handle: () => new Response(documentPage(document() as ShownDocument), { headers }), // openApiOf makes these parts,
  });
}

/** The page; every word of the document is escaped. */
export function documentPage({ info, paths }: ShownDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const chapters = Map.groupBy(operations, ({ operation }) => operation.tags?.[0] ?? 'other');
  const body = [...chapters].map(
    ([tag, list]) => `<h2>${escapeMarkup(tag)}</h2>${list.map(operationHtml).join('')}`,
  );
  const title = escapeMarkup(`${info.title} ${info.version}`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style>
<h1>${title}</h1><p>${escapeMarkup(info.description ?? '')} Machines read <code>/openapi.json</code>.</p>${body.join('')}</html>`;
}

function operationHtml(entry: { path: string; method: string; operation: Operation }): string {
  const { path, method, operation } = entry;
  const { summary = '', parameters = [], requestBody, responses } = operation;
  const rows = parameters.map(
    ({ name, in: where, required, schema, description }) =>
      `<tr><td><code>${escapeMarkup(name)}</code><td>${escapeMarkup(where)}${required === true ? '' : ', optional'}<td><code>${escapeMarkup(shapeOf(schema))}</code><td>${escapeMarkup(description ?? '')}`,
  );
  const answers = Object.entries(responses).map(
    ([status, { description, content }]) =>
      `<h4>${escapeMarkup(status)}: ${escapeMarkup(description)}</h4>${contentHtml(content)}`,
  );
  return `<details><summary><span class="m">${escapeMarkup(method.toUpperCase())}</span> <code>${escapeMarkup(path)}</code> <span>${escapeMarkup(summary)}</span></summary>${
    rows.length === 0 ? '' : `<h4>Parameters</h4><table>${rows.join('')}</table>`
  }${requestBody === undefined ? '' : `<h4>Body</h4>${contentHtml(requestBody.content)}`}${answers.join('')}</details>`;
}

function contentHtml(content: Record<string, { schema?: Schema }> | undefined): string {
  return Object.entries(content ?? {})
    .map(([type, { schema }]) =>
      type === 'application/json'
        ? `<pre>${escapeMarkup(shapeOf(schema))}</pre>`
        : `<p><code>${escapeMarkup(type)}</code></p>`,
    )
    .join('');
}

/** A schema as one reads a type. */
function shapeOf(schema: Schema | undefined, indent = ''): string {
  if (schema === undefined) return 'any';
  const { $ref, enum: values, anyOf, oneOf, allOf, properties, items, type, required = [] } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? 'any';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  const union = anyOf ?? oneOf;
  if (union !== undefined) return union.map((each) => shapeOf(each, indent)).join(' | ');
  if (allOf !== undefined) return allOf.map((each) => shapeOf(each, indent)).join(' & ');
  if (items !== undefined) return `[${shapeOf(items, indent)}]`;
  if (properties !== undefined) {
    const inner = `${indent}  `;
    const lines = Object.entries(properties).map(([name, each]) => {
      const about = each.description === undefined ? '' : `  // ${each.description}`;
      return `${inner}${name}${required.includes(name) ? '' : '?'}: ${shapeOf(each, inner)}${about}`;
    });
    return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
  }
  if (typeof schema.additionalProperties === 'object')
    return `{ [name]: ${shapeOf(schema.additionalProperties, indent)} }`;
  return Array.isArray(type) ? type.join(' | ') : (type ?? 'any');
}
