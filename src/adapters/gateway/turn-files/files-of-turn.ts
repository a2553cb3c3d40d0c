// The files of a turn's messages, and of those that they answer, as the model is given them. Not those of a thread before.

import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import type { AttachDeps, AttachedFile, FileRoom } from '#adapters/gateway/turn-prompt/attached-file.ts';
import type { AttachedFiles } from '#adapters/gateway/turn-prompt/prompt-body.ts';
import { attachFiles } from './attached-files.ts';
import { type ReceiveDeps, receiveFiles } from './receive-files.ts';

/** The attached files by message. Files that a person sent come first; files of quoted messages get what room is left. */
export async function filesOfTurn(
  batch: readonly InboxRow[],
  deps: AttachDeps & ReceiveDeps & { channel: Channel; fileRoom: FileRoom },
): Promise<ReadonlyMap<string, AttachedFiles>> {
  const received = await receiveFiles(batch, deps.channel, deps);
  const own = new Map<string, readonly AttachedFile[]>();
  for (const [id, outcomes] of received) own.set(id, await attachFiles(outcomes.own, deps.fileRoom, deps));
  const files = new Map<string, AttachedFiles>();
  for (const [id, { quoted }] of received)
    files.set(id, { own: own.get(id) ?? [], quoted: await attachFiles(quoted, deps.fileRoom, deps) });
  return files;
}
