// The files of a Slack message by reference. Pure; their bytes are files.ts.
import type { FileRef } from '#adapters/gateway/terms/inbound.ts';
import type { SlackMessage } from '#adapters/slack/calls/wire.ts';
import { defined } from '#base/json.ts';
import { unlinkedFile } from './file-link.ts';

/** The files of a message and of the messages that it passes on, except deleted ones. */
export function filesOf({ files, attachments }: Pick<SlackMessage, 'files' | 'attachments'>): FileRef[] {
  const passed = (attachments ?? []).flatMap((one) => (one.is_share === true ? (one.files ?? []) : []));
  return [...(files ?? []), ...passed].flatMap((file) => {
    // deleted, or too old for the workspace's plan: there is nothing to open
    if (file.mode === 'tombstone' || file.mode === 'hidden_by_limit') return [];
    return [
      defined({
        // files of other workspaces come without a link: it has to be asked for
        id: (file.url_private_download ?? file.url_private) || unlinkedFile(file.id),
        name: file.name ?? undefined,
        mime: file.mimetype ?? undefined,
        size: file.size ?? undefined,
        voice: file.subtype === 'slack_audio' ? (true as const) : undefined,
        seconds: file.duration_ms == null ? undefined : file.duration_ms / 1000,
      }),
    ];
  });
}
