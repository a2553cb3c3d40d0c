// What the control interface takes, checked at the rim.
import { z } from 'zod';
import type { Fault, PressButton, React, Say } from './contract.ts';

const id = z.string().min(1).max(200);
const text = z.string().min(1, 'expected at least one character').max(100_000);
const target = z.enum(['send', 'edit', 'typing', 'receive', 'acknowledge', 'file', 'any']);
const times = z.int().min(1).max(1000);
const ms = z.int().min(0).max(3_600_000);

export const sayBody: z.ZodType<Say> = z.strictObject({
  chat: z.enum(['dm', 'room', 'private']),
  user: z.enum(['you', 'guest']),
  text,
  mention: z.boolean().optional(),
  replyTo: id.optional(),
  thread: id.optional(),
});

/** Bytes of a request with files, which are base64 in it: room for the 20 MB that Telegram hands out to bots. */
export const shareLimitBytes = 30 * 1024 * 1024;

export const shareBody: z.ZodType<Say> = z.strictObject({
  chat: z.enum(['dm', 'room', 'private']),
  user: z.enum(['you', 'guest']),
  text: z.string().max(1_000).default(''),
  mention: z.boolean().optional(),
  replyTo: id.optional(),
  thread: id.optional(),
  files: z
    .array(
      z
        .strictObject({
          name: z.string().min(1).max(200),
          mime: z.string().min(1).max(100),
          base64: z.base64(),
          voice: z.literal(true).optional(),
        })
        .transform(({ base64, ...file }) => ({
          ...file,
          bytes: new Uint8Array(Buffer.from(base64, 'base64')),
        })),
    )
    .min(1)
    .max(10),
});

export const textBody = z.strictObject({ id, text });

export const pressBody: z.ZodType<PressButton> = z.strictObject({
  id,
  user: z.enum(['you', 'guest']),
  at: z.int().min(0).max(24),
});

export const reactBody: z.ZodType<React> = z.strictObject({
  id,
  user: z.enum(['you', 'guest']),
  emoji: z.string().min(1).max(100),
  taken: z.literal('back').optional(),
});

export const idBody = z.strictObject({ id });

export const faultBody: z.ZodType<Fault> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rate_limit'), target, times, retryAfterMs: ms }),
  z.strictObject({ kind: z.literal('server_error'), target, times }),
  z.strictObject({ kind: z.literal('lost_response'), target, times }),
  z.strictObject({ kind: z.literal('slow'), target, times, delayMs: ms }),
  z.strictObject({ kind: z.literal('drop_socket') }),
  z.strictObject({ kind: z.literal('invalid_session') }),
]);
