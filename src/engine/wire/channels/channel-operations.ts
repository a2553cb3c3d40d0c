// The operations of the process with the channels: people, tokens of programs, deliveries, and what inbox and outbox store.
import { z } from 'zod';
import { noFields, nothing } from '#engine/operations/fields.ts';
import { operation, type ServiceOf } from '#engine/operations/operation.ts';
import {
  accountNamed,
  admission,
  approval,
  approved,
  blockedAccount,
  denial,
  forgetStored,
  newToken,
  pairingRequest,
  people,
  person,
  roleChange,
  storedForgotten,
  token,
  tokenMade,
  undeliveredAnswer,
  wayOfRun,
} from './channel-service.ts';

const name = z.string().describe('Of a person, or the key of one without a name');
const admits = {
  unknown_person: 404,
  unknown_code: 404,
  unknown_account: 404,
  person_exists: 409,
  account_known: 409,
  role_differs: 409,
  invalid_name: 400,
} as const;
const changes = { unknown_person: 404, unknown_account: 404, person_in_config: 409 } as const;

/** What clients ask about people: `client.people`. */
export const peopleOperations = {
  list: operation({
    effect: 'read',
    method: 'GET',
    path: '/people',
    summary: 'People, pairing requests and other accounts, with what each used',
    about: 'All of them',
    input: noFields,
    output: people,
    call: 'list',
  }),
  show: operation({
    effect: 'read',
    method: 'GET',
    path: '/people/:name',
    summary: 'One person',
    about: 'The person',
    input: z.object({ name }),
    output: person,
    errors: { unknown_person: 404 },
    call: 'get',
    first: 'name',
  }),
  /**
   * As a new person of that name, or with `samePerson` as the person who has that name. A ParleyError `unknown_code` for a code that is not
   * valid (any more), `person_exists` for a name that someone has, or that looks like one, `unknown_person` for `samePerson` with a name
   * that nobody has, `account_known` for an account of someone else who is admitted, `role_differs` for a person who has another role.
   */
  approve: operation({
    effect: 'add',
    method: 'POST',
    path: '/people/approve',
    summary: 'Admits the person who has the code',
    about: 'The person, and the request',
    input: approval,
    output: approved,
    errors: admits,
    call: 'approve',
  }),
  /** A ParleyError `unknown_account` for any other account, and as `approve`. */
  admit: operation({
    effect: 'add',
    method: 'POST',
    path: '/people/admit',
    summary:
      'Admits an account that wrote to the bot and belongs to nobody, as a new person or joined to one',
    about: 'The person',
    input: admission,
    output: person,
    errors: admits,
    call: 'admit',
  }),
  deny: operation({
    effect: 'change',
    method: 'POST',
    path: '/people/deny',
    summary: 'Turns away the person who has the code',
    about: 'The request',
    input: denial,
    output: pairingRequest,
    errors: { unknown_code: 404 },
    call: 'deny',
    first: 'code',
  }),
  /**
   * Neither what it says nor what is due for it, until it is unblocked, or the config or an operator makes it a person's. A ParleyError
   * `unknown_account` for one that has not written to the bot, and `account_known` for one that belongs to a person.
   */
  block: operation({
    effect: 'change',
    method: 'POST',
    path: '/people/block',
    summary: 'Answers an account that belongs to nobody nothing any more',
    about: 'The account',
    input: accountNamed,
    output: blockedAccount,
    errors: admits,
    call: 'block',
    first: 'account',
  }),
  /** A ParleyError `unknown_account` for an account that is not blocked. */
  unblock: operation({
    effect: 'change',
    method: 'POST',
    path: '/people/unblock',
    summary: 'Treats a blocked account as any stranger again',
    about: 'The account',
    input: accountNamed,
    output: blockedAccount,
    errors: { unknown_account: 404 },
    call: 'unblock',
    first: 'account',
  }),
  setRole: operation({
    effect: 'change',
    method: 'PATCH',
    path: '/people/:name',
    summary: 'Gives a person another role',
    about: 'The person',
    input: roleChange.extend({ name }),
    output: person,
    errors: changes,
    call: 'setRole',
    first: 'name',
  }),
  /** Their accounts are strangers' accounts then. */
  remove: operation({
    effect: 'remove',
    method: 'DELETE',
    path: '/people/:name',
    summary: 'Takes the role and the accounts of a person away',
    about: 'Removed',
    input: z.object({ name }),
    output: nothing,
    errors: changes,
    call: 'remove',
    first: 'name',
  }),
  /**
   * Also from one of the config as far as the config does not list the account. A ParleyError `unknown_account` for one that is not theirs,
   * `person_in_config` for one that the config lists.
   */
  removeAccount: operation({
    effect: 'remove',
    method: 'DELETE',
    path: '/people/:name/accounts/:account',
    summary: 'Takes one account (`platform:id`) away from a person',
    about: 'Removed',
    input: z.object({ name, account: z.string() }),
    output: nothing,
    errors: changes,
    call: 'removeAccount',
    first: 'name',
  }),
};

/** What clients ask about tokens of persons and agents: `client.tokens`. */
export const tokenOperations = {
  list: operation({
    effect: 'read',
    method: 'GET',
    path: '/tokens',
    summary: 'Tokens of persons and agents, oldest first, without what is secret',
    about: 'All of them',
    input: noFields,
    output: z.array(token),
    call: 'list',
  }),
  /** A ParleyError `unknown_person`, or `invalid_token_request`. */
  create: operation({
    effect: 'add',
    method: 'POST',
    path: '/tokens',
    summary: 'Makes a token of a person or of an agent: exactly one of both',
    about: 'The token; `secret` is shown this once',
    input: newToken,
    output: tokenMade,
    status: 201,
    errors: { unknown_person: 404, invalid_token_request: 400 },
    call: 'create',
  }),
  revoke: operation({
    effect: 'remove',
    method: 'DELETE',
    path: '/tokens/:id',
    summary: 'Revokes a token: it is refused from this moment',
    about: 'The token',
    input: z.object({ id: z.string() }),
    output: token,
    errors: { unknown_token: 404 },
    call: 'revoke',
    first: 'id',
  }),
};

const answer = {
  effect: 'change',
  method: 'POST',
  input: z.object({ id: z.string() }),
  output: nothing,
  errors: { not_found: 404, delivery_settled: 409 },
  first: 'id',
} as const;

/** What clients ask about answers on their way: `client.deliveries`. */
export const deliveryOperations = {
  waiting: operation({
    effect: 'read',
    method: 'GET',
    path: '/delivery/waiting',
    summary: 'Answers that are not in their chats, newest first',
    about: 'At most 100',
    input: noFields,
    output: z.array(undeliveredAnswer),
    under: 'deliveries',
    call: 'waiting',
  }),
  ofRun: operation({
    effect: 'read',
    method: 'GET',
    path: '/delivery/runs/:run',
    summary: 'The path of the messages that a run answered, with receipts',
    about: 'Without a turn for a run of no chat',
    input: z.object({ run: z.string() }),
    output: wayOfRun,
    call: 'ofRun',
    first: 'run',
  }),
  /** In its turn in the chat; resolves before it is there. A ParleyError `not_found` or `delivery_settled`. */
  retry: operation({
    ...answer,
    path: '/delivery/:id/retry',
    summary: 'Sends what is missing of an answer that could not be delivered',
    about: 'It is being sent',
    call: 'retry',
  }),
  dismiss: operation({
    ...answer,
    path: '/delivery/:id/dismiss',
    summary:
      'Leaves an answer that is not in its chat: nothing more of it is sent, and it is not listed any more',
    about: 'It is left',
    call: 'dismiss',
  }),
};

/** What clients ask of inbox and outbox: `client.channels`. */
export const storedOperations = {
  /** `sessionIDs` are deleted from the engine, and their chats begin new ones. What is being answered at the moment is left, and said. */
  forget: operation({
    effect: 'remove',
    method: 'POST',
    path: '/ledger/forget',
    summary: 'Counts what inbox and outbox store of persons or chats, or deletes it permanently',
    about: 'The counts, and what is left',
    input: forgetStored,
    output: storedForgotten,
    bodyLimitBytes: 4_000_000,
    call: 'forget',
    takesLong: true,
  }),
};

export type AccessAdmin = ServiceOf<typeof peopleOperations>;
export type TokenAdmin = ServiceOf<typeof tokenOperations>;
export type DeliveryAdmin = ServiceOf<typeof deliveryOperations>;
export type StoredAdmin = ServiceOf<typeof storedOperations>;
