// Whether a run of chaos kept the promise, and its numbers. Pure: the account of the messages is made elsewhere.
import type { Outcome } from '../harness/account.ts';
import type { Broken } from '../harness/link.ts';
import type { Call } from '../harness/tap.ts';
import { type Death, unknownSends, withoutReceipt } from '../harness/unknown-sends.ts';
import { named, type Window } from './windows.ts';

export interface Plan {
  messages: number;
  kills: number;
  seed: number;
  /** 2: engine and channels apart. */
  processes: number;
  /** Whether other processes work on the same home folder in the meantime. */
  operators: boolean;
  /** Whether links stand between the processes and to all that they call, and misbehave; the clocks of both are moved too. */
  links: boolean;
  /** 2: two instances with a home folder each share one PostgreSQL. */
  machines: number;
}

export interface Facts {
  /** Whether everything came to rest on its own. */
  atRest: boolean;
  /** How the program ended when it was told to. */
  exitCode: number | null;
  kills: number;
  deaths: readonly Death[];
  /** Connections to Telegram that broke on the way. */
  broken: readonly Broken[];
  hits: ReadonlyMap<Window, number>;
  /** What passed to Telegram. */
  telegram: readonly Call[];
  /** Ids of messages that the program took note of. */
  receipts: ReadonlySet<string>;
  /** What is wrong with the databases, and with what operators did. */
  others: readonly string[];
}

/** From so many kills on, each named window must have been hit: a run without that proves less than it says. */
const manyKills = 20;

/** The numbers, and all that is wrong as text; nothing may be, for a run to pass. */
export function verdictOf(plan: Plan, outcome: Outcome, facts: Facts) {
  const { faults: lapses, ...counts } = outcome;
  const unknown = unknownSends(facts.telegram, facts).length;
  const faults = [...lapses, ...facts.others];
  if (!facts.atRest) faults.push('not everything came to rest');
  if (facts.exitCode !== 0) faults.push(`asked to stop, the program ended with code ${facts.exitCode}`);
  if (counts.sent !== plan.messages) faults.push(`${counts.sent} messages instead of ${plan.messages}`);
  if (facts.kills !== plan.kills) faults.push(`${facts.kills} kills instead of ${plan.kills}`);
  if (counts.duplicated.telegram > unknown)
    faults.push(
      `Telegram has ${counts.duplicated.telegram} duplicates for ${unknown} unknown sends; without a receipt are ${withoutReceipt(facts.telegram, facts).join(', ')}`,
    );
  const missed = named.filter((window) => !facts.hits.has(window));
  if (plan.kills >= manyKills && missed.length > 0) faults.push(`no kill fell here: ${missed.join('; ')}`);
  const { sent, answered, lost, duplicated, outOfOrder, archived, archivedTwice, unlabelled, astray } =
    counts;
  const summary = {
    ...{ sent, answered, lost, duplicated, unknownTelegramSends: unknown, outOfOrder },
    ...{ archived, archivedTwice, kills: facts.kills, unlabelled, astray },
  };
  return { faults, summary };
}
