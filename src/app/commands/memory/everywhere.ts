// `parley memory forget --everywhere`: a person or a chat, in memory, in conversations and in what the channels keep. Shown place by place before it is done.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerForgotten } from '#adapters/gateway/ledger/ledger-content.ts';
import { withEngine } from '#app/commands/parts/engine-call.ts';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { type LoadedConfig, loadConfig } from '#app/config/load.ts';
import { openLedgerContent } from '#app/running/access-admin.ts';
import { advice } from '#app/screen/screen.ts';
import { ParleyError } from '#base/errors.ts';
import { counted } from '#base/text.ts';
import type { StoredAdmin } from '#engine/wire/channels/channel-operations.ts';
import type { ContentForgotten, ContentOf } from '#engine/wire/sessions/content.ts';
import type { MemoryValues } from './memory-options.ts';
import { meantBy, typedSelection } from './selection.ts';

/** Asks the Parley that runs with the home folder, or its databases where none runs. Resolves with 1 when nothing is meant or something remains. */
export async function forgetEverywhere(input: CommandInput, values: MemoryValues): Promise<number> {
  const { print } = input;
  const { id, project, source, from, until, contains, agent, run, kind, key, tag } = values;
  const narrowed = [id, project, source, from, until, contains, agent, run, kind, key, tag];
  const named = [values.person, values.chat, values.session].filter((one) => one !== undefined);
  if (named.length !== 1 || narrowed.some((one) => one !== undefined))
    throw new ParleyError(
      'invalid_usage',
      `Expected --everywhere with one of --person, --chat and --${values.typed.session}.`,
      {
        hint: 'Leave --everywhere out to forget single memories.',
      },
    );
  const loaded = loadConfig(input);
  const { selection, persons, hint } = meantBy(values, loaded.home);
  const of = selectionOf(selection);
  const apply = values.apply;
  // engine and channels may have a home folder each: what is not here is not made
  const has = (database: string): boolean => existsSync(join(loaded.home, database));
  const reason = values.reason === undefined ? {} : { reason: values.reason };
  const content = has('engine.sqlite')
    ? await withEngine(input, ({ client }) => client.content.forget({ of, apply, ...reason }))
    : noContent;
  const saved = has('gateway.sqlite')
    ? await forgetInLedger(loaded, {
        of: { persons, chats: of.chats ?? [] },
        apply,
        sessionIDs: content.session_ids,
      })
    : nothingInLedger;
  const remains = [...content.remains, ...saved.remains];
  const total =
    content.memories + content.messages + content.schedules + saved.messages + saved.answers + saved.files;
  if (values.json) print(JSON.stringify({ ...content, remains, saved }));
  else if (total === 0) print(`Nothing stored matches ${typedSelection(values)}.`);
  else {
    print(apply ? 'Forgotten permanently:' : 'This would be forgotten; nothing was changed:');
    print(`  memory         ${counted(content.memories, 'entry')}`);
    print(`  conversations  ${counted(content.messages, 'message')}, ${content.sessions} of them whole`);
    print(`  schedules      ${content.schedules}`);
    print(`  runs           ${content.runs}, with their files`);
    print(`  inbox          ${counted(saved.messages, 'message')}, ${counted(saved.files, 'file')}`);
    print(`  outbox         ${counted(saved.answers, 'answer')}`);
    const left = saved.busy === 1 ? 'is being answered and is left' : 'are being answered and are left';
    if (saved.busy > 0) print(`  ${counted(saved.busy, 'message')} ${left}.`);
    if (hint !== undefined) print(hint);
    if (!apply) print('Add --apply to forget it permanently.');
    for (const words of remains) print(`  remains: ${words}`);
    if (apply)
      for (const line of advice(
        '"parley memory verify WORDS" looks for words in every file; backups are left.',
      ))
        print(line);
  }
  return total > 0 && remains.length === 0 ? 0 : 1;
}

const noContent = {
  ...{ applied: false, memories: 0, sessions: 0, messages: 0, schedules: 0, runs: 0 },
  session_ids: [],
  remains: [],
} satisfies ContentForgotten;
const nothingInLedger = {
  ...{ applied: false, messages: 0, answers: 0, files: 0, busy: 0 },
  remains: [],
} satisfies LedgerForgotten;

async function forgetInLedger(
  loaded: LoadedConfig,
  request: Parameters<StoredAdmin['forget']>[0],
): Promise<LedgerForgotten> {
  const { part, close } = await openLedgerContent(loaded);
  try {
    return await part.forget(request);
  } finally {
    await close();
  }
}

function selectionOf({ person, chat, session }: ReturnType<typeof meantBy>['selection']): ContentOf {
  const list = (value: string | readonly string[]): string[] => [value].flat();
  if (person !== undefined) return { persons: list(person) };
  return chat === undefined ? { sessions: list(session ?? []) } : { chats: list(chat) };
}
