// `parley token ...`: tokens by which programs read memory for a person or an agent.
import { z } from 'zod';
import type { AccessToken } from '#adapters/gateway/ledger/people/access-tokens.ts';
import { loadConfig } from '#app/config/load.ts';
import { openTokens } from '#app/running/access-admin.ts';
import { advice, entry, minute, row, wrapped } from '#app/screen/screen.ts';
import { systemClock } from '#base/clock.ts';
import { checkedOptions, wholeNumber } from './parts/checked-options.ts';
import { declaredAction } from './parts/declared-action.ts';
import type { CommandInput } from './parts/input.ts';

type Admin = Awaited<ReturnType<typeof openTokens>>['part'];
interface Call {
  tokens: Admin;
  operands: readonly string[];
  values: z.infer<typeof values>;
  json: boolean;
  print: (line: string) => void;
}

const actions: Readonly<Record<string, (call: Call) => Promise<void>>> = { create, list, revoke };
const values = z.object({
  person: z.string().optional(),
  agent: z.string().optional(),
  'read-only': z.boolean().default(false),
  expires: wholeNumber({ from: 1, to: 3_650, of: 'days' }).optional(),
});

/** Runs one action of `parley token`; resolves with 0, or throws a ParleyError. */
export async function parleyToken(input: CommandInput): Promise<number> {
  const [called = '', ...operands] = input.rest;
  const action = declaredAction(actions, called);
  const checked = checkedOptions(values, input.values);
  const { part: tokens, close } = await openTokens(loadConfig(input));
  try {
    await action({ tokens, operands, values: checked, json: input.json, print: input.print });
  } finally {
    await close();
  }
  return 0;
}

async function create({ tokens, values: given, json, print }: Call): Promise<void> {
  const { person, agent, 'read-only': readOnly, expires: expiresInDays } = given;
  const made = await tokens.create({ person, agent, readOnly, expiresInDays });
  if (json) return print(JSON.stringify(made));
  print(made.secret);
  for (const line of wrapped(
    `This is the token of ${holderOf(made.token)} (${made.token.id}). It is shown this once: put it where the program reads it, such as PARLEY_MCP_TOKEN.`,
  ))
    print(line);
}

/** Of the ids in a list, with the space after them. */
const idColumns = 32;

async function list({ tokens, json, print }: Call): Promise<void> {
  const all = await tokens.list();
  if (json) return print(JSON.stringify(all));
  if (all.length === 0) {
    for (const line of advice('There are no tokens. "parley token create" makes one.')) print(line);
    return;
  }
  for (const each of all)
    for (const line of entry(each.id, `${holderOf(each)}  ${stateOf(each)}`, idColumns)) print(line);
}

async function revoke({ tokens, operands, json, print }: Call): Promise<void> {
  const [id = ''] = operands;
  const revoked = await tokens.revoke({ id });
  print(
    json
      ? JSON.stringify(revoked)
      : row(`${revoked.id} of ${holderOf(revoked)} is refused from this moment.`),
  );
}

function holderOf({ person, agent }: AccessToken): string {
  return person === undefined ? `agent ${agent}` : `person ${person}`;
}

function stateOf({ person, left, readOnly, expiresAtMs, revokedAtMs, usedAtMs }: AccessToken): string {
  const now = systemClock.now();
  const facts = [
    ...(left === true ? [`refused: ${person} is not admitted any more`] : []),
    ...(readOnly ? ['read-only'] : []),
    ...(revokedAtMs === undefined ? [] : [`revoked ${minute(revokedAtMs)}`]),
    ...(expiresAtMs === undefined
      ? []
      : [`${expiresAtMs <= now ? 'expired' : 'expires'} ${minute(expiresAtMs)}`]),
    usedAtMs === undefined ? 'never used' : `used ${minute(usedAtMs)}`,
  ];
  return facts.join(', ');
}
