// Commands that answer what is asked: approve and deny (leave for tools, and strangers), answer (questions). By the short ids that are shown.
import { codeIn } from '#adapters/gateway/access/code.ts';
import { article } from '#adapters/gateway/access/words.ts';
import { formatAddress } from '#adapters/gateway/address.ts';
import type { Asked } from '#adapters/gateway/ledger/asked.ts';
import { answerIn } from '#adapters/gateway/turns/ask-words.ts';
import type { CommandCall, Handler } from './call.ts';
import { byShortID, code, plainly, refusal, shortOf } from './reply.ts';

const idOf = ({ id }: Asked): string => id;

export const approve: Handler = async (call) => {
  const [first = '', ...rest] = call.args.split(/\s+/);
  const name = rest.join(' ').replace(/^as\s+/i, '');
  if (isKnock(call, first)) {
    ownersOnly(call, 'let people in');
    const { person, knock } = await call.desk.approve(first, { name: name === '' ? undefined : name });
    const { platform, userID, name: shownAs } = knock;
    return `${code(`${platform}:${userID}`)}, shown as ${plainly(shownAs)}, is let in as ${plainly(person.name)}, ${article(person.role ?? 'guest')}.`;
  }
  return reply(call, first, 'once');
};

export const deny: Handler = async (call) => {
  const { args } = call;
  if (isKnock(call, args)) {
    ownersOnly(call, 'turn people away');
    const { platform, userID } = await call.desk.deny(args);
    return `${code(`${platform}:${userID}`)} is turned away.`;
  }
  return reply(call, args, 'reject');
};

/** Whether a code that waits is meant: one that is over is a code too, and its refusal says so. */
function isKnock({ ledger }: CommandCall, typed: string): boolean {
  const wanted = codeIn(typed);
  return wanted !== undefined && ledger.knocks.byCode(wanted) !== undefined;
}

function ownersOnly({ role }: CommandCall, what: string): void {
  if (role !== 'owner') throw refusal(`Only owners ${what}; you are ${article(role)}.`);
}

async function reply(call: CommandCall, typed: string, choice: 'once' | 'reject'): Promise<string> {
  const { ledger, row, approvers, asks, channel } = call;
  const done = choice === 'once' ? 'Allowed, this once.' : 'Not allowed.';
  if (ledger.asked.ofAnswer(row.id) === undefined) {
    if (!approvers.isApprover(row.person, row.address.platform))
      throw refusal('You may not give leave for tools: that is for owners, or whom they named.');
    const open = ledger.asked.open().filter(({ request }) => request.kind === 'permission');
    const here = open.filter(({ address }) => formatAddress(address) === formatAddress(row.address));
    const { id } = chosen(typed === '' && here.length > 0 ? here : open, typed, 'request for leave');
    await ledger.commit(() => ledger.asked.answer(id, { inboxID: row.id, text: choice }));
  }
  return (await asks.answer(row, channel)) ?? done;
}

export const answer: Handler = async ({ ledger, row, args, asks, channel }) => {
  if (ledger.asked.ofAnswer(row.id) === undefined) {
    const mine = ledger.asked
      .open()
      .filter(({ request, person }) => request.kind === 'question' && person === row.person);
    const [, first = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(args) ?? [];
    const named =
      rest !== '' &&
      mine.some(({ id }) => id.toLowerCase().endsWith(first.toLowerCase()) && first.length >= 4);
    const asked = chosen(mine, named ? first : '', 'question of mine');
    const text = answerIn(named ? rest : args, asked);
    if (text === undefined) throw refusal('And the answer? `/answer TEXT`.');
    await ledger.commit(() => ledger.asked.answer(asked.id, { inboxID: row.id, text }));
  }
  return (await asks.answer(row, channel)) ?? 'Thank you.';
};

/** The one that is meant; without an id the only one that is open. */
function chosen(open: readonly Asked[], typed: string, what: string): Asked {
  if (typed !== '') return byShortID(typed, open, idOf);
  const [one, ...more] = open;
  if (one === undefined) throw refusal(`No ${what} is open.`);
  if (more.length === 0) return one;
  const ids = open.map(({ id }) => `\`${shortOf(id)}\``).join(', ');
  throw refusal(`More than one ${what} is open: ${ids}. Write the id behind the command.`);
}
