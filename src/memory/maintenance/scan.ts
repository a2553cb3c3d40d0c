// Secrets in what was stored before they were looked for: found, and masked in their place. Not their forms.
import { setImmediate as nextTurn } from 'node:timers/promises';
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
    const secrets = (await Promise.all(texts.map((text) => inText(text, redact)))).flatMap(
      (one) => one ?? [],
    );
    found.push(...secrets.map(({ secret }) => secret));
    if (mode === 'fix' && secrets.length > 0)
      await store.retryWhileLocked(() =>
        store.atOnce(() => {
          for (const { secret, row: at, clean } of secrets) {
            store.texts.rewrite(at, clean);
            note(store, secret);
          }
        }),
      );
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

async function inText(text: StoredText, redact: Redact) {
  const [content, userText, assistantText] = await Promise.all(
    [text.content, text.userText, text.assistantText].map((part) => redact(part)),
  );
  if (content === undefined || userText === undefined || assistantText === undefined) return undefined;
  if (content.kinds.length + userText.kinds.length + assistantText.kinds.length === 0) return undefined;
  const { id, audience, row } = text;
  const kinds = content.kinds.length > 0 ? content.kinds : [...userText.kinds, ...assistantText.kinds];
  const clean = { content: content.text, userText: userText.text, assistantText: assistantText.text };
  return { row, clean, secret: { id, audience, kinds } };
}

/** Older versions and withdrawn records are in no chunk. */
async function scanRecords(store: Store, redact: Redact, mode: ScanRequest['mode']): Promise<FoundSecret[]> {
  const found: FoundSecret[] = [];
  for (let after = ''; ; ) {
    const records: StoredRecord[] = store.records.all(after, atOnce);
    if (records.length === 0) return found;
    after = records.at(-1)?.id ?? after;
    for (const record of records) {
      const clean = await redact(record.text);
      if (clean.kinds.length === 0) continue;
      const secret = { id: record.id, audience: record.audience, kinds: clean.kinds };
      found.push(secret);
      if (mode === 'fix')
        await store.retryWhileLocked(() =>
          store.atOnce(() => {
            store.governance.rewrite(record, clean);
            note(store, secret);
          }),
        );
    }
  }
}

function note({ audit }: Store, { id, audience, kinds }: FoundSecret): void {
  const detail = { kinds: kinds.join(', ') };
  audit.add({ action: 'redact', by: { name: 'operator' }, audience, ids: [id], detail });
}
