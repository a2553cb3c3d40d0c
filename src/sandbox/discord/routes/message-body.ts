// What a caller may put into a message: Discord's checks in Discord's words. It reads bodies; it posts nothing.
import { z } from 'zod';
import type { SandboxFile } from '#sandbox/contract.ts';
import { componentRows } from '#sandbox/discord/world/component-rows.ts';
import { allPings, type Pings } from '#sandbox/discord/world/speech.ts';
import { badRequest, invalidField, tooLarge } from './refusal.ts';

/** Characters that a bot's message may have; measured in UTF-16 units, the strictest reading. */
const contentLimit = 2000;
const nonceLimit = 25;

const allowedMentions = z.looseObject({
  parse: z.array(z.enum(['users', 'roles', 'everyone'])).optional(),
  users: z.array(z.string()).optional(),
  roles: z.array(z.string()).optional(),
  replied_user: z.boolean().optional(),
});

const messageBody = z.looseObject({
  content: z.string().nullish(),
  embeds: z.array(z.unknown()).nullish(),
  components: componentRows.nullish(),
  flags: z.int().nullish(),
  nonce: z.union([z.string(), z.int()]).nullish(),
  enforce_nonce: z.boolean().nullish(),
  allowed_mentions: allowedMentions.nullish(),
  message_reference: z
    .looseObject({
      message_id: z.string(),
      channel_id: z.string().optional(),
      fail_if_not_exists: z.boolean().optional(),
    })
    .nullish(),
});

export type MessageBody = z.infer<typeof messageBody>;

/** The body of a create or edit call, checked against the limits that both share. */
export function readMessageBody(text: string): MessageBody {
  const result = messageBody.safeParse(parseBody(text));
  if (!result.success) {
    const field = String(result.error.issues[0]?.path[0] ?? 'content');
    throw invalidField(field, 'MODEL_TYPE_CONVERT', 'Could not interpret the value of this field.');
  }
  const { content, nonce } = result.data;
  if (typeof content === 'string' && content.length > contentLimit) {
    throw invalidField('content', 'BASE_TYPE_MAX_LENGTH', `Must be ${contentLimit} or fewer in length.`);
  }
  if (typeof nonce === 'string' && nonce.length > nonceLimit) {
    throw invalidField('nonce', 'BASE_TYPE_MAX_LENGTH', `Must be ${nonceLimit} or fewer in length.`);
  }
  return result.data;
}

/** Bytes of one file without a subscription, and of a whole request (Discord's "Uploading Files"). */
const fileLimit = 10 * 1024 * 1024;
const requestLimit = 25 * 1024 * 1024;
const maxFiles = 10;

/** The body of a create call, as JSON or as a form with `payload_json` and `files[n]`. */
export async function readPosted(request: Request): Promise<{ body: MessageBody; files: SandboxFile[] }> {
  const type = request.headers.get('content-type') ?? '';
  if (!type.startsWith('multipart/form-data'))
    return { body: readMessageBody(await request.text()), files: [] };
  const form = await request.formData();
  const files: SandboxFile[] = [];
  for (const [name, value] of form) {
    if (typeof value === 'string' || !/^files\[\d+\]$/.test(name)) continue;
    const bytes = new Uint8Array(await value.arrayBuffer());
    files.push({ name: value.name, mime: value.type || 'application/octet-stream', bytes });
  }
  const all = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (all > requestLimit || files.some(({ bytes }) => bytes.length > fileLimit)) throw tooLarge();
  if (files.length > maxFiles)
    throw invalidField('attachments', 'BASE_TYPE_MAX_LENGTH', `Must be ${maxFiles} or fewer in length.`);
  const payload = form.get('payload_json');
  return { body: readMessageBody(typeof payload === 'string' ? payload : ''), files };
}

/** The JSON of a body; an empty one counts as no fields. */
export function parseBody(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(50109, 'The request body contains invalid JSON.');
  }
}

/** The text of a message that is to be posted; refuses one with nothing to show. */
export function contentOf(body: MessageBody, files: readonly SandboxFile[] = []): string {
  const content = body.content ?? '';
  if (content.trim() === '' && (body.embeds ?? []).length === 0 && files.length === 0)
    throw badRequest(50006, 'Cannot send an empty message');
  return content;
}

/** Who the text may reach; without `allowed_mentions`, everyone it names. */
export function pingsOf(body: MessageBody): Pings {
  const allowed = body.allowed_mentions;
  if (allowed === undefined || allowed === null) return allPings;
  const parse = allowed.parse ?? [];
  if (parse.includes('users') && (allowed.users ?? []).length > 0) {
    throw invalidField(
      'allowed_mentions',
      'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
      'parse:["users"] and users: [ids...] are mutually exclusive.',
    );
  }
  return {
    people: parse.includes('users') ? 'all' : (allowed.users ?? []),
    roles: parse.includes('roles') ? 'all' : (allowed.roles ?? []),
    everyone: parse.includes('everyone') ? 'yes' : 'no',
    repliedUser: allowed.replied_user === true ? 'yes' : 'no',
  };
}
