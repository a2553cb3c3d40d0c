// The files of a Discord message by reference: attachments, and stickers as pictures. Pure; their bytes are open-file.ts.

import type { FileRef } from '#adapters/gateway/terms/inbound.ts';
import { defined } from '#base/json.ts';
import type { MessagePayload } from './payload.ts';

/** Attachments, and stickers as the pictures that they are; Lottie has none. */
export function filesOf({
  attachments,
  sticker_items: stickers,
}: Pick<MessagePayload, 'attachments' | 'sticker_items'>): FileRef[] {
  const attached = attachments.map(({ url, filename, size, content_type: mime, waveform, ...audio }) => ({
    id: url,
    name: filename,
    size,
    ...defined({ mime: mime ?? undefined, seconds: audio.duration_secs ?? undefined }),
    ...(waveform != null && { voice: true as const }),
  }));
  const pictures = stickers
    .filter(({ format_type: format }) => format !== 3)
    .map(({ id, name, format_type: format }) => {
      const ending = format === 4 ? 'gif' : 'png';
      const url = `https://media.discordapp.net/stickers/${id}.${ending}`;
      return { id: url, name: `sticker ${name}.${ending}`, mime: `image/${ending}` };
    });
  return [...attached, ...pictures];
}
