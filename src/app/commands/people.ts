// `parley people ...`: who may talk to the bot, for the operator.

import { z } from 'zod';
import type { Account } from '#adapters/gateway/ledger/people/person-links.ts';
import { type Role, roles, withArticle } from '#adapters/gateway/terms/role.ts';
import { loadConfig } from '#app/config/load.ts';
import { openAccessAdmin } from '#app/running/access-admin.ts';
import { advice, fact, minute, row, wrapped } from '#app/screen/screen.ts';
import { systemClock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { counted } from '#base/text.ts';
import type { PersonEntry, WaitingEntry } from '#engine/wire/channels/channel-service.ts';
import { checkedOptions } from './parts/checked-options.ts';
import { declaredAction } from './parts/declared-action.ts';
import type { CommandInput } from './parts/input.ts';

type AccessAdmin = Awaited<ReturnType<typeof openAccessAdmin>>['accessAdmin'];
interface Call {
  accessAdmin: AccessAdmin;
  operands: readonly string[];
  name: string | undefined;
  role: Role | undefined;
  samePerson: boolean;
  account: string | undefined;
  json: boolean;
  print: (line: string) => void;
}

const actions: Readonly<Record<string, (call: Call) => Promise<void>>> = {
  list,
  show,
  approve,
  deny,
  role: setRole,
  remove,
  block: (call) => setBlocked(call, 'block'),
  unblock: (call) => setBlocked(call, 'unblock'),
};
const values = z.object({
  name: z.string().optional(),
  role: z.enum(roles).optional(),
  'same-person': z.boolean().default(false),
  account: z.string().optional(),
});

/** Runs one action of `parley people`; resolves with 0, or throws a ParleyError. */
export async function parleyPeople(input: CommandInput): Promise<number> {
  const [called = '', ...operands] = input.rest;
  const action = declaredAction(actions, called);
  const checked = checkedOptions(values, input.values);
  const { accessAdmin, close } = await openAccessAdmin(loadConfig(input));
  try {
    const { name, role, account, 'same-person': samePerson } = checked;
    const { json, print } = input;
    await action({ accessAdmin, operands, name, role, samePerson, account, json, print });
  } finally {
    await close();
  }
  return 0;
}

/** Exactly so many operands. */
function operandsOf({ operands }: Call, what: string, count: number): readonly string[] {
  if (operands.length === count && operands.every((each) => each !== '')) return operands;
  throw new ParleyError('invalid_usage', `Expected ${what}, got ${counted(operands.length, 'word')}.`);
}

async function list(call: Call): Promise<void> {
  operandsOf(call, 'no more words', 0);
  const { accessAdmin, json, print } = call;
  const all = await accessAdmin.list();
  if (json) return print(JSON.stringify(all));
  const { people: named, pending, others, blocked } = all;
  if (named.length === 0)
    for (const line of wrapped(
      'Nobody has a name yet. Strangers get a code when they write to the bot in private.',
    ))
      print(line);
  for (const person of named) for (const line of [...linesOf(person), ...seenLines(person)]) print(line);
  if (others.length > 0) print('\nWithout a name (the newest first):');
  for (const each of others) for (const line of [accountLine(each), ...seenLines(each)]) print(line);
  if (blocked.length > 0) print('\nBlocked (the newest first):');
  for (const each of blocked) print(accountLine(each));
  if (pending.length === 0) return;
  print('');
  print('These wait to be admitted:');
  for (const stranger of pending) for (const line of waiting(stranger)) print(line);
}

/** Name and role, and a line for each account with its ids: any of them is what other commands take. */
function linesOf({ name, role: given, accounts, inConfig }: PersonEntry): string[] {
  const role = `${given ?? 'no role'}${inConfig ? ', of the config' : ''}`;
  return [row(name, role), ...accounts.map(accountLine)];
}

function accountLine(account: Omit<Account, 'by'>): string {
  const { person, shownAs } = account;
  return row('', person, idOf(account), ...(shownAs === '' ? [] : [`shown as ${JSON.stringify(shownAs)}`]));
}

/** The rooms in which someone was seen last. */
const seenLines = ({ seenIn }: { seenIn: readonly string[] }): string[] =>
  seenIn.map((title, at) => row('', at === 0 ? 'seen in' : '       ', title));

const idOf = ({ platform, userID }: Pick<Account, 'platform' | 'userID'>): string => `${platform}:${userID}`;

function waiting(stranger: WaitingEntry): string[] {
  const { code = '', name, expiresAtMs = 0, looksLike } = stranger;
  const minutes = Math.max(1, Math.ceil((expiresAtMs - systemClock.now()) / 60_000));
  return [
    row(code, idOf(stranger), `shown as ${JSON.stringify(name)}`, `${minutes} min left`),
    ...warningOf(looksLike).map((words) => row('        ', words)),
  ];
}

/** Says of a display name that looks like that of someone known that it is not theirs. */
function warningOf(looksLike: readonly string[]): string[] {
  return looksLike.length === 0 ? [] : [`looks like ${looksLike.join(', ')}, and is another account`];
}

async function show(call: Call): Promise<void> {
  const [name = ''] = operandsOf(call, 'the name of a person', 1);
  const person = await call.accessAdmin.show({ name });
  if (call.json) return call.print(JSON.stringify(person));
  for (const line of factsOf(person)) call.print(line);
}

function factsOf({ name, role, inConfig, sinceMs, accounts }: PersonEntry): string[] {
  return [
    fact('person', name),
    fact('role', `${role ?? 'none'}${inConfig ? ' (in the config)' : ''}`),
    fact('since', `${minute(sinceMs)} UTC`),
    ...accounts.map(({ platform, userID, shownAs, by }) =>
      fact('account', `${platform}:${userID}, shown as ${JSON.stringify(shownAs)} (${by})`),
    ),
  ];
}

async function approve(call: Call): Promise<void> {
  const [code = ''] = operandsOf(call, 'the code of the person to admit', 1);
  const { accessAdmin, name, role, samePerson, json, print } = call;
  if (name === undefined)
    throw new ParleyError('invalid_usage', 'Who is it? Expected --name NAME.', {
      hint: 'Give a new name, or with --same-person that of a person whose account this is too.',
    });
  const { person, pairingRequest } = await accessAdmin.approve({ code, name, role, samePerson });
  if (json) return print(JSON.stringify(person));
  const { platform, userID, name: shownAs, looksLike } = pairingRequest;
  print(
    row(
      `${platform}:${userID}, shown as ${JSON.stringify(shownAs)}, is admitted as ${person.name}, ${withArticle(person.role ?? 'guest')}.`,
    ),
  );
  for (const words of warningOf(looksLike)) print(row(`Its name ${words}.`));
  const { people: named } = await accessAdmin.list();
  if (!named.some((each) => each.role === 'owner'))
    for (const line of advice(
      `Nobody is an owner yet: "parley people role ${person.name} owner" makes this one.`,
    ))
      print(line);
}

async function deny(call: Call): Promise<void> {
  const [code = ''] = operandsOf(call, 'the code of the person to turn away', 1);
  const { platform, userID, name } = await call.accessAdmin.deny({ code });
  if (call.json) return call.print(JSON.stringify({ denied: `${platform}:${userID}` }));
  call.print(row(`${platform}:${userID}, shown as ${JSON.stringify(name)}, is turned away for 30 days.`));
}

async function setRole(call: Call): Promise<void> {
  const [name = '', given = ''] = operandsOf(call, 'a name and a role', 2);
  const role = roles.find((each) => each === given);
  if (role === undefined)
    throw new ParleyError('invalid_usage', `${JSON.stringify(given)} is not a role.`, {
      hint: `Choose one of ${roles.join(', ')}.`,
    });
  const person = await call.accessAdmin.setRole({ name, role });
  call.print(call.json ? JSON.stringify(person) : `${name} is ${withArticle(role)} now.`);
}

async function remove(call: Call): Promise<void> {
  const [name = ''] = operandsOf(call, 'the name of a person', 1);
  const { account } = call;
  if (account !== undefined) {
    await call.accessAdmin.removeAccount({ name, account });
    return call.print(
      call.json
        ? JSON.stringify({ removed: account, of: name })
        : `${account} is no account of ${name} any more, and can no longer read their conversations.`,
    );
  }
  await call.accessAdmin.remove({ name });
  call.print(
    call.json ? JSON.stringify({ removed: name }) : `${name} is no longer known; what they wrote stays.`,
  );
}

async function setBlocked(call: Call, how: 'block' | 'unblock'): Promise<void> {
  const [typed = ''] = operandsOf(call, 'an account as PLATFORM:ID', 1);
  const account = await call.accessAdmin[how]({ account: typed });
  if (call.json) return call.print(JSON.stringify(account));
  const who = `${idOf(account)}, shown as ${JSON.stringify(account.shownAs)},`;
  call.print(
    row(
      how === 'block' ? `${who} is answered nothing any more.` : `${who} is a stranger again, and no more.`,
    ),
  );
}
