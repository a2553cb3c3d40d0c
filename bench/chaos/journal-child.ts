// One process that closes sessions or consolidates memory until it is killed. It says which number it begins, and which it has done.
import { systemClock } from '#base/clock.ts';
import { codeOf } from '#base/errors.ts';
import { createIds } from '#base/ids.ts';
import { createMemory } from '#memory/memory.ts';
import { closeOf, journalAudience, journalBudgets, journalCaller, saidOf } from './journal-marks.ts';

const [folder = '', from = '0'] = process.argv.slice(2);
const memory = createMemory({
  ...{ path: `${folder}/memory.sqlite`, clock: systemClock, newId: createIds(systemClock), ahead: true },
  budgets: journalBudgets,
});
const say = (words: string): void => void process.stdout.write(`${words}\n`);

async function close(number: number): Promise<void> {
  const { items } = await memory.journal.listElements(journalCaller, { agentID: 'coder', kind: 'thread' });
  const open = items.filter(({ status }) => status === 'open').map(({ id }) => String(id));
  const input = closeOf(number, open);
  // a client that has no answer yet sends it again; after a kill it no longer knows what was inherited, and is answered that it was closed
  const send = () =>
    memory.journal.closeSession(journalCaller, input).catch((error: unknown) => {
      if (codeOf(error) !== 'close_key_used') throw error;
    });
  await Promise.all([send(), send()]);
}

async function remember(number: number): Promise<void> {
  const exchange = {
    ...{
      key: `run_${number}`,
      runID: `run_${number}`,
      userText: saidOf(number),
      assistantText: '',
      recalled: [],
    },
    ...{ at: 1_700_000_000_000 + number, speaker: { person: 'per_1', name: 'Ann' } },
    ...{
      where: { audience: journalAudience, restricted: true },
      platform: 'telegram',
      chat: 'telegram:dm:1',
    },
    ...{ sessionID: 'ses_1', messageIDs: [] },
  };
  await Promise.all([memory.archive(exchange), memory.archive(exchange)]);
  await memory.consolidate();
}

for (let number = Number(from); ; number += 1) {
  say(`begin ${number}`);
  await Promise.all([close(number), remember(number)]);
  say(`done ${number}`);
}
