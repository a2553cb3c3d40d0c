// The operations on models: which there are, what they take and have taught, what runs used of them, and who answers with which.
import { z } from 'zod';
import { integerParam, noFields, optionalID } from '#engine/operations/fields.ts';
import { operation, type ServiceOf } from '#engine/operations/operation.ts';
import { abilities, abilitiesQuery } from './abilities.ts';
import { learnedModel, providerList } from './provider.ts';
import { transcription, transcriptionRequest } from './transcription.ts';
import { usageBucket, usageKeys, usageSum } from './usage.ts';

/** What clients ask of models: `client.providers`. */
export const providerOperations = {
  providers: operation({
    effect: 'read',
    method: 'GET',
    path: '/provider',
    summary:
      'The configured providers and the models that each of them names; of an agent with its own models those',
    about: 'Providers',
    input: abilitiesQuery.pick({ agent: true }),
    output: providerList,
    call: 'list',
    unaudited: 'shows no words',
  }),
  learnedModels: operation({
    effect: 'read',
    method: 'GET',
    path: '/provider/learned',
    summary: 'What models taught by refusing requests: what later requests leave out',
    about: 'Models, the newest first',
    input: noFields,
    output: z.array(learnedModel),
    under: 'models',
    call: 'learned',
    unaudited: 'shows no words',
  }),
  forgetLearned: operation({
    effect: 'remove',
    method: 'DELETE',
    path: '/provider/learned',
    summary: 'Forgets it, of one model or of all, so that it is tried again',
    about: 'How many models that were',
    input: z.object({ model: z.string().min(1).max(500).optional() }),
    output: z.number(),
    under: 'forgotten',
    call: 'forgetLearned',
  }),
  takesFile: operation({
    effect: 'read',
    method: 'GET',
    path: '/provider/takes_file',
    summary:
      'Whether the model of an assistant is shown files of this type and size; any other is only named to it',
    about: 'Whether it is',
    input: z.object({
      mime: z.string().min(1).max(200),
      bytes: integerParam(0, Number.MAX_SAFE_INTEGER),
      agent: z.string().min(1).max(80).optional().describe('The assistant; the usual one when absent'),
    }),
    output: z.boolean(),
    under: 'takes',
    call: 'takesFile',
    unaudited: 'shows no words',
  }),
  /** What goes wrong is an outcome. */
  transcribe: operation({
    effect: 'read',
    method: 'POST',
    path: '/transcribe',
    summary: 'The words spoken in an upload; it may take minutes',
    about: 'The text, or why there is none',
    input: transcriptionRequest,
    output: transcription,
    call: 'transcribe',
    takesLong: true,
  }),
};

/** What clients ask of agents: `client.agents`. */
export const agentOperations = {
  /** A ParleyError `unknown_agent` for an agent that is not configured. */
  abilities: operation({
    effect: 'read',
    method: 'GET',
    path: '/agent',
    summary: 'The agents, the one that answers in a place, and the tools that it may use there',
    about: 'Who answers and with what',
    input: abilitiesQuery,
    output: abilities,
    call: 'at',
    unaudited: 'shows no words',
  }),
};

const day = z.iso.date().optional();
const moment = integerParam(0, Number.MAX_SAFE_INTEGER);

/** What clients ask of what runs used, beside the rest of `client.runs`. */
export const usageOperations = {
  usageSeries: operation({
    effect: 'read',
    method: 'GET',
    path: '/usage/series',
    summary: 'Messages, tokens, cost, errors and latency over time, in buckets of equal length',
    about: 'Every bucket of the range, oldest first',
    input: z
      .object({ from_ms: moment, until_ms: moment, step_ms: integerParam(1_000, 366 * 86_400_000) })
      .refine(
        ({ from_ms, until_ms, step_ms }) => until_ms > from_ms && until_ms - from_ms <= 1_000 * step_ms,
        'expected from_ms before until_ms, and at most 1,000 buckets between them',
      ),
    output: z.array(usageBucket),
    call: 'usageSeries',
    unaudited: 'shows no words',
  }),
  usage: operation({
    effect: 'read',
    method: 'GET',
    path: '/usage',
    summary:
      'Tokens and cost, summed by day (UTC) or by session, newest first, or by person, room, agent or model, dearest first',
    about: 'The sums',
    input: z.object({
      by: z.enum(usageKeys).default('day'),
      sessionID: optionalID,
      from: day.describe('The first day, in UTC'),
      until: day.describe('The last day, in UTC'),
      limit: integerParam(1, 1000).default(100),
    }),
    output: z.array(usageSum),
    call: 'usage',
    unaudited: 'shows no words',
  }),
};

export type UsageFilter = z.output<(typeof usageOperations)['usage']['input']>;

export type ProviderService = ServiceOf<
  typeof providerOperations & typeof agentOperations & typeof usageOperations
>;
