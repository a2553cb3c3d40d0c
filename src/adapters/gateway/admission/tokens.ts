// Tokens by which programs read memory for a person or an agent: made, listed, revoked, and checked at each call.
import { createHash, randomBytes } from 'node:crypto';
import type { Ledger } from '#adapters/gateway/ledger/ledger.ts';
import type { AccessToken } from '#adapters/gateway/ledger/people/access-tokens.ts';
import type { Person } from '#adapters/gateway/ledger/people/persons.ts';
import type { Reading } from '#adapters/gateway/readers/reading.ts';
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { TokenAdmin } from '#engine/wire/channels/channel-operations.ts';
import type { Reader } from '#engine/wire/memory/reader.ts';
import type { TokenStanding } from '#engine/wire/operator/mcp-standing.ts';

/** Tokens of one gateway. */
export interface Tokens extends TokenAdmin {
  check: CheckToken;
  standing(): TokenStanding;
}

/** Who calls with a token. */
export interface TokenHolder {
  reader: Reader;
  /** The agent whose token it is; undefined for a person's, which is for any agent of that person. */
  agent: string | undefined;
  readOnly: boolean;
}

/** The holder of a token, or why there is none, as a sentence. Rejects while the engine does not take what changed on a platform. */
export type CheckToken = (secret: string) => Promise<TokenHolder | { refusal: string }>;

const prefix = 'parley_';
/** Bytes of a secret: 256 bits, so that its hash needs no salt. */
const secretBytes = 32;
const usedEveryMs = 60_000;
const dayMs = 24 * 60 * 60_000;
const maxDays = 3_650;
const agentForm = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u;

/** The audience of an agent with its own token: only that agent's memory. */
function agentAudience(agent: string): `person:${string}` {
  return `person:agent:${agent}`;
}

/** Checks access tokens over a ledger, and decides what each may read. */
export function createTokens(options: {
  ledger: Pick<Ledger, 'accessTokens' | 'persons' | 'commit'>;
  reading: Pick<Reading, 'ofPerson'>;
  /** Resolves when the engine knows of every change of a room or a message. */
  settled: () => Promise<void>;
  newId: NewId;
  now: () => number;
}): Tokens {
  const { accessTokens, persons } = options.ledger;
  const isAdmitted = (name: string): boolean => isUsable(persons.get(name));
  return {
    ...createTokenAdmin(options),
    check: createCheckToken(options),
    standing: () => tokenStanding(accessTokens.list(), { isAdmitted, now: options.now() }),
  };
}

/** A token that expires within this time is noticed before it does, and one that has expired for this time after it, in milliseconds. */
const [soonMs, lateMs] = [7 * dayMs, 30 * dayMs];

/** Whether programs may read for the person now. */
function isUsable(person: Pick<Person, 'role' | 'accounts'> | undefined): boolean {
  return person?.role !== undefined && person.accounts.length > 0;
}

/** What it is with each token that was not revoked; undefined for one that expired long ago. */
export function tokenState(
  { person, left, expiresAtMs = Number.POSITIVE_INFINITY }: AccessToken,
  { isAdmitted, now }: { isAdmitted: (person: string) => boolean; now: number },
): 'valid' | 'expiring' | 'expired' | 'unusable' | undefined {
  if (expiresAtMs <= now) return expiresAtMs + lateMs > now ? 'expired' : undefined;
  if (person !== undefined && (left === true || !isAdmitted(person))) return 'unusable';
  return expiresAtMs - soonMs <= now ? 'expiring' : 'valid';
}

function tokenStanding(
  all: readonly AccessToken[],
  how: { isAdmitted: (person: string) => boolean; now: number },
): TokenStanding {
  const states = all
    .filter(({ revokedAtMs }) => revokedAtMs === undefined)
    .map((token) => tokenState(token, how));
  const count = (state: (typeof states)[number]): number => states.filter((each) => each === state).length;
  const used = all.flatMap(({ usedAtMs }) => usedAtMs ?? []);
  const expiring = count('expiring');
  return {
    ...{ valid: count('valid') + expiring, expiring, expired: count('expired'), unusable: count('unusable') },
    lastUsedAtMs: used.length === 0 ? null : Math.max(...used),
  };
}

/** Creates, lists and revokes access tokens over a ledger. */
export function createTokenAdmin(options: {
  ledger: Pick<Ledger, 'accessTokens' | 'persons' | 'commit'>;
  newId: NewId;
  now: () => number;
}): TokenAdmin {
  const { ledger, newId, now } = options;
  const { accessTokens, persons } = ledger;
  return {
    async create(request) {
      const { person, agent, readOnly = false, expiresInDays } = checked(request);
      const secret = `${prefix}${randomBytes(secretBytes).toString('base64url')}`;
      const token = await ledger.commit(() => {
        if (person !== undefined && persons.get(person) === undefined)
          throw new ParleyError('unknown_person', `There is nobody of the name ${JSON.stringify(person)}.`, {
            hint: '"parley people list" names everyone.',
          });
        const createdAtMs = now();
        const expiresAtMs = expiresInDays === undefined ? undefined : createdAtMs + expiresInDays * dayMs;
        const made = { id: newId('tok'), person, agent, readOnly, createdAtMs, expiresAtMs };
        accessTokens.insert({ ...made, hash: hashOf(secret) });
        return made;
      });
      return { token, secret };
    },
    list: async () => accessTokens.list(),
    revoke: ({ id }) =>
      ledger.commit(() => {
        accessTokens.revoke(id, now());
        const token = accessTokens.get(id);
        if (token !== undefined) return token;
        throw new ParleyError('unknown_token', `There is no token ${JSON.stringify(id)}.`, {
          hint: '"parley token list" shows the ids.',
        });
      }),
  };
}

/** The check over a ledger and the rule of who reads what now. */
function createCheckToken(options: {
  ledger: Pick<Ledger, 'accessTokens' | 'persons' | 'commit'>;
  reading: Pick<Reading, 'ofPerson'>;
  settled: () => Promise<void>;
  now: () => number;
}): CheckToken {
  const { ledger, reading, settled, now } = options;
  const readerOf = async ({ person, agent, left }: AccessToken): Promise<Reader | { refusal: string }> => {
    if (agent !== undefined) {
      const speaker = { person: `agent:${agent}`, name: agent };
      return readerAs(agentAudience(agent), {
        speaker,
        reach: { audiences: [], spaces: [] },
        outsiders: true,
      });
    }
    const known = person === undefined || left === true ? undefined : ledger.persons.get(person);
    const [first] = known?.accounts ?? [];
    if (known === undefined || first === undefined || !isUsable(known))
      return {
        refusal: `The person of this token, ${person}, is not admitted any more, or has no account; it works again when they are back.`,
      };
    const speaker = { person: first.person, name: known.name };
    const recallable = await reading.ofPerson(known.accounts);
    await settled(); // also what was just looked at: no program reads what a chat would not be shown
    return readerAs(`person:${first.person}`, { speaker, ...recallable });
  };
  return async (secret) => {
    const token = secret.startsWith(prefix) ? ledger.accessTokens.byHash(hashOf(secret)) : undefined;
    if (token === undefined) return { refusal: 'This token is not known here.' };
    const { id, agent, readOnly, usedAtMs = 0, revokedAtMs, expiresAtMs } = token;
    const on = (at: number): string => new Date(at).toISOString().slice(0, 10);
    if (revokedAtMs !== undefined) return { refusal: `This token was revoked on ${on(revokedAtMs)}.` };
    if (expiresAtMs !== undefined && expiresAtMs <= now())
      return { refusal: `This token expired on ${on(expiresAtMs)}.` };
    const reader = await readerOf(token);
    if ('refusal' in reader) return reader;
    if (now() - usedAtMs > usedEveryMs)
      await ledger.commit(() => ledger.accessTokens.used(id, now()), 'written');
    return { reader, agent, readOnly };
  };
}

function readerAs(audience: `person:${string}`, of: Pick<Reader, 'speaker' | 'reach' | 'outsiders'>): Reader {
  return { platform: 'mcp', chat: 'mcp', kind: 'dm', audience, restricted: true, ...of };
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex');
}

type TokenRequest = Parameters<TokenAdmin['create']>[0];

function checked(request: TokenRequest): TokenRequest {
  const { person, agent, expiresInDays } = request;
  const refuse = (message: string, hint: string): never => {
    throw new ParleyError('invalid_token_request', message, { hint });
  };
  if ((person === undefined) === (agent === undefined))
    refuse('Expected either a person or an agent.', 'Name one: --person NAME or --agent NAME.');
  if (agent !== undefined && !agentForm.test(agent))
    refuse(
      `Expected the name of an agent, at most 80 letters, digits, spaces and . _ -, received ${JSON.stringify(agent)}.`,
      'Choose another name.',
    );
  if (
    expiresInDays !== undefined &&
    !(Number.isInteger(expiresInDays) && expiresInDays >= 1 && expiresInDays <= maxDays)
  )
    refuse(
      `Expected 1 to ${maxDays} days, received ${expiresInDays}.`,
      'Leave it out for a token that does not expire.',
    );
  return request;
}
