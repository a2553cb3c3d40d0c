// The parameters of one Bot API call, from query, JSON, form or multipart: checked reading, refusals in Telegram's words.
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { badRequest, Refusal } from './refusal.ts';

/** Telegram takes uploads of up to 50 MB. */
const bodyLimit = 52 * 1024 * 1024;

export interface Upload {
  name: string;
  mime: string;
  bytes: Uint8Array;
  /** From the client's recorder. */
  voice?: true | undefined;
  seconds?: number | undefined;
}

export interface Params {
  /** The value as text, or undefined when it is absent or empty. */
  text(name: string): string | undefined;
  /** The value as it came, also when it is blank. */
  raw(name: string): string;
  integer(name: string): number | undefined;
  flag(name: string): boolean;
  /** A JSON value by schema; `words` is the refusal when it is no JSON or does not fit. */
  json<T>(name: string, schema: z.ZodType<T>, words: string): T | undefined;
  upload(name: string): Upload | undefined;
}

/** Reads a request's parameters; a Refusal for a body that is too large or no form. */
export async function readParams(request: IncomingMessage, query: URLSearchParams): Promise<Params> {
  const fields = new Map<string, string>(query);
  const uploads = new Map<string, Upload>();
  const body = await readBody(request);
  const type = request.headers['content-type'] ?? '';
  if (body.length > 0 && type.startsWith('application/json')) {
    for (const [name, value] of Object.entries(jsonObject(body.toString('utf8'))))
      if (value !== null) fields.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  } else if (body.length > 0 && /^(multipart\/form-data|application\/x-www-form-urlencoded)/.test(type)) {
    const form = await readForm(body, type);
    for (const [name, value] of form) {
      if (typeof value === 'string') fields.set(name, value);
      else uploads.set(name, await uploadOf(value));
    }
  }
  return createParams(fields, uploads);
}

async function readForm(body: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  } catch {
    throw badRequest("can't parse the form in the request body");
  }
}

async function uploadOf(file: File): Promise<Upload> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { name: file.name, mime: file.type || 'application/octet-stream', bytes };
}

function createParams(fields: ReadonlyMap<string, string>, uploads: ReadonlyMap<string, Upload>): Params {
  const text = (name: string): string | undefined => fields.get(name) || undefined;
  return {
    text,
    raw: (name) => fields.get(name) ?? '',
    integer(name) {
      const value = text(name);
      if (value === undefined) return undefined;
      if (!/^-?\d{1,16}$/.test(value)) throw badRequest(`invalid ${name} specified`);
      return Number(value);
    },
    flag: (name) => /^(true|yes|1)$/i.test(fields.get(name) ?? ''),
    json(name, schema, words) {
      const value = text(name);
      if (value === undefined) return undefined;
      const result = schema.safeParse(parsed(value, words));
      if (!result.success) throw badRequest(words);
      return result.data;
    },
    upload(name) {
      const attached = /^attach:\/\/(.+)$/.exec(fields.get(name) ?? '')?.[1];
      return uploads.get(attached ?? name);
    },
  };
}

function parsed(text: string, words: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(words);
  }
}

function jsonObject(text: string): Record<string, unknown> {
  const words = 'object expected as request body';
  const result = z.record(z.string(), z.unknown()).safeParse(parsed(text, words));
  if (!result.success) throw badRequest(words);
  return result.data;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = Buffer.from(chunk);
    size += bytes.length;
    if (size > bodyLimit) throw new Refusal(413, 'Request Entity Too Large');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
