// Commands about people: link (accounts of one person), pair (who waits to be admitted).

import { isAtLeast, withArticle } from '#adapters/gateway/access/access-types.ts';
import type { Linked } from '#adapters/gateway/access/links.ts';
import { codeOf, errorMessage } from '#base/errors.ts';
import type { CommandHandler } from './command-context.ts';
import { named, namedAnywhere } from './naming.ts';
import { codeSpan, escapeMarkdown, paginate, refusal } from './reply.ts';
import { warningOf } from './twins.ts';

export const link: CommandHandler = async ({ links, row, args, notify, ledger }) => {
  if (row.address.kind !== 'dm')
    throw refusal(`That is between us: write ${named(row.address, 'link')} to me in private.`);
  const { person, address, event } = row;
  const [typed = '', confirmed = ''] = args.split(/\s+/);
  if (typed === '') {
    const made = await links.begin({ person });
    return `Write ${namedAnywhere(`link ${made}`)} to me in private from your other account, within ten minutes. Give it to nobody else: it makes anyone who sends it you.`;
  }
  try {
    if (confirmed.toLowerCase() !== 'yes') {
      const theirs = links.look(typed, { person });
      return `This makes this account one with ${whoseWords(theirs)}: whatever you said to me in private on either, I recall on both. If that is you, write ${named(address, `link ${typed} yes`)}. If someone sent you this code, do not.`;
    }
    const by = { person, platform: address.platform, userID: event.actor.id, shownAs: event.actor.name };
    const joined = await links.join(typed, by);
    const there = ledger.inbox.lastDirect(joined.person);
    if (there !== undefined)
      await notify(
        there.address,
        `${codeSpan(`${address.platform}:${by.userID}`)}, shown as ${escapeMarkdown(by.shownAs)}, is one with this account now. If that was not you, tell anyone who runs me: \`parley people show\` and \`remove\`.`,
      );
    return `Done: you are ${whoseWords(joined)} here too.`;
  } catch (error) {
    if (codeOf(error) === 'link_refused') throw refusal(errorMessage(error));
    throw error;
  }
};

/** The person by the name that the operator gave them, else by the account: a display name could be anyone's. */
function whoseWords({ name, platform, userID, shownAs }: Linked): string {
  const account = codeSpan(`${platform}:${userID}`);
  return name === undefined
    ? `${account}, shown as ${escapeMarkdown(shownAs)}`
    : `${escapeMarkdown(name)} (${account})`;
}

export const pair: CommandHandler = async ({ accessAdmin, role, row, ledger, clock, args, single }) => {
  if (!isAtLeast(role, 'owner') || row.address.kind !== 'dm') {
    const { name } = ledger.persons.standingOf(row.person);
    const as = name === undefined || !single ? '' : ` as ${escapeMarkdown(name)}`;
    return `You are admitted${as}, ${withArticle(role)}. Who waits is shown to owners, in private.`;
  }
  const { pending } = await accessAdmin.list();
  if (pending.length === 0) return 'Nobody waits to be admitted.';
  const { shown, foot } = paginate(pending, { asked: args, command: 'pairings', place: row.address });
  const lines = shown.map(({ code: their = '', platform, userID, name, expiresAtMs = 0, looksLike }) => {
    const minutes = Math.max(1, Math.ceil((expiresAtMs - clock.now()) / 60_000));
    return `- ${codeSpan(their)} ${codeSpan(`${platform}:${userID}`)}, shown as ${escapeMarkdown(name)}${warningOf(looksLike)}, ${minutes} min left`;
  });
  const how = `${named(row.address, 'approve CODE NAME')} admits one as a new person, ${named(row.address, 'deny CODE')} turns one away.`;
  return [lines.join('\n'), ...(foot === undefined ? [] : [foot]), how].join('\n\n');
};
