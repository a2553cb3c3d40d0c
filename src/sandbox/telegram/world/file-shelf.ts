// Files that were sent in either direction, by their id. Bounded by number.
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { createCounter, type Shelf } from '#sandbox/store.ts';
import type { Upload } from './params.ts';
import type { TgFile, TgPhotoSize } from './wire.ts';

const fileLimit = 200;

interface ShelvedFile {
  id: string;
  uniqueID: string;
  path: string;
  upload: Upload;
}

export interface FileShelf {
  put(kind: string, upload: Upload): ShelvedFile;
  byID(id: string): ShelvedFile | undefined;
  byPath(path: string): ShelvedFile | undefined;
}

/** The files that were kept; beyond the limit the oldest is forgotten. */
export function createFileShelf(saved: { clock: Clock; shelf: Shelf }): FileShelf {
  const { shelf } = saved;
  const files = shelf
    .all<Omit<ShelvedFile, 'upload'> & { upload: Omit<Upload, 'bytes'> }>('file')
    .map(({ value, bytes }): ShelvedFile => ({ ...value, upload: { ...value.upload, bytes } }));
  const count = createCounter(saved, 'file', 0);
  return {
    put(kind, upload) {
      const uniqueID = createHash('sha256').update(upload.bytes).digest('base64url').slice(0, 15);
      const path = `${kind}/file_${count.next()}${/\.\w{1,8}$/.exec(upload.name)?.[0] ?? ''}`;
      const id = `BQAC${Buffer.from(`${path}:${uniqueID}`).toString('base64url')}`;
      const file = { id, uniqueID, path, upload };
      const { bytes, ...about } = upload;
      shelf.put('file', id, { ...file, upload: about }, bytes);
      files.push(file);
      const oldest = files.length > fileLimit ? files.shift() : undefined;
      if (oldest !== undefined) shelf.remove('file', oldest.id);
      return file;
    },
    byID: (id) => files.find((file) => file.id === id),
    byPath: (path) => files.find((file) => file.path === path),
  };
}

/** The file as messages carry a document. */
export function documentOf(file: ShelvedFile): TgFile {
  return {
    file_id: file.id,
    file_unique_id: file.uniqueID,
    file_size: file.upload.bytes.length,
    file_name: file.upload.name,
    mime_type: file.upload.mime,
  };
}

/** The file as messages carry one size of a photo. */
export function photoOf(file: ShelvedFile, size: { width: number; height: number }): TgPhotoSize {
  return {
    file_id: file.id,
    file_unique_id: file.uniqueID,
    file_size: file.upload.bytes.length,
    ...size,
  };
}

/** Width and height of a PNG, or undefined for anything else. */
export function pngSize(bytes: Uint8Array): { width: number; height: number } | undefined {
  const view = Buffer.from(bytes);
  if (view.length < 24 || view.toString('latin1', 1, 4) !== 'PNG') return undefined;
  return { width: view.readUInt32BE(16), height: view.readUInt32BE(20) };
}
