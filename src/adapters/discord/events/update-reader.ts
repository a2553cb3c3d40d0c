// Updates of messages: edits of their authors, and later previews of the links in them.
import type { ChannelContext } from '#adapters/discord/rooms/channel-context.ts';
import type { InboundEvent } from '#adapters/gateway/inbound.ts';
import {
  type MessagePayload,
  messagePayloadSchema,
  type PreviewPayload,
  previewPayload,
  updatePayload,
} from './payload.ts';
import { readEdit, readPreview } from './read-message.ts';

/** An update with its place still to be known. */
export interface MessageUpdate {
  payload: MessagePayload | PreviewPayload;
  read(place: ChannelContext): InboundEvent | undefined;
}

/** Edits that are remembered, to distinguish an edit from a later preview of a link in the same message. */
const keptEdits = 1000;

/** Reads updates, each edit once; undefined for one that says nothing new. */
export function createUpdateReader(): (data: unknown) => MessageUpdate | undefined {
  const edits = new Map<string, string>();
  return (data) => {
    const { id, edited_timestamp: editedAt } = updatePayload.parse(data);
    if (editedAt === undefined || editedAt === null || edits.get(id) === editedAt) {
      const payload = previewPayload.parse(data);
      if (payload.embeds.length === 0) return undefined;
      return { payload, read: (place) => readPreview(payload, place) };
    }
    edits.delete(id);
    edits.set(id, editedAt);
    for (const oldest of edits.keys()) if (edits.size > keptEdits) edits.delete(oldest);
    const payload = messagePayloadSchema.parse(data);
    return { payload, read: (place) => readEdit(payload, place) };
  };
}
