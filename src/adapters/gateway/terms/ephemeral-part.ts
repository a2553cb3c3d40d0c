// A part that only one person sees in a room: how it is distinguished from others in the outbox. How it is shown is its adapter's.
import { z } from 'zod';
import type { MessagePart } from '#adapters/text/part.ts';
import type { Json } from '#base/json.ts';

const ephemeral = z.record(z.string(), z.string());
const partSchema = z.looseObject({ ephemeral });

/** What an adapter needs to show something only to one person. It may hold a secret: it is stored in the ledger and never logged. */
export type Ephemeral = z.infer<typeof ephemeral>;

/** The same part, only for one person. */
export function ephemeralPart({ text, body }: MessagePart, way: Ephemeral): MessagePart {
  return { text, body: { ...(body as { [key: string]: Json }), ephemeral: way } }; // the body of every part of text is an object
}

/** How the part is shown to one person only; undefined for a part that everyone in the chat sees. */
export function ephemeralIn(part: MessagePart): Ephemeral | undefined {
  return partSchema.safeParse(part.body).data?.ephemeral;
}
