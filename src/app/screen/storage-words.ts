// The shared database in words, for `parley status` and the doctor: who leads which bot.
import type { StorageStanding } from '#engine/wire/operator/storage-standing.ts';
import { minute } from './screen.ts';

type Account = StorageStanding['accounts'][number];

/** Who leads a bot; `none` where nobody does. */
export function leaderWords({ leads, leader, isHeld, sinceMs }: Omit<Account, 'channel'>): string {
  if (leader === null || sinceMs === null) return 'nobody has led it yet';
  const since = `${minute(sinceMs)} UTC`;
  if (leads) return `led by this instance since ${since}`;
  return isHeld
    ? `led by ${leader} since ${since}`
    : `led by nobody; the last was ${leader}, from ${since} on`;
}

/** A name and its words for each line of a status. */
export function storageFacts({ place, instance, latencyMs, accounts }: StorageStanding): [string, string][] {
  const answers = latencyMs === null ? 'does not answer' : `answers in ${Math.ceil(latencyMs)} ms`;
  return [
    ['store', `PostgreSQL ${answers}: ${place}`],
    ['instance', instance],
    ...(latencyMs === null
      ? []
      : accounts.map((account): [string, string] => ['', `${account.channel}: ${leaderWords(account)}`])),
  ];
}
