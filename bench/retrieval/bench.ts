// `npm run bench:retrieval -- --data FILE --as turns|exchanges|recall [--everywhere] [--model none|FOLDER|synthetic:QUALITY]`: how good and how
// fast the public search and recall are, compared with plain FTS5. With `--everywhere` all conversations are in one store and are searched at once,
// while plain FTS5 still searches only the right one. Without `--data` documents are searched, and with `--as records` records,
// with each way of finding off and on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createMemory } from '#memory/memory.ts';
import { argumentsOf } from '../harness/arguments.ts';
import { archiveConversations, importConversations, readConversations } from './conversations.ts';
import { modelOf } from './models.ts';
import { type Measured, onConversations, onRecall } from './on-conversations.ts';
import { onDocuments } from './on-documents.ts';
import { onRecords } from './on-records.ts';

const { values } = argumentsOf({
  name: 'bench:retrieval',
  about:
    'Measures how good and how fast search and recall are, next to plain FTS5: over conversations, or over generated documents without `--data`. The last line is JSON.',
  options: {
    data: { value: 'FILE', about: 'conversations with questions' },
    as: {
      standard: 'turns',
      oneOf: ['turns', 'exchanges', 'recall', 'records'],
      about: 'what is asked',
    },
    everywhere: { isSwitch: true, about: 'asks all conversations at once' },
    model: { standard: 'none', about: 'of the embeddings: none, a FOLDER, or synthetic:QUALITY' },
  },
});
const { as } = values;
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'parley-retrieval-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

if (as === 'records') {
  print(JSON.stringify({ as, ...(await onRecords(folder, { model: values.model, print })) }));
  process.exit();
}
const conversations = values.data === undefined ? [] : readConversations(values.data);
const embedder = modelOf(values.model, conversations);
const memory = createMemory({
  path: join(folder, 'memory.sqlite'),
  clock: systemClock,
  newId: createIds(systemClock),
  embedder,
});
if (as === 'turns') await importConversations(memory, conversations, join(folder, 'transcripts'));
else await archiveConversations(memory, conversations);
while (embedder !== undefined && (await memory.status()).waiting > 0) await systemClock.sleep(200);

const measured: Measured = { memory, conversations, everywhere: values.everywhere, print };
const result =
  values.data === undefined
    ? await onDocuments(memory, folder, print)
    : as === 'recall'
      ? await onRecall(measured)
      : await onConversations(measured, as);
await memory.close();
print(JSON.stringify({ as: values.data === undefined ? 'documents' : as, ...result }));
