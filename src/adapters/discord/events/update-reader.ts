// Updates of messages: edits of their authors, and later previews of the links in them.

import {
  type MessagePayload,
  messagePayloadSchema,
  type PreviewPayload,
  previewPayload,
  updatePayload,
} from '#adapters/discord/payloads/payload.ts';
import type { ChannelContext } from '#adapters/discord/rooms/channel-context.ts';
import type { InboundEvent } from '#adapters/gateway/terms/inbound.ts';
import { createLruCache } from '#base/caches/lru-cache.ts';
import { readEdit, readPreview } from './read-message.ts';

/** An update with its place still to be known. */
interface MessageUpdate {
  payload: MessagePayload | PreviewPayload;
  read(place: ChannelContext): InboundEvent | undefined;
}

export interface UpdateReader {
  /** Reads an update as it is reported, each edit once; undefined for one that says nothing new. */
  read(data: unknown): MessageUpdate | undefined;
  /** Reads the edit of a message of a page; undefined where this edit, or a later one, was reported. */
  missed(message: MessagePayload, place: ChannelContext): InboundEvent | undefined;
}

/** Edits that are remembered, to distinguish an edit from a later preview of a link in the same message. */
const maxEdits = 1000;

/** Reads updates; it remembers the latest thousand edits. */
export function createUpdateReader(): UpdateReader {
  const edits = createLruCache<string, string>(maxEdits);
  return {
    read(data) {
      const { id, edited_timestamp: editedAt } = updatePayload.parse(data);
      if (editedAt === undefined || editedAt === null || edits.get(id) === editedAt) {
        const payload = previewPayload.parse(data);
        if (payload.embeds.length === 0) return undefined;
        return { payload, read: (place) => readPreview(payload, place) };
      }
      edits.set(id, editedAt);
      const payload = messagePayloadSchema.parse(data);
      return { payload, read: (place) => readEdit(payload, place) };
    },
    missed(message, place) {
      const { id, edited_timestamp: editedAt } = message;
      if (typeof editedAt !== 'string') return undefined;
      const known = edits.get(id);
      if (known !== undefined && Date.parse(known) >= Date.parse(editedAt)) return undefined;
      edits.set(id, editedAt);
      return readEdit(message, place);
    },
  };
}
