// What a terminal and its channel say to each other over HTTP. Shapes only.
import { z } from 'zod';

/** Who sits at a terminal: the account's name on this machine. */
export const terminalUser = z
  .string()
  .regex(/^[\w.@-]{1,64}$/, 'expected a name of letters, digits and . _ @ -');

export const terminalSayBody = z.strictObject({
  user: terminalUser,
  /** Made by the terminal: the same id is taken once. */
  id: z.string().regex(/^[\w-]{8,64}$/),
  text: z.string().min(1).max(100_000),
});

export const seenBody = z.strictObject({ user: terminalUser, key: z.string().min(1).max(64) });

export const listenQuery = z.strictObject({ user: terminalUser });

/**
 * `live` is the answer so far, `message` a complete one; a message with a `key` that was seen before is the same one.
 * `caught up` comes once, after what nobody had seen before.
 */
export const shown = z.discriminatedUnion('type', [
  z.object({ type: z.literal('live'), text: z.string() }),
  z.object({ type: z.literal('message'), key: z.string(), text: z.string() }),
  z.object({ type: z.literal('caught up') }),
]);
export type Shown = z.infer<typeof shown>;

export const sayPath = '/terminal/say';
export const seenPath = '/terminal/seen';
export const listenPath = '/terminal/listen';
