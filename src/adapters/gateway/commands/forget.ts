// `/forget me`: all that is stored about a person, on all of their accounts: told, asked once, forgotten, and looked for afterwards.
import type { KeptForgotten } from '#adapters/gateway/keeping.ts';
import type { SaidForgotten } from '#engine/wire/said.ts';
import type { CommandCall, CommandHandler } from './command-context.ts';
import { isAboutOneself } from './enabled-commands.ts';
import { named } from './naming.ts';
import { refusal } from './reply.ts';
import { selfOf } from './self.ts';

export const forget: CommandHandler = async (call) => {
  const { args, row, ledger } = call;
  if (!isAboutOneself({ name: 'forget', args }))
    throw refusal(
      `${named(row.address, 'forget me')} deletes all that I store of you; ${named(row.address, 'memory forget ID')} deletes one memory.`,
    );
  if (row.address.kind !== 'dm')
    throw refusal(`That is between us: write ${named(row.address, 'forget me')} to me in private.`);
  const isConfirmed = /^me\s+yes$/i.test(args);
  if (!isConfirmed) return preview(call);
  const lanes = ledger.turns.unanswered().map(({ lane }) => lane);
  if (lanes.includes(row.lane))
    throw refusal(`I am still answering here: ${named(row.address, 'stop')} first.`);
  const self = selfOf(call);
  // the engine first: what it has forgotten whole, the ledger lets go of
  const reason = 'asked for by the person in the chat';
  const said = await call.engine.forgetSaid({ of: { persons: self.keys }, apply: true, reason });
  const saved = await keptOf(call, { apply: true, sessionIDs: said.session_ids });
  const after = await amounts(call, false);
  const remains = [...said.remains, ...saved.remains];
  const proof =
    remains.length === 0 && isNothing(after)
      ? 'I looked again, and found nothing of it.'
      : `This is left: ${[...remains, ...(isNothing(after) ? [] : [wordsOf(after)])].join('; ')}.`;
  return `Forgotten permanently: ${wordsOf({ said, saved })}. ${proof} What other people said or quoted stays theirs, and backups are anyone who runs me to delete.`;
};

async function preview(call: CommandCall): Promise<string> {
  const { accounts } = selfOf(call);
  const at = call.row.address;
  const found = await amounts(call, false);
  if (isNothing(found)) return 'I store nothing of you that could be forgotten.';
  const all = accounts.length > 1 ? `, on all ${accounts.length} of your accounts` : '';
  return [
    `This deletes permanently what I store of you${all}: ${wordsOf(found)}.`,
    `It cannot be taken back; ${named(at, 'export me')} gives you all of it first. To do it, write ${named(at, 'forget me yes')}.`,
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

function wordsOf({ said, saved }: Amounts): string {
  const of = (n: number, one: string, more = `${one}s`): string => `${n} ${n === 1 ? one : more}`;
  return [
    of(said.memories, 'memory', 'memories'),
    `${of(said.messages, 'message')} in conversations (${said.sessions} of them whole)`,
    `${of(saved.messages, 'message')} and ${of(saved.answers, 'answer')} in the inbox and outbox`,
    of(saved.files, 'file'),
    of(said.schedules, 'schedule or setting of times', 'schedules and settings of times'),
  ].join(', ');
}

/** What the command itself says again and again is no reason to continue. */
function isNothing({ said, saved }: Amounts): boolean {
  return said.memories + said.messages + said.schedules + saved.messages + saved.answers + saved.files === 0;
}
