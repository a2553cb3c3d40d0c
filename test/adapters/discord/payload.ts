// A message as Discord sends it, with the fields that a test is about. Not a test.
import { messagePayloadSchema } from '#adapters/discord/payloads/payload.ts';

/** The message with these fields in the place of the usual ones. */
export function message(fields: object) {
  return messagePayloadSchema.parse({
    id: '100',
    channel_id: '3',
    type: 0,
    content: 'hello',
    author: { id: '2', username: 'guest', global_name: 'Guest' },
    timestamp: '2024-05-06T07:08:09.000000+00:00',
    edited_timestamp: null,
    ...fields,
  });
}
