// `/forget me`: all that is stored about a person, on all of their accounts: told, asked once, forgotten, and looked for afterwards.

import type { CommandCall, CommandHandler } from '#adapters/gateway/commands/command-context.ts';
import { isAboutOneself } from '#adapters/gateway/commands/enabled-commands.ts';
import { selfOf } from '#adapters/gateway/commands/people/self.ts';
import { refusal } from '#adapters/gateway/commands/reply.ts';
import type { KeptForgotten } from '#adapters/gateway/keeping.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import type { SaidForgotten } from '#engine/wire/sessions/said.ts';

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
  const said = await call.engine.forgetSaid({ of: { persons: self.keys }, apply: true, reason });
  const saved = await keptOf(call, { apply: true, sessionIDs: said.session_ids });
  const after = await amounts(call, false);
  const remains = [...said.remains, ...saved.remains];
  const { phrases } = call;
  const { memory } = phrases;
  const left = [...remains, ...(isNothing(after) ? [] : amountsOf(after, phrases))];
  const proof = left.length === 0 ? memory.erasedAll : memory.eraseLeft({ what: left });
  return [memory.erased({ amounts: amountsOf({ said, saved }, phrases) }), proof, memory.eraseOthers].join(
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
  said: SaidForgotten;
  saved: KeptForgotten;
}

async function amounts(call: CommandCall, apply: false): Promise<Amounts> {
  const said = await call.engine.forgetSaid({ of: { persons: selfOf(call).keys }, apply });
  return { said, saved: await keptOf(call, { apply }) };
}

function keptOf(
  call: CommandCall,
  how: { apply: boolean; sessionIDs?: readonly string[] },
): Promise<KeptForgotten> {
  const { persons } = selfOf(call);
  return call.keeping.forget({ of: { persons, chats: [] }, except: call.row.id, ...how });
}

function amountsOf({ said, saved }: Amounts, { memory }: Phrases): string[] {
  return [
    memory.memories({ n: said.memories }),
    memory.messagesOf({ n: said.messages, whole: said.sessions }),
    memory.received({ n: saved.messages }),
    memory.answers({ n: saved.answers }),
    memory.files({ n: saved.files }),
    memory.schedules({ n: said.schedules }),
  ];
}

/** What the command itself writes each time is no reason to go through all again. */
function isNothing({ said, saved }: Amounts): boolean {
  return said.memories + said.messages + said.schedules + saved.messages + saved.answers + saved.files === 0;
}
