// One person's accounts joined by a code that goes from one direct message to another. The operator links all other accounts.
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import { codeIn, newCode } from '#adapters/gateway/terms/code.ts';
import { ParleyError } from '#base/errors.ts';

/** `unknown code`: also one that has expired. `other person`: this account belongs to someone else. */
type LinkRefusalReason = 'unknown code' | 'own code' | 'linked already' | 'other person';

/** Two accounts that are not linked, and why. */
export class LinkRefusal extends ParleyError {
  readonly why: LinkRefusalReason;

  constructor(why: LinkRefusalReason) {
    super('link_refused', `These accounts are not linked: ${why}.`);
    this.why = why;
  }
}

export interface Links {
  /** A code for this account (`per_...`), valid for ten minutes and once; an earlier one is no longer valid. */
  begin(account: { person: string }): Promise<string>;
  /**
   * Whose code it is, for the person who is about to use it. A LinkRefusal for a code that is not valid, for one's own, and where the
   * account belongs to someone already.
   */
  look(code: string, by: { person: string }): Linked;
  /** Makes the account `by` that person's, whose code is used up with it; refuses as `look` does. */
  join(
    code: string,
    by: { person: string; platform: string; userID: string; shownAs: string },
  ): Promise<Linked>;
}

/** Whose code it is. */
export interface Linked {
  /** The name that the operator gave the person; undefined for one without a name. */
  name: string | undefined;
  /** The account that made the code. */
  person: string;
  platform: string;
  userID: string;
  shownAs: string;
}

/** A code that someone else has read is of no use to them for long. */
const linkMs = 10 * 60_000;

/** Links accounts of one person by codes, over a ledger. */
export function createLinks({
  ledger,
  now,
}: {
  ledger: Pick<Ledger, 'persons' | 'linkCodes' | 'commit'>;
  now: () => number;
}): Links {
  const { persons, linkCodes } = ledger;
  const look: Links['look'] = (typed, by) => {
    const code = codeIn(typed);
    const found = code === undefined ? undefined : linkCodes.get(code);
    if (found === undefined || found.expiresAtMs <= now()) throw new LinkRefusal('unknown code');
    if (found.person === by.person) throw new LinkRefusal('own code');
    const mine = persons.standingOf(by.person).key;
    const { key, name, shownAs, platform, userID } = persons.standingOf(found.person);
    if (mine !== undefined) throw new LinkRefusal(mine === key ? 'linked already' : 'other person');
    return { name, shownAs, platform, userID, person: found.person };
  };

  return {
    look,
    begin({ person }) {
      return ledger.commit(() => {
        const code = newCode();
        linkCodes.put({ code, person, expiresAtMs: now() + linkMs });
        return code;
      });
    },
    join(typed, by) {
      return ledger.commit(() => {
        const linked = look(typed, by);
        const theirs = persons.standingOf(linked.person);
        // of a person without a name, which no operator can mean: what they call themselves grants nothing
        const how = {
          name: theirs.key ?? persons.unnamed(theirs),
          role: undefined,
          by: 'link' as const,
          at: now(),
        };
        if (theirs.key === undefined) persons.give(theirs, how);
        persons.give(by, how);
        linkCodes.remove(linked.person);
        return linked;
      });
    },
  };
}
