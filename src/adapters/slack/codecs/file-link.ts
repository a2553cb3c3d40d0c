// The link of a file that a message names only by its id, as it does files of other workspaces: asked of files.info. Not its bytes.
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { FileRef } from '#adapters/gateway/terms/inbound.ts';
import { fileSchema } from '#adapters/slack/calls/wire.ts';
import { ParleyError } from '#base/errors.ts';

const scheme = 'slack-file:';
const answerSchema = z.object({ file: fileSchema });

/** The `FileRef.id` of a file whose link Slack has not given yet. */
export function unlinkedFile(id: string): string {
  return scheme + id;
}

/**
 * Adds link, name, type and size to a file that has no link yet; returns any other file unchanged. Throws what the SDK throws, or a
 * ParleyError `slack_file`.
 */
export async function linkedFile(file: FileRef, web: () => WebClient): Promise<FileRef> {
  if (!file.id.startsWith(scheme)) return file;
  const answer = answerSchema.parse(
    await web().apiCall('files.info', { file: file.id.slice(scheme.length) }),
  );
  const { url_private_download: download, url_private: shown, name, mimetype, size } = answer.file;
  const id = download ?? shown;
  if (!id) throw new ParleyError('slack_file', 'Slack names the file, but not where it is.');
  return {
    id,
    name: name ?? file.name,
    mime: mimetype ?? file.mime,
    size: size ?? file.size,
  };
}
