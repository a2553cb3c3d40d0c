// The doctor on tokens for MCP: which of them work, and what is wrong with the others. Reads the ledger, and asks nobody.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tokenState } from '#adapters/gateway/admission/tokens.ts';
import { type AccessToken, readAccessTokens } from '#adapters/gateway/ledger/people/access-tokens.ts';
import { readPersons } from '#adapters/gateway/ledger/people/persons.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { errorMessage } from '#base/errors.ts';
import { type Diagnostic, ok, warning } from './diagnostic.ts';

/** One finding for all tokens that work, and one for each that does not, or will not in some days. */
export function checkTokens(
  { home, config }: Pick<LoadedConfig, 'home' | 'config'>,
  now: number,
): Diagnostic[] {
  const path = join(home, 'gateway.sqlite');
  if (!existsSync(path)) return [];
  try {
    const admitted = new Set([
      ...Object.entries(config.people).flatMap(([name, { accounts }]) => (accounts.length > 0 ? [name] : [])),
      // whom the config named at the last start it may name no more
      ...readPersons(path).flatMap(({ name, role, inConfig, accounts }) =>
        role !== undefined && !inConfig && accounts.length > 0 ? [name] : [],
      ),
    ]);
    const live = readAccessTokens(path).filter(({ revokedAtMs }) => revokedAtMs === undefined);
    const isAdmitted = (person: string): boolean => admitted.has(person);
    const states = live.map((token) => ({ token, state: tokenState(token, { isAdmitted, now }) }));
    const works = states.filter(({ state }) => state === 'valid' || state === 'expiring');
    return [
      ...(works.length === 0
        ? []
        : [
            ok(
              `Tokens for MCP that work: ${works.map(({ token }) => `${token.id} of ${holderOf(token)}`).join(', ')}.`,
            ),
          ]),
      ...states.flatMap(({ token, state }) => findingOf(token, state)),
    ];
  } catch (error) {
    return [
      warning(
        `Tokens for MCP cannot be read: ${errorMessage(error)}.`,
        `Look at ${path}: "parley doctor" says what is wrong with it.`,
      ),
    ];
  }
}

function findingOf(token: AccessToken, state: ReturnType<typeof tokenState>): Diagnostic[] {
  const name = `The token ${token.id} of ${holderOf(token)}`;
  const day = token.expiresAtMs === undefined ? '' : new Date(token.expiresAtMs).toISOString().slice(0, 10);
  const another = 'Make another one with "parley token create", and give it to the program.';
  switch (state) {
    case 'expiring':
      return [warning(`${name} will expire on ${day}.`, another)];
    case 'expired':
      return [
        warning(
          `${name} expired on ${day}.`,
          `${another} "parley token revoke ${token.id}" ends this remark.`,
        ),
      ];
    case 'unusable':
      return [
        warning(
          `${name} is refused: the person is not admitted any more, or has no account.`,
          `Admit the person again, or put them back under "people" in the config, and it works again; or call "parley token revoke ${token.id}".`,
        ),
      ];
    case 'valid':
    case undefined:
      return [];
  }
}

function holderOf({ person, agent }: AccessToken): string {
  return person ?? `agent ${agent}`;
}
