// Commands that answer what is asked: approve and deny (tools, and strangers), answer (questions). By the short ids that are shown.

import { PersonExists } from '#adapters/gateway/admission/pairing-codes.ts';
import { aboutCall, answerIn } from '#adapters/gateway/admission/request-answer.ts';
import type { CommandCall, CommandHandler } from '#adapters/gateway/commands/command-context.ts';
import { answerEntry } from '#adapters/gateway/commands/memory/journal.ts';
import { warningOf } from '#adapters/gateway/commands/twins.ts';
import type { PostedRequest, RequestSnapshot } from '#adapters/gateway/ledger/posted-requests.ts';
import { decidedText, onlyChoicesText } from '#adapters/gateway/requests/request-text.ts';
import { isUnnamed } from '#adapters/gateway/terms/access-types.ts';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import { codeIn } from '#adapters/gateway/terms/code.ts';
import {
  allByShortID,
  byShortID,
  codeSpan,
  escapeMarkdown,
  refusal,
  shortID,
  shortOf,
  type Wording,
} from '#adapters/gateway/terms/command-reply.ts';
import { isAtLeast } from '#adapters/gateway/terms/role.ts';
import { askingWho } from '#adapters/gateway/terms/shared-names.ts';
import { codeOf } from '#base/errors.ts';

const idOf = ({ id }: PostedRequest): string => id;

/** `/approve ID`: approves a tool call, or admits the stranger with this pairing code. */
export const approveCommand: CommandHandler = async (call) => {
  const [first = '', ...rest] = call.args.split(/\s+/);
  if (isPairingCode(call, first)) {
    ownersOnly(call);
    privateOnly(call, 'approve CODE NAME');
    return admit(call, first, rest.join(' ').replace(/^as\s+/i, ''));
  }
  return reply(call, first, 'once');
};

/** The word by which an owner says that an account belongs to someone who is known. */
const samePerson = 'same-person';

/** `rest`: the name, and behind it the word that it is the person who has that name. */
async function admit(call: CommandCall, code: string, rest: string): Promise<string> {
  const { accessAdmin, phrases } = call;
  const isSame = rest.toLowerCase().endsWith(` ${samePerson}`);
  const name = isSame ? rest.slice(0, -samePerson.length).trim() : rest;
  const as = { name: name === '' ? undefined : name, samePerson: isSame };
  const { person, pairingRequest } = await accessAdmin.approve({ code, ...as }).catch((error: unknown) => {
    throw refusedAdmission(error, { code, name });
  });
  const { people, access } = phrases;
  const { platform, userID, name: shownAs, looksLike } = pairingRequest;
  const account = codeSpan(`${platform}:${userID}`);
  const who = `${people.shownAs({ account, name: escapeMarkdown(shownAs) })}${warningOf(looksLike, phrases)}`;
  const others = person.accounts
    .filter((each) => each.platform !== platform || each.userID !== userID)
    .map((each) => codeSpan(`${each.platform}:${each.userID}`));
  const is = access.role({ role: person.role ?? 'guest' });
  const role = others.length === 0 ? is : people.withAccounts({ role: is, accounts: others });
  return isUnnamed(person.name)
    ? people.admitted({ who, role })
    : people.admittedAs({ who, name: escapeMarkdown(person.name), role });
}

/** The refusal for a person to read; anything else is thrown unchanged. */
function refusedAdmission(error: unknown, { code, name }: { code: string; name: string }): unknown {
  if (error instanceof PersonExists) {
    const { person } = error;
    return refusal((phrases, command) => {
      const accounts = person.accounts.map(({ platform, userID, shownAs }) =>
        phrases.people.shownAs({ account: codeSpan(`${platform}:${userID}`), name: escapeMarkdown(shownAs) }),
      );
      const role = phrases.access.role({ role: person.role ?? 'guest' });
      const who = accounts.length === 0 ? role : phrases.people.withAccounts({ role, accounts });
      return phrases.people.nameTaken({ name: codeSpan(person.name), who, code, command });
    });
  }
  switch (codeOf(error)) {
    case 'unknown_code':
      return refusal(({ people }, command) => people.unknownCode({ code: codeSpan(code), command }));
    case 'unknown_person':
      return refusal(({ people }) => people.unknownPerson({ name: codeSpan(name) }));
    case 'account_known':
      return refusal(({ people }) => people.accountKnown);
    case 'invalid_name':
      return refusal(({ people }) => people.invalidName({ name: codeSpan(name) }));
    default:
      return error;
  }
}

/** `/deny ID`: denies a tool call, or refuses the stranger with this pairing code. */
export const denyCommand: CommandHandler = async (call) => {
  const { args, phrases } = call;
  if (isPairingCode(call, args)) {
    ownersOnly(call);
    privateOnly(call, 'deny CODE');
    const { platform, userID } = await call.accessAdmin.deny({ code: args }).catch((error: unknown) => {
      throw refusedAdmission(error, { code: args, name: '' });
    });
    return phrases.people.turnedAway({ account: codeSpan(`${platform}:${userID}`) });
  }
  return reply(call, args, 'reject');
};

/** Whether a pairing code is meant: one that has expired is a code too, and its refusal says so. */
function isPairingCode({ ledger }: CommandCall, typed: string): boolean {
  const wanted = codeIn(typed);
  return wanted !== undefined && ledger.pairingRequests.byCode(wanted) !== undefined;
}

function ownersOnly({ role, row }: CommandCall): void {
  if (role === 'owner') return;
  const { address, event } = row;
  throw refusal((phrases) =>
    askingWho(phrases.commands.ownersOnly({ role: phrases.access.role({ role }) }), {
      platform: address.platform,
      actor: event.actor,
      phrases,
    }),
  );
}

/** Whose account a code is about is no matter of those who read along. */
function privateOnly({ single }: CommandCall, words: string): void {
  if (!single) throw refusal(({ commands }, command) => commands.inPrivate({ words, command }));
}

async function reply(call: CommandCall, typed: string, choice: 'once' | 'reject'): Promise<string> {
  const { ledger, row, approvers, asks, channel, phrases } = call;
  const { address, event } = row;
  if (ledger.postedRequests.ofAnswer(row.id) === undefined) {
    if (!approvers.isApprover(row.person, address))
      throw refusal((texts) =>
        askingWho(texts.requests.notAnApprover, {
          platform: address.platform,
          actor: event.actor,
          phrases: texts,
        }),
      );
    // chosen and answered in one transaction: another owner may answer at the same moment
    const before = await ledger.commit(() => {
      const open = ledger.postedRequests.open().filter(({ request }) => request.kind === 'permission');
      const here = open.filter((asked) => formatAddress(asked.address) === formatAddress(address));
      const settled =
        allByShortID(typed, open, idOf).length > 0 ? undefined : decided(call, 'permission', typed);
      if (settled !== undefined) return settled;
      const { id } = chosen(
        typed === '' && here.length > 0 ? here : open,
        typed,
        ({ requests }) => requests.noApprovalOpen,
      );
      ledger.postedRequests.answer(id, { inboxID: row.id, text: choice });
      return undefined;
    });
    if (before !== undefined) return before;
  }
  const done = choice === 'once' ? phrases.requests.allowed : phrases.requests.notAllowed;
  return (await asks.answer(row, channel)) ?? done;
}

/** `/answer ID TEXT`: answers a question of a run. */
export const answerCommand: CommandHandler = async (call) => {
  const { ledger, row, args, asks, channel, phrases } = call;
  if (ledger.postedRequests.ofAnswer(row.id) === undefined) {
    const mine = ledger.postedRequests
      .open()
      .filter(({ request, person }) => request.kind === 'question' && person === row.person);
    const [, first = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(args) ?? [];
    const isNamed =
      rest !== '' &&
      mine.some(({ id }) => id.toLowerCase().endsWith(first.toLowerCase()) && first.length >= 4);
    const isTheirs = isNamed || !isAtLeast(call.role, 'member');
    const journal = isTheirs ? undefined : await answerEntry(call, { id: first, text: rest });
    if (journal !== undefined) return journal;
    const before = isNamed || (rest === '' && mine.length > 0) ? undefined : decided(call, 'question', first);
    if (before !== undefined) return before;
    const asked = chosen(mine, isNamed ? first : '', ({ requests }) => requests.noQuestionOpen);
    const text = answerIn(isNamed ? rest : args, asked);
    const ofCall = aboutCall(asked);
    if (text === undefined)
      throw refusal((texts, command) =>
        ofCall === undefined ? texts.requests.answerHow({ command }) : onlyChoicesText(ofCall, texts),
      );
    await ledger.commit(() => ledger.postedRequests.answer(asked.id, { inboxID: row.id, text }));
  }
  return (await asks.answer(row, channel)) ?? phrases.requests.thanks;
};

/**
 * What was decided about a request that is over, and by whom; undefined for an id of none. Of a question only for the person who was asked;
 * whoever gives an approval may know of all of them.
 */
function decided(call: CommandCall, kind: RequestSnapshot['kind'], typed: string): string | undefined {
  const { ledger, row, phrases } = call;
  if (!shortID.test(typed)) return undefined;
  const asked = ledger.postedRequests
    .closedAs(typed.replaceAll('`', ''))
    .findLast(
      ({ request, person }) => request.kind === kind && (kind === 'permission' || person === row.person),
    );
  if (asked === undefined) return undefined;
  const isHere = formatAddress(asked.address) === formatAddress(row.address);
  const by = ledger.postedRequests.answererOf(asked.id);
  return phrases.journal.wasSettled({ ...decidedText(asked, { by, isHere, phrases }), holds: undefined });
}

/** The one that is meant; without an id the only one that is open. */
function chosen(open: readonly PostedRequest[], typed: string, none: Wording): PostedRequest {
  if (typed !== '') return byShortID(typed, open, idOf);
  const [one, ...more] = open;
  if (one === undefined) throw refusal(none);
  if (more.length === 0) return one;
  const ids = open.map(({ id }) => codeSpan(shortOf(id)));
  throw refusal(({ requests }) => requests.severalOpen({ ids }));
}
