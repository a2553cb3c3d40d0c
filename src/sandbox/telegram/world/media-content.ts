// A file as the field of a message that a person's client would send it in: photo, voice, sticker and the rest. Not its caption.
import { documentOf, photoOf, pngSize } from './file-shelf.ts';
import type { Upload } from './params.ts';
import type { State } from './state.ts';
import type { TgMessage } from './wire.ts';

export type MediaKind =
  | 'photo'
  | 'document'
  | 'audio'
  | 'video'
  | 'voice'
  | 'video_note'
  | 'sticker'
  | 'animation';

const square = { width: 512, height: 512 };

/** What a client makes of a file that is dropped into it. */
export function mediaKindOf({ mime, voice }: Pick<Upload, 'mime' | 'voice'>): MediaKind {
  if (voice === true) return 'voice';
  if (mime === 'image/png' || mime === 'image/jpeg') return 'photo';
  if (mime.startsWith('audio/')) return 'audio';
  return mime.startsWith('video/') ? 'video' : 'document';
}

/** The message's field for the file, which is put on the shelf. */
export function mediaContent(state: State, upload: Upload, kind: MediaKind): Partial<TgMessage> {
  const file = state.files.put(kind === 'photo' ? 'photos' : `${kind}s`, upload);
  const { file_name: _, ...nameless } = documentOf(file);
  const { mime_type: __, ...withoutType } = nameless;
  switch (kind) {
    case 'photo': {
      const size = pngSize(upload.bytes) ?? { width: 800, height: 600 };
      const thumb = state.files.put('photos', { ...upload, bytes: upload.bytes.subarray(0, 24) });
      return { photo: [photoOf(thumb, { width: 90, height: 68 }), photoOf(file, size)] };
    }
    case 'sticker':
      return {
        sticker: {
          ...withoutType,
          type: 'regular',
          ...square,
          is_animated: false,
          is_video: false,
          emoji: '👍',
        },
      };
    case 'voice':
      return { voice: { ...nameless, duration: upload.seconds ?? 3 } };
    case 'video_note':
      return { video_note: { ...withoutType, length: 240, duration: 3 } };
    case 'animation':
      return { animation: { ...documentOf(file), ...square, duration: 3 }, document: documentOf(file) };
    case 'audio':
      return { audio: { ...documentOf(file), duration: upload.seconds ?? 3 } };
    case 'video':
      return { video: { ...documentOf(file), ...square, duration: 3 } };
    case 'document':
      return { document: documentOf(file) };
  }
}
