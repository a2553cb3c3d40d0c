// Whether each firing of a run of chaos was sent once, and the numbers. Pure.
import type { Stood } from '../harness/account.ts';
import type { Due } from './agenda.ts';

/** A firing as the engine has it, and whether the gateway is done with it. */
export interface FiringRow {
  id: string;
  sourceID: string;
  state: string;
  isOver: boolean;
  /** The turn that answered a prompt; several that were waiting have one answer. */
  turn: string | undefined;
}

export interface ScheduleFacts {
  made: readonly Due[];
  existed: readonly Stood[];
  rows: readonly FiringRow[];
  atRest: boolean;
  exitCode: number | null;
  /** Sends to Telegram whose outcome the program could not know. */
  unknown: number;
}

/** Telegram has it first, Discord last. */
const label = /This may be a repeat\./;

/** The numbers, and all that is wrong as text; nothing may be, for a run to pass. */
export function scheduleVerdict({ made, existed, rows, atRest, exitCode, unknown }: ScheduleFacts) {
  const faults: string[] = [];
  const counts = { made: 0, firings: rows.length, sent: 0, lost: 0, again: 0, unlabelled: 0, orphans: 0 };
  if (!atRest) faults.push('not everything came to rest');
  if (exitCode !== 0) faults.push(`asked to stop, the program ended with code ${exitCode}`);
  let onTelegram = 0;
  for (const { token, platform, recurring, sourceID, kind } of made) {
    const found = existed.filter(({ text }) => text.includes(token));
    const fired = rows.filter((row) => row.sourceID === sourceID);
    const due = recurring ? new Set(fired.map(({ id, turn }) => turn ?? id)).size : 1;
    counts.made += 1;
    counts.sent += Math.min(found.length, due);
    const what = `${platform} ${recurring ? 'recurring ' : ''}${kind} ${token}`;
    if (found.length < due) {
      counts.lost += due - found.length;
      faults.push(`${what}: ${found.length} messages for ${due} firings`);
    }
    const more = Math.max(0, found.length - due);
    const labelled = found.filter(({ text }) => label.test(text)).length;
    counts.again += more;
    if (platform === 'telegram') onTelegram += more;
    // Discord knows a send for some minutes: what is sent again after a longer outage says so
    else if (more > (platform === 'discord' ? labelled : 0))
      faults.push(`${what}: ${found.length} messages for ${due} firings`);
    if (more > labelled) {
      counts.unlabelled += more - labelled;
      faults.push(`${what}: a repeat without its label`);
    }
  }
  if (onTelegram > unknown)
    faults.push(`Telegram has ${onTelegram} repeats for ${unknown} sends of unknown outcome`);
  for (const { id, state, isOver } of rows) {
    if (isOver && state === 'sent') continue;
    counts.orphans += 1;
    faults.push(`the firing ${id} is ${state}${isOver ? '' : ' and the gateway is not done with it'}`);
  }
  return { faults, summary: { ...counts, unknownTelegramSends: unknown } };
}
