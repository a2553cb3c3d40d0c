// A part that one person alone is shown in a room: how it is told from others in the outbox. How it is shown is its adapter's.
import { z } from 'zod';
import type { Part } from '#adapters/text/part.ts';
import type { Json } from '#base/json.ts';

const ephemeral = z.record(z.string(), z.string());
const partSchema = z.looseObject({ ephemeral });

/** What an adapter needs to show something to one person alone. It may hold a secret: it is kept in the ledger and never logged. */
export type Ephemeral = z.infer<typeof ephemeral>;

/** The same part for one person alone. */
export function ephemeralPart({ text, body }: Part, way: Ephemeral): Part {
  return { text, body: { ...(body as { [key: string]: Json }), ephemeral: way } }; // the body of every part of text is an object
}

/** How one person alone is shown it; undefined for a part that everybody there sees. */
export function ephemeralIn(part: Part): Ephemeral | undefined {
  return partSchema.safeParse(part.body).data?.ephemeral;
}

/** What everybody may read in the place of a part that could not be shown to one person alone, as Markdown. */
export const ephemeralLost =
  '_(My answer to a command could not be shown to the one who gave it alone, so I do not show it here. Please give it again.)_';
