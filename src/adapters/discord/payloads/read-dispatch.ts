// Reads what the gateway sends; a payload of another form is logged and passed over.
import { z } from 'zod';
import { formatZodError } from '#base/json.ts';
import type { Log } from '#base/log/log.ts';
import { dispatch } from './payload.ts';

/** Calls `take` with a dispatch; ignores a packet that is none. */
export function readDispatch(
  packet: unknown,
  log: Log,
  take: (found: z.infer<typeof dispatch>) => void,
): void {
  const found = dispatch.safeParse(packet);
  if (!found.success) return;
  try {
    take(found.data);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    log.warn({ event: found.data.t, unexpected: formatZodError(error) }, 'discord payload has another form');
  }
}
