// Fetches what came with a turn's messages into the uploads folder, or finds out why not. What the model gets of it is in prompt-body.ts.

import PQueue from 'p-queue';
import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import {
  type FileOutcome,
  firstOfOthers,
  type RefusedFileReason,
} from '#adapters/gateway/ledger/inbox/received-files.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { phrasesFor } from '#adapters/gateway/phrases/phrases.ts';
import type { Channel } from '#adapters/gateway/terms/channel.ts';
import type { FileRef } from '#adapters/gateway/terms/inbound.ts';
import { folderName, safeName } from '#adapters/uploads/safe-name.ts';
import type { UploadStore } from '#adapters/uploads/store.ts';
import type { Clock } from '#base/clock.ts';
import { codeOf, ParleyError } from '#base/errors.ts';
import { storageCodeOf } from '#base/files/disk-failures.ts';
import { defined } from '#base/json.ts';
import type { Log } from '#base/log/log.ts';
import { backoffMs, isAbort, withTimeout } from '#base/waiting/async.ts';

export interface ReceiveDeps {
  ledger: Ledger;
  uploads: UploadStore;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}

/** Files that are fetched at the same time. */
const atOnce = 3;
/** Files of one other message. */
const maxOfOthers = 10;
const maxAttempts = 3;
const retry = { firstMs: 1_000, capMs: 10_000 };
/** Longest time for one attempt at one file. */
const attemptMs = 120_000;
/** The store's own reasons, by the codes of its errors. */
const storeReasons: Readonly<Record<string, RefusedFileReason>> = {
  file_too_large: 'too large',
  file_is_page: 'web page',
  file_empty: 'empty',
};

/** The outcomes for a message's own files, and for those of the message that it answers; each in their order. */
interface MessageFiles {
  own: readonly FileOutcome[];
  quoted: readonly FileOutcome[];
}

/**
 * The outcome for every file of these messages, by message. Each outcome is committed as soon as it is known, so that a turn
 * that is begun again fetches nothing twice. Rejects only when the signal aborts or the ledger refuses.
 */
export async function receiveFiles(
  batch: readonly InboxRow[],
  channel: Channel,
  deps: ReceiveDeps,
): Promise<ReadonlyMap<string, MessageFiles>> {
  const queue = new PQueue({ concurrency: atOnce });
  const all = batch.map(async (row) => {
    const { files, quoted } = row.event;
    const each = (of: readonly FileRef[], first: number) =>
      Promise.all(
        of.map((file, index) =>
          queue.add(() => receive({ row, ordinal: first + index, file }, channel, deps)),
        ),
      );
    const quotedFiles = (quoted?.files ?? []).slice(0, maxOfOthers);
    const [own, answered] = await Promise.all([each(files, 0), each(quotedFiles, firstOfOthers)]);
    return [row.id, { own, quoted: answered }] as const;
  });
  return new Map(await Promise.all(all));
}

/**
 * The outcomes for files that were in the thread before this message, in their order. They are fetched again each time: what was
 * there may have changed. Rejects as `receiveFiles` does.
 */
export async function receiveEarlier(
  { row, files }: { row: InboxRow; files: readonly FileRef[] },
  channel: Channel,
  deps: ReceiveDeps,
): Promise<readonly FileOutcome[]> {
  const queue = new PQueue({ concurrency: atOnce });
  const first = firstOfOthers + maxOfOthers;
  return Promise.all(
    files.map((file, index) =>
      queue.add(() => fetchAndNote({ row, ordinal: first + index, file }, channel, deps)),
    ),
  );
}

interface Place {
  row: InboxRow;
  ordinal: number;
  file: FileRef;
}

async function receive(place: Place, channel: Channel, deps: ReceiveDeps): Promise<FileOutcome> {
  const known = deps.ledger.receivedFiles.get(place.row.id, place.ordinal);
  if (known?.status === 'refused') return known;
  if (known !== undefined && (await deps.uploads.find(known.path)) !== undefined) return known;
  return fetchAndNote(place, channel, deps);
}

async function fetchAndNote(
  { row, ordinal, file }: Place,
  channel: Channel,
  deps: ReceiveDeps,
): Promise<FileOutcome> {
  const { ledger } = deps;
  const outcome = await fetchFile(file, row, { ...deps, channel });
  await ledger.commit(() => ledger.receivedFiles.set(row.id, ordinal, outcome), 'written');
  return outcome;
}

async function fetchFile(
  file: FileRef,
  row: InboxRow,
  deps: ReceiveDeps & { channel: Channel },
): Promise<FileOutcome> {
  const { channel, uploads, clock, log, signal } = deps;
  const name = safeName(file.name);
  const { limitBytes } = uploads;
  const refused = (reason: RefusedFileReason, bytes?: number): FileOutcome => {
    const why = { reason, limitBytes, ...(bytes === undefined ? {} : { bytes }) };
    return { status: 'refused', name, words: refusalText(why, phrasesFor('en')), ...why };
  };
  if (channel.open === undefined) return refused('no way');
  if (file.size !== undefined && file.size > limitBytes) return refused('too large', file.size);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await keepOnce(file, row, deps);
    } catch (error) {
      if (isAbort(error, signal) || signal.aborted) throw error;
      const { kind, words, retryAfterMs } = channel.explain(error);
      log.warn({ inbox: row.id, attempt, kind, words }, 'a file could not be fetched');
      const passing = kind === 'transient' || kind === 'rate_limit';
      const reason = reasonOf(error);
      if (reason !== undefined) return refused(reason);
      if (!passing || attempt >= maxAttempts)
        return { status: 'refused', name, words: words.trim().replace(/\.$/, '') };
      await clock.sleep(retryAfterMs ?? backoffMs(attempt, retry), signal);
    }
  }
}

async function keepOnce(
  file: FileRef,
  row: InboxRow,
  { channel, uploads, clock, signal }: ReceiveDeps & { channel: Channel },
): Promise<FileOutcome> {
  const { address, event, writtenAt } = row;
  const limit = { clock, ms: attemptMs, what: 'Fetching the file', signal };
  const stored = await withTimeout(limit, async (bounded) => {
    // Checked by `fetchFile`: a channel without `open` never comes here.
    const stream = await channel.open?.(file, uploads.limitBytes, bounded);
    if (stream === undefined) throw new ParleyError('file_unavailable', 'The channel opens no files.');
    const place = folderName(address.kind === 'dm' ? event.actor.id : address.chat);
    const { name, mime, size } = file;
    const incoming = { channel: channel.platform, place, at: writtenAt, name, mime, size };
    return uploads.save(stream, incoming, bounded);
  });
  return { status: 'stored', ...stored, ...defined({ voice: file.voice, seconds: file.seconds }) };
}

/** The reason, where repeating is no use: the store's own, or the disk's. */
function reasonOf(error: unknown): RefusedFileReason | undefined {
  if (error instanceof ParleyError && Object.hasOwn(storeReasons, error.code))
    return storeReasons[error.code];
  switch (storageCodeOf(error) ?? codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'no space';
    case 'EACCES':
    case 'EROFS':
    case 'folder_unusable':
      return 'not writable';
    default:
      return undefined;
  }
}

/** Why a file was not taken, as the rest of a sentence; the platform's own reason is shown unchanged. */
export function refusalText(
  {
    reason,
    words = '',
    bytes,
    limitBytes = 0,
  }: {
    reason?: RefusedFileReason | undefined;
    words?: string | undefined;
    bytes?: number | undefined;
    limitBytes?: number | undefined;
  },
  { answers }: Phrases,
): string {
  switch (reason) {
    case undefined:
      return words;
    case 'no way':
      return answers.cannotFetch;
    case 'too large':
      return bytes === undefined
        ? answers.tooLargeUnmeasured({ limitBytes })
        : answers.tooLargeToTake({ bytes, limitBytes });
    case 'web page':
      return answers.webPage;
    case 'empty':
      return answers.empty;
    case 'no space':
      return answers.noSpace;
    case 'not writable':
      return answers.notWritable;
  }
}
