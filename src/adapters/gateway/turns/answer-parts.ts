// The parts of an answer next to what its previews left in the chat: which message each part takes over, and which has to say that it may be a repeat. Pure.

import type { NewOutboxRow } from '#adapters/gateway/ledger/outbox.ts';
import type { PreviewRow } from '#adapters/gateway/ledger/turns/turns.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import type { MessagePart } from '#adapters/text/part.ts';

/**
 * The parts for the outbox, files after texts, with send keys of at most 25 characters. A preview of unknown outcome that the platform can
 * neither find nor be kept from posting again makes its part a possible repeat; the last part speaks for previews beyond it. What a
 * preview is known to show exactly needs no further call.
 */
export function answerParts(
  turnID: string,
  { texts, files }: { texts: readonly MessagePart[]; files: readonly MessagePart[] },
  {
    previews,
    channel,
    exists,
  }: {
    previews: readonly PreviewRow[];
    channel: Pick<Channel, 'caps' | 'find'>;
    exists(ordinal: number, part: MessagePart): boolean;
  },
): NewOutboxRow['parts'] {
  const settled = channel.caps.idempotentSend || channel.find !== undefined;
  const unknown = settled ? [] : previews.filter(({ nativeID }) => nativeID === undefined);
  const repeated = new Set(unknown.map(({ ordinal }) => Math.min(ordinal, texts.length - 1)));
  return [...texts, ...files].map((part, ordinal) => {
    const preview = ordinal < texts.length ? previews.find((one) => one.ordinal === ordinal) : undefined;
    return {
      part,
      key: `f${turnID.slice(-20)}${ordinal.toString(36)}`,
      preview,
      possibleRepeat: repeated.has(ordinal),
      standing: preview?.nativeID !== undefined && exists(ordinal, part) ? preview.nativeID : undefined,
    };
  });
}
