// `/forget me`: all that is stored about a person, on all of their accounts: shown, asked about once, forgotten, and looked for afterwards.

import type { CommandCall, CommandHandler } from '#adapters/gateway/commands/command-context.ts';
import { isAboutOneself } from '#adapters/gateway/commands/enabled-commands.ts';
import { selfOf } from '#adapters/gateway/commands/people/self.ts';
import type { LedgerForgotten } from '#adapters/gateway/ledger/ledger-content.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { refusal } from '#adapters/gateway/terms/command-reply.ts';
import type { ContentForgotten } from '#engine/wire/sessions/content.ts';

/** `/forget me`: counts what is stored about the person, asks once, deletes it and verifies that nothing is left. */
export const forgetCommand: CommandHandler = async (call) => {
  const { args, row, ledger } = call;
  if (!isAboutOneself({ name: 'forget', args }))
    throw refusal(({ memory }, command) => memory.eraseHow({ command }));
  if (row.address.kind !== 'dm')
    throw refusal(({ commands }, command) => commands.inPrivate({ words: 'forget me', command }));
  const isConfirmed = /^me\s+yes$/i.test(args);
  if (!isConfirmed) return preview(call);
  const lanes = ledger.turns.unanswered().map(({ lane }) => lane);
  if (lanes.includes(row.lane))
    throw refusal(({ commands }, command) => commands.stillAnswering({ command }));
  const self = selfOf(call);
  // the engine first: what it has forgotten whole, the ledger lets go of
  const reason = 'asked for by the person in the chat';
  const content = await call.engine.forgetContent({ of: { persons: self.keys }, apply: true, reason });
  const saved = await inLedgerOf(call, { apply: true, sessionIDs: content.session_ids });
  const after = await amounts(call, false);
  const remains = [...content.remains, ...saved.remains];
  const { phrases } = call;
  const { memory } = phrases;
  const left = [...remains, ...(isNothing(after) ? [] : amountsOf(after, phrases))];
  const proof = left.length === 0 ? memory.erasedAll : memory.eraseLeft({ what: left });
  return [memory.erased({ amounts: amountsOf({ content, saved }, phrases) }), proof, memory.eraseOthers].join(
    ' ',
  );
};

async function preview(call: CommandCall): Promise<string> {
  const { accounts } = selfOf(call);
  const { phrases, command } = call;
  const { memory } = phrases;
  const found = await amounts(call, false);
  if (isNothing(found)) return memory.nothingToErase;
  const what = { accounts: accounts.length, amounts: amountsOf(found, phrases) };
  return [
    accounts.length > 1 ? memory.erasePreviewOnAll(what) : memory.erasePreview(what),
    memory.eraseConfirm({ command }),
  ].join('\n\n');
}

interface Amounts {
  content: ContentForgotten;
  saved: LedgerForgotten;
}

async function amounts(call: CommandCall, apply: false): Promise<Amounts> {
  const content = await call.engine.forgetContent({ of: { persons: selfOf(call).keys }, apply });
  return { content, saved: await inLedgerOf(call, { apply }) };
}

function inLedgerOf(
  call: CommandCall,
  how: { apply: boolean; sessionIDs?: readonly string[] },
): Promise<LedgerForgotten> {
  const { persons } = selfOf(call);
  return call.ledgerContent.forget({ of: { persons, chats: [] }, except: call.row.id, ...how });
}

function amountsOf({ content, saved }: Amounts, { memory }: Phrases): string[] {
  return [
    memory.memories({ n: content.memories }),
    memory.messagesOf({ n: content.messages, whole: content.sessions }),
    memory.received({ n: saved.messages }),
    memory.answers({ n: saved.answers }),
    memory.files({ n: saved.files }),
    memory.schedules({ n: content.schedules }),
  ];
}

/** What the command itself writes each time is no reason to go through all again. */
function isNothing({ content, saved }: Amounts): boolean {
  return (
    content.memories + content.messages + content.schedules + saved.messages + saved.answers + saved.files ===
    0
  );
}
