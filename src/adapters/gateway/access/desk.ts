// What an operator, or an owner in a chat, does about people: let in, turn away, name, remove. Not the door itself.
import type { Knock } from '#adapters/gateway/ledger/knocks.ts';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { Person } from '#adapters/gateway/ledger/persons.ts';
import { ParleyError } from '#base/errors.ts';
import { codeIn } from './code.ts';
import type { Role } from './terms.ts';

export interface Desk {
  /** Everybody with a name, and the codes that are good now, oldest first. */
  list(): Promise<{ people: Person[]; pending: Knock[] }>;
  /** A ParleyError `unknown_person` when there is none of this name. */
  show(name: string): Promise<Person>;
  /**
   * Makes whoever has the code that person, who is made with `role` (a member when absent) when there is none. A ParleyError
   * `unknown_code` for a code that is not good (any more), `role_differs` for a person who has another role.
   */
  approve(
    code: string,
    as: { name: string | undefined; role?: Role | undefined },
  ): Promise<{ person: Person; knock: Knock }>;
  /** Turns away whoever has the code. */
  deny(code: string): Promise<Knock>;
  /** Takes a person's roles and accounts away; their accounts are strangers' from then on. */
  remove(name: string): Promise<void>;
  setRole(name: string, role: Role): Promise<Person>;
}

export interface DeskOptions {
  ledger: Pick<Ledger, 'persons' | 'knocks' | 'commit'>;
  now: () => number;
  /** Called when somebody was let in. */
  approved?: () => void;
  /** Called with the lanes that lost the session that they spoke to. */
  separated?: (lanes: readonly string[]) => void;
}

const nameForm = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u;

/** The desk over a ledger. */
export function createDesk({ ledger, now, approved = () => {}, separated = () => {} }: DeskOptions): Desk {
  const { persons, knocks } = ledger;

  const existing = (name: string): Person => {
    const person = persons.get(name);
    if (person !== undefined) return person;
    throw new ParleyError('unknown_person', `There is nobody of the name ${JSON.stringify(name)}.`, {
      cure: '"parley people list" names everybody.',
    });
  };

  const changeable = (name: string): Person => {
    const person = existing(name);
    if (!person.inConfig) return person;
    throw new ParleyError('person_in_config', `${name} is named in the config, under "people".`, {
      cure: 'Change it there; a Parley that runs reads it by itself.',
    });
  };

  const knockOf = (typed: string): Knock => {
    const code = codeIn(typed);
    const knock = code === undefined ? undefined : knocks.byCode(code);
    if (knock !== undefined && (knock.expiresAtMs ?? 0) > now()) return knock;
    const what =
      knock === undefined ? 'is not a code that waits' : 'has expired: codes are good for one hour';
    throw new ParleyError('unknown_code', `${JSON.stringify(typed)} ${what}.`, {
      cure: 'Whoever wants to be let in writes to the bot again and is given a new one; "parley people list" shows those that wait.',
    });
  };

  const nameFor = (knock: Knock, name: string | undefined): string => {
    if (name === undefined)
      return persons.freeName(
        knock.name
          .replace(/[^\p{L}\p{N} ._-]/gu, '')
          .trim()
          .slice(0, 30) || `${knock.platform} person`,
      );
    if (nameForm.test(name)) return name;
    throw new ParleyError(
      'invalid_name',
      `Expected a name of at most 40 letters, digits, spaces and . _ -, got ${JSON.stringify(name)}.`,
    );
  };

  return {
    list: async () => ({ people: persons.list(), pending: knocks.pending(now()) }),
    show: async (name) => existing(name),
    async approve(code, { name: given, role }) {
      const result = await ledger.commit(() => {
        const knock = knockOf(code);
        const name = nameFor(knock, given);
        const known = persons.get(name)?.role;
        if (known !== undefined && role !== undefined && known !== role)
          throw new ParleyError('role_differs', `${name} is known as ${known} already.`, {
            cure: `Leave the role out, or change it first with "parley people role ${name} ${role}".`,
          });
        const account = { platform: knock.platform, userID: knock.userID, shownAs: knock.name };
        const lost = persons.give(account, { name, role: role ?? 'member', by: 'approved', at: now() });
        knocks.put({ ...knock, state: 'approved', code: undefined, expiresAtMs: undefined });
        return { person: existing(name), knock, lost };
      });
      const { lost, ...done } = result;
      separated(lost);
      approved();
      return done;
    },
    deny: (code) =>
      ledger.commit(() => {
        const knock = knockOf(code);
        knocks.put({ ...knock, state: 'denied', code: undefined, expiresAtMs: undefined, toldAtMs: now() });
        return knock;
      }),
    async remove(name) {
      const lost = await ledger.commit(() => {
        changeable(name);
        return persons.remove(name);
      });
      separated(lost);
    },
    setRole: (name, role) =>
      ledger.commit(() => {
        changeable(name);
        persons.setRole(name, role);
        return existing(name);
      }),
  };
}
