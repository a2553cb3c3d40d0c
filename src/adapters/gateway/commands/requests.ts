// Commands that answer what is asked: approve and deny (approval for tools, and strangers), answer (questions). By the short ids that are shown.

import { isUnnamed, withArticle } from '#adapters/gateway/access/access-types.ts';
import { codeIn } from '#adapters/gateway/access/code.ts';
import { askingWho } from '#adapters/gateway/access/shared-names.ts';
import { formatAddress } from '#adapters/gateway/address.ts';
import type { PostedRequest } from '#adapters/gateway/ledger/posted-requests.ts';
import { answerIn } from '#adapters/gateway/turns/request-text.ts';
import { ParleyError } from '#base/errors.ts';
import type { CommandCall, CommandHandler } from './command-context.ts';
import { named } from './naming.ts';
import { byShortID, codeSpan, escapeMarkdown, refusal, shortOf } from './reply.ts';
import { warningOf } from './twins.ts';

const idOf = ({ id }: PostedRequest): string => id;

export const approve: CommandHandler = async (call) => {
  const [first = '', ...rest] = call.args.split(/\s+/);
  if (isKnock(call, first)) {
    ownersOnly(call, 'admit people');
    if (!call.single)
      throw refusal(
        `That is between us: write ${named(call.row.address, 'approve CODE NAME')} to me in private.`,
      );
    return letIn(call, first, rest.join(' ').replace(/^as\s+/i, ''));
  }
  return reply(call, first, 'once');
};

/** The word by which an owner says that an account belongs to someone who is known. */
const samePerson = 'same-person';

/** `said`: the name, and behind it the word that it is the person who has that name. */
async function letIn(call: CommandCall, typed: string, said: string): Promise<string> {
  const isSame = said.toLowerCase().endsWith(` ${samePerson}`);
  const name = isSame ? said.slice(0, -samePerson.length).trim() : said;
  const as = { name: name === '' ? undefined : name, samePerson: isSame };
  const { person, pairingRequest } = await call.accessAdmin.approve(typed, as).catch((error: unknown) => {
    if (!(error instanceof ParleyError) || error.code !== 'person_exists') throw error;
    throw refusal(
      `${escapeMarkdown(error.message)} If this is the same person, name them so: ${named(call.row.address, `approve ${typed} NAME ${samePerson}`)}. If not, choose another name.`,
    );
  });
  const { platform, userID, name: shownAs, looksLike } = pairingRequest;
  const who = `${codeSpan(`${platform}:${userID}`)}, shown as ${escapeMarkdown(shownAs)}${warningOf(looksLike)}`;
  const others = person.accounts.filter((each) => each.platform !== platform || each.userID !== userID);
  const also = others.map((each) => codeSpan(`${each.platform}:${each.userID}`)).join(', ');
  const role = `${withArticle(person.role ?? 'guest')}${also === '' ? '' : `, with ${also}`}`;
  if (isUnnamed(person.name)) return `${who}, is admitted without a name, ${role}.`;
  return `${who}, is admitted as ${escapeMarkdown(person.name)}, ${role}.`;
}

export const deny: CommandHandler = async (call) => {
  const { args } = call;
  if (isKnock(call, args)) {
    ownersOnly(call, 'turn people away');
    const { platform, userID } = await call.accessAdmin.deny(args);
    return `${codeSpan(`${platform}:${userID}`)} is turned away.`;
  }
  return reply(call, args, 'reject');
};

/** Whether a code that waits is meant: one that is over is a code too, and its refusal says so. */
function isKnock({ ledger }: CommandCall, typed: string): boolean {
  const wanted = codeIn(typed);
  return wanted !== undefined && ledger.pairingRequests.byCode(wanted) !== undefined;
}

function ownersOnly({ role, row, phrases }: CommandCall, what: string): void {
  const words = `Only owners ${what}; you are ${withArticle(role)}.`;
  if (role !== 'owner')
    throw refusal(askingWho(words, { platform: row.address.platform, actor: row.event.actor, phrases }));
}

async function reply(call: CommandCall, typed: string, choice: 'once' | 'reject'): Promise<string> {
  const { ledger, row, approvers, asks, channel, phrases } = call;
  const done = choice === 'once' ? 'Allowed, this once.' : 'Not allowed.';
  if (ledger.postedRequests.ofAnswer(row.id) === undefined) {
    if (!approvers.isApprover(row.person, row.address.platform))
      throw refusal(
        askingWho('You may not approve for tools: that is for owners, or who they named.', {
          platform: row.address.platform,
          actor: row.event.actor,
          phrases,
        }),
      );
    // chosen and answered in one transaction: another owner may answer at the same moment
    await ledger.commit(() => {
      const open = ledger.postedRequests.open().filter(({ request }) => request.kind === 'permission');
      const here = open.filter(({ address }) => formatAddress(address) === formatAddress(row.address));
      const { id } = chosen(typed === '' && here.length > 0 ? here : open, typed, 'request for approval');
      ledger.postedRequests.answer(id, { inboxID: row.id, text: choice });
    });
  }
  return (await asks.answer(row, channel)) ?? done;
}

export const answer: CommandHandler = async ({ ledger, row, args, asks, channel }) => {
  if (ledger.postedRequests.ofAnswer(row.id) === undefined) {
    const mine = ledger.postedRequests
      .open()
      .filter(({ request, person }) => request.kind === 'question' && person === row.person);
    const [, first = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(args) ?? [];
    const isNamed =
      rest !== '' &&
      mine.some(({ id }) => id.toLowerCase().endsWith(first.toLowerCase()) && first.length >= 4);
    const asked = chosen(mine, isNamed ? first : '', 'question of mine');
    const text = answerIn(isNamed ? rest : args, asked);
    if (text === undefined) throw refusal(`And the answer? ${named(row.address, 'answer TEXT')}.`);
    await ledger.commit(() => ledger.postedRequests.answer(asked.id, { inboxID: row.id, text }));
  }
  return (await asks.answer(row, channel)) ?? 'Thank you.';
};

/** The one that is meant; without an id the only one that is open. */
function chosen(open: readonly PostedRequest[], typed: string, what: string): PostedRequest {
  if (typed !== '') return byShortID(typed, open, idOf);
  const [one, ...more] = open;
  if (one === undefined) throw refusal(`No ${what} is open.`);
  if (more.length === 0) return one;
  const ids = open.map(({ id }) => `\`${shortOf(id)}\``).join(', ');
  throw refusal(`More than one ${what} is open: ${ids}. Write the id behind the command.`);
}
