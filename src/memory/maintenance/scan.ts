// Secrets in what was stored before they were looked for: found, and masked in their place. Not their forms.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { StoredText } from '#memory/chunks/chunk-texts.ts';
import type { StoredRecord } from '#memory/records/record-row.ts';
import type { Redact } from '#memory/secrets/redact.ts';
import type { Store } from '#memory/store/store.ts';
import type { FoundSecret, Scan, ScanRequest } from '#memory/types/maintenance.ts';

/** Rows that are read, and masked, at once; the event loop turns in between. */
const atOnce = 200;

/**
 * Looks through every chunk and record of every audience: for the owner of the file. With `fix` each one is masked with its words and
 * its vector, a line of the audit says so, and the old bytes are overwritten in every file.
 */
export async function scan(store: Store, redact: Redact, { mode, onProgress }: ScanRequest): Promise<Scan> {
  const total = store.chunks.count();
  const found: FoundSecret[] = [];
  let looked = 0;
  for (let row = 0; ; ) {
    const texts = store.texts.after(row, atOnce);
    if (texts.length === 0) break;
    row = texts.at(-1)?.row ?? row;
    looked += texts.length;
    for (let left = texts; left.length > 0; ) {
      const secrets = (await Promise.all(left.map((text) => inText(text, redact)))).flatMap(
        (one) => one ?? [],
      );
      const fixed = mode === 'fix' && secrets.length > 0 ? await fix(store, secrets) : undefined;
      found.push(...(fixed?.secrets ?? secrets.map(({ secret }) => secret)));
      left = fixed?.changed ?? [];
    }
    onProgress?.({ done: looked, total: Math.max(total, looked) });
    await nextTurn();
  }
  found.push(...(await scanRecords(store, redact, mode)));
  if (mode === 'fix' && found.length > 0) {
    await store.retryWhileLocked(() => store.responses.drop());
    await store.retryWhileLocked(store.leaveNoTrace);
  }
  return { looked, found, fixed: mode === 'fix' };
}

/** Masks texts that are as they were read; those that another process changed since come back as they are now. */
function fix(
  store: Store,
  found: readonly NonNullable<Awaited<ReturnType<typeof inText>>>[],
): Promise<{ secrets: FoundSecret[]; changed: StoredText[] }> {
  return store.retryWhileLocked(() =>
    store.atOnce(() => {
      const [secrets, changed]: [FoundSecret[], StoredText[]] = [[], []];
      for (const { text, clean, secret } of found) {
        const [now] = store.texts.after(text.row - 1, 1);
        if (now?.row !== text.row) continue; // forgotten since
        if (isDeepStrictEqual(now, text)) {
          store.texts.rewrite(text.row, clean);
          note(store, secret);
          secrets.push(secret);
        } else changed.push(now);
      }
      return { secrets, changed };
    }),
  );
}

async function inText(text: StoredText, redact: Redact) {
  const [content, userText, assistantText] = await Promise.all(
    [text.content, text.userText, text.assistantText].map((part) => redact(part)),
  );
  if (content === undefined || userText === undefined || assistantText === undefined) return undefined;
  if (content.kinds.length + userText.kinds.length + assistantText.kinds.length === 0) return undefined;
  const { id, audience } = text;
  const kinds = content.kinds.length > 0 ? content.kinds : [...userText.kinds, ...assistantText.kinds];
  const clean = { content: content.text, userText: userText.text, assistantText: assistantText.text };
  return { text, clean, secret: { id, audience, kinds } };
}

/** Older versions and withdrawn records are in no chunk. */
async function scanRecords(store: Store, redact: Redact, mode: ScanRequest['mode']): Promise<FoundSecret[]> {
  const found: FoundSecret[] = [];
  for (let after = ''; ; ) {
    const records: StoredRecord[] = store.records.all(after, atOnce);
    if (records.length === 0) return found;
    after = records.at(-1)?.id ?? after;
    for (const { id } of records)
      for (let record = store.records.get(id); record !== undefined; ) {
        const { text, audience } = record;
        const clean = await redact(text);
        if (clean.kinds.length === 0) break;
        const secret = { id, audience, kinds: clean.kinds };
        const now: StoredRecord | 'done' | undefined =
          mode === 'look'
            ? 'done'
            : await store.retryWhileLocked(() =>
                store.atOnce(() => {
                  const current = store.records.get(id);
                  if (current?.text !== text) return current;
                  store.governance.rewrite(current, clean);
                  note(store, secret);
                  return 'done';
                }),
              );
        if (now === 'done') found.push(secret);
        record = now === 'done' ? undefined : now;
      }
  }
}

function note({ audit }: Store, { id, audience, kinds }: FoundSecret): void {
  const detail = { kinds: kinds.join(', ') };
  audit.add({ action: 'redact', by: { name: 'operator' }, audience, ids: [id], detail });
}
