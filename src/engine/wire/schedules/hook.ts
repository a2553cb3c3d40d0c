// Webhooks: programs that put something into a chat. Shapes and promises only.
import { z } from 'zod';

/** The largest body of a webhook's request, in bytes. */
export const hookBodyLimit = 256 * 1024;

const hookName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'expected a name of lower-case letters, digits and "-", at most 40');

export const newHook = z.strictObject({
  name: hookName,
  chat: z.string().min(1).max(1_000).describe('Canonical address of the chat where it speaks'),
  kind: z.enum(['text', 'prompt']).default('text'),
  template: z
    .string()
    .min(1)
    .max(4_000)
    .default('{{body}}')
    .describe('With `{{body}}` for the whole body, and `{{a.b}}` for a value of a JSON body'),
  per_minute: z.int().min(1).max(1_000).default(30).describe('Requests that are taken within a minute'),
});
export type NewHook = z.input<typeof newHook>;

export const hook = z.object({
  name: z.string(),
  chat: z.string(),
  kind: z.enum(['text', 'prompt']),
  template: z.string(),
  per_minute: z.number(),
  /** `stopped`: what it brought could not be sent any more; `reason` says why. */
  state: z.enum(['active', 'stopped']),
  reason: z.string().optional(),
  created_at_ms: z.number(),
  received_at_ms: z.number().nullable(),
});
export type Hook = z.infer<typeof hook>;

export const hookMade = hook.extend({ secret: z.string().describe('Shown only now') });
export type HookMade = z.infer<typeof hookMade>;

/** What a program sent, with how it proves that it knows the secret. */
export interface HookRequest {
  body: string;
  proof: { bearer: string } | { timestamp: string; signature: string };
  /** The same key is delivered once. Of a signed request it counts if it is signed too. */
  key: string | undefined;
}

export const hookTaken = z.object({ ok: z.literal(true), status: z.enum(['accepted', 'duplicate']) });

/** What is asked with a test: how long to wait for its outcome. */
export const hookTest = z.object({
  wait_ms: z.int().min(0).max(60_000).default(0).describe('How long to wait for what becomes of it'),
});

export const hookTested = z.object({
  ok: z.literal(true),
  status: z
    .enum(['waiting', 'accepted', 'sent', 'skipped', 'refused', 'failed'])
    .describe('`waiting` or `accepted`: nothing is known yet'),
  reason: z.string().optional(),
});
export type HookTested = z.infer<typeof hookTested>;

export interface HookService {
  /** A ParleyError `hook_exists` for a name that is taken, and `invalid_chat` for an address that is none. */
  createHook(input: NewHook): Promise<HookMade>;
  /** By name. */
  listHooks(): Promise<Hook[]>;
  /** A ParleyError `hook_not_found`. What it brought and is not sent goes too. */
  deleteHook(name: string): Promise<Hook>;
  /**
   * Makes a test message due, as if a program had sent it, and waits so long for what becomes of it. ParleyErrors as `receiveHook` has
   * them, and `hook_not_found`.
   */
  testHook(name: string, options?: { wait_ms?: number | undefined }): Promise<HookTested>;
  /**
   * Makes due what a program sent, once. ParleyErrors: `hook_refused` for a wrong name, secret, signature or time; `hook_stopped`;
   * `hook_too_often`.
   */
  receiveHook(name: string, request: HookRequest): Promise<'accepted' | 'duplicate'>;
}
