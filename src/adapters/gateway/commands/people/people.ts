// Commands about people: link (accounts of one person), pairings (who waits to be admitted).

import { type Linked, LinkRefusal } from '#adapters/gateway/admission/links.ts';
import type { CommandCall, CommandHandler } from '#adapters/gateway/commands/command-context.ts';
import { warningOf } from '#adapters/gateway/commands/twins.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { anywhereNamer } from '#adapters/gateway/terms/command-names.ts';
import { codeSpan, escapeMarkdown, paginate, refusal } from '#adapters/gateway/terms/command-reply.ts';
import { isAtLeast } from '#adapters/gateway/terms/role.ts';

/** `/link [CODE]`: gives a code to link another account, or links this account with a code. */
export const linkCommand: CommandHandler = async (call) => {
  const { links, row, args, phrases, command } = call;
  if (row.address.kind !== 'dm')
    throw refusal(({ commands }, named) => commands.inPrivate({ words: 'link', command: named }));
  const { person } = row;
  const [typed = '', confirmed = ''] = args.split(/\s+/);
  if (typed === '') {
    const code = await links.begin({ person });
    return phrases.people.linkCode({ code, anywhere: anywhereNamer(phrases) });
  }
  try {
    if (confirmed.toLowerCase() === 'yes') return await join(call, typed);
    const who = whoseWords(links.look(typed, { person }), phrases);
    return phrases.people.linkConfirm({ who, code: typed, command });
  } catch (error) {
    if (error instanceof LinkRefusal) throw refused(error);
    throw error;
  }
};

/** Makes the account of the command one with the account that made the code, and writes there that it is. */
async function join(
  { links, row, notify, ledger, book, phrases }: CommandCall,
  typed: string,
): Promise<string> {
  const { person, address, event } = row;
  const by = { person, platform: address.platform, userID: event.actor.id, shownAs: event.actor.name };
  const joined = await links.join(typed, by);
  const there = ledger.inbox.lastDirect(joined.person);
  if (there !== undefined) {
    const theirs = book.for({ address: there.address, person: joined.person });
    const who = theirs.people.shownAs({
      account: codeSpan(`${address.platform}:${by.userID}`),
      name: escapeMarkdown(by.shownAs),
    });
    await notify(there.address, theirs.people.linkedWith({ who }));
  }
  return phrases.people.linked({ who: whoseWords(joined, phrases) });
}

function refused({ why }: LinkRefusal) {
  return refusal((phrases, command) => {
    const { people } = phrases;
    switch (why) {
      case 'unknown code':
        return people.linkCodeOver({ anywhere: anywhereNamer(phrases) });
      case 'own code':
        return people.linkOwnCode;
      case 'linked already':
        return people.linkedAlready({ command });
      case 'other person':
        return people.linkOtherPerson;
    }
  });
}

/** The person by the name that the operator gave them, else by the account: a display name could be anyone's. */
function whoseWords({ name, platform, userID, shownAs }: Linked, { people }: Phrases): string {
  const account = codeSpan(`${platform}:${userID}`);
  return name === undefined
    ? people.shownAs({ account, name: escapeMarkdown(shownAs) })
    : `${escapeMarkdown(name)} (${account})`;
}

/** `/pairings`: lists the strangers who wait to be admitted. */
export const pairCommand: CommandHandler = async (call) => {
  const { accessAdmin, role, row, clock, args, phrases, command } = call;
  const { people, access } = phrases;
  if (!isAtLeast(role, 'owner') || row.address.kind !== 'dm')
    return people.waitsForOwners({ role: access.role({ role }) });
  const { pending } = await accessAdmin.list();
  if (pending.length === 0) return people.noOneWaits;
  const { shown, foot } = paginate(pending, { typed: args, words: 'pairings', phrases, command });
  const lines = shown.map(({ code = '', platform, userID, name, expiresAtMs = 0, looksLike }) => {
    const account = codeSpan(`${platform}:${userID}`);
    const who = `${people.shownAs({ account, name: escapeMarkdown(name) })}${warningOf(looksLike, phrases)}`;
    return `- ${people.waits({ code: codeSpan(code), who, ms: expiresAtMs - clock.now() })}`;
  });
  const how = people.decideHow({ command });
  return [lines.join('\n'), ...(foot === undefined ? [] : [foot]), how].join('\n\n');
};
