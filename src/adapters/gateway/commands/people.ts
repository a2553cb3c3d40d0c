// Commands about people: link (accounts of one person), pair (who waits to be let in).

import type { Linked } from '#adapters/gateway/access/links.ts';
import { isAtLeast } from '#adapters/gateway/access/terms.ts';
import { article } from '#adapters/gateway/access/words.ts';
import { codeOf, wordsOf } from '#base/errors.ts';
import type { Handler } from './call.ts';
import { named, namedAnywhere } from './naming.ts';
import { code, page, plainly, refusal } from './reply.ts';
import { warningOf } from './twins.ts';

export const link: Handler = async ({ links, row, args, tell, ledger }) => {
  if (row.address.kind !== 'dm')
    throw refusal(`That is between us: write ${named(row.address, 'link')} to me in private.`);
  const { person, address, event } = row;
  const [typed = '', confirmed = ''] = args.split(/\s+/);
  if (typed === '') {
    const made = await links.begin({ person });
    return `Write ${namedAnywhere(`link ${made}`)} to me in private from your other account, within ten minutes. Give it to nobody else: it makes whoever sends it you.`;
  }
  try {
    if (confirmed.toLowerCase() !== 'yes') {
      const theirs = links.look(typed, { person });
      return `This makes this account one with ${whoseWords(theirs)}: whatever you said to me in private on either, I recall on both. If that is you, write ${named(address, `link ${typed} yes`)}. If somebody sent you this code, do not.`;
    }
    const by = { person, platform: address.platform, userID: event.actor.id, shownAs: event.actor.name };
    const joined = await links.join(typed, by);
    const there = ledger.inbox.lastDirect(joined.person);
    if (there !== undefined)
      await tell(
        there.address,
        `${code(`${address.platform}:${by.userID}`)}, shown as ${plainly(by.shownAs)}, is one with this account now. If that was not you, tell whoever runs me: \`parley people show\` and \`remove\`.`,
      );
    return `Done: you are ${whoseWords(joined)} here too.`;
  } catch (error) {
    if (codeOf(error) === 'link_refused') throw refusal(wordsOf(error));
    throw error;
  }
};

/** The person by the name that the operator gave them, else by the account: a display name could be anybody's. */
function whoseWords({ name, platform, userID, shownAs }: Linked): string {
  const account = code(`${platform}:${userID}`);
  return name === undefined ? `${account}, shown as ${plainly(shownAs)}` : `${plainly(name)} (${account})`;
}

export const pair: Handler = async ({ desk, role, row, ledger, clock, args, alone }) => {
  if (!isAtLeast(role, 'owner') || row.address.kind !== 'dm') {
    const { name } = ledger.persons.standingOf(row.person);
    const as = name === undefined || !alone ? '' : ` as ${plainly(name)}`;
    return `You are let in${as}, ${article(role)}. Who waits is shown to owners, in private.`;
  }
  const { pending } = await desk.list();
  if (pending.length === 0) return 'Nobody waits to be let in.';
  const { shown, foot } = page(pending, { asked: args, command: 'pair', place: row.address });
  const lines = shown.map(({ code: their = '', platform, userID, name, expiresAtMs = 0, looksLike }) => {
    const minutes = Math.max(1, Math.ceil((expiresAtMs - clock.now()) / 60_000));
    return `- ${code(their)} ${code(`${platform}:${userID}`)}, shown as ${plainly(name)}${warningOf(looksLike)}, ${minutes} min left`;
  });
  const how = `${named(row.address, 'approve CODE NAME')} lets one in as a new person, ${named(row.address, 'deny CODE')} turns one away.`;
  return [lines.join('\n'), ...(foot === undefined ? [] : [foot]), how].join('\n\n');
};
