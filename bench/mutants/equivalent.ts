// Mutants that no test can notice, each with the reason. Not those that a test should notice and does not.
import type { Mutant } from './mutate.ts';

export interface Equivalent {
  /** From the root of the project. */
  file: string;
  /** What the line says, without the space around it. */
  line: string;
  /** As `npm run mutants` prints it. */
  what: string;
  reason: string;
}

const countHasRow = 'a count always has a row: the stand-in for none is never taken';

export const equivalents: readonly Equivalent[] = [
  {
    file: 'src/adapters/gateway/ledger/inbox/inbox-content.ts',
    line: 'if (files.length > 0) setFiles.run(JSON.stringify(files), platform, account, chat, nativeID);',
    what: 'operator: > -> >=',
    reason: 'no files are set only where there are none',
  },
  {
    file: 'src/adapters/gateway/admission/tokens.ts',
    line: 'const { id, agent, readOnly, usedAtMs = 0, revokedAtMs, expiresAtMs } = token;',
    what: 'constant: 0 -> (0 + 1)',
    reason:
      'a token that was never used was used decades before now, whichever millisecond of 1970 stands for that',
  },
  {
    file: 'src/adapters/gateway/ledger/posted-requests.ts',
    line: "WHERE id = ? AND state = 'open'`,",
    what: "SQL: AND state = 'open' -> ",
    reason: 'anyone who answers has read in the same transaction that the request is open',
  },
  {
    file: 'src/adapters/gateway/pace/priority-queue.ts',
    line: 'if (alarm === undefined || left < msUntil(clock, alarm.at)) setAlarm(left);',
    what: 'operator: < -> <=',
    reason: 'an alarm for the same moment is set again',
  },
  {
    file: 'src/adapters/gateway/ledger/inbox/inbox-counts.ts',
    line: 'fromPersonIn.get(person, since, platform, account, chat)?.n ?? 0,',
    what: 'constant: 0 -> (0 + 1)',
    reason: countHasRow,
  },
  {
    file: 'src/adapters/gateway/ledger/inbox/inbox-counts.ts',
    line: 'fromPersons: (persons, since) => fromPersons.get(JSON.stringify(persons), since)?.n ?? 0,',
    what: 'constant: 0 -> (0 + 1)',
    reason: countHasRow,
  },
  {
    file: 'src/adapters/gateway/ledger/inbox/inbox-counts.ts',
    line: 'countIn: ({ platform, account, chat }, since) => received.get(platform, account, chat, since)?.n ?? 0,',
    what: 'constant: 0 -> (0 + 1)',
    reason: countHasRow,
  },
  {
    file: 'src/adapters/gateway/ledger/people/pairing-requests.ts',
    line: 'answeredSince: ({ platform, account }, since) => notifiedSince.get(platform, account, since)?.n ?? 0,',
    what: 'constant: 0 -> (0 + 1)',
    reason: countHasRow,
  },
  {
    file: 'src/adapters/gateway/ledger/retention.ts',
    line: 'count: () => count.get() ?? { inbox: 0, outbox: 0 },',
    what: 'constant: 0 -> (0 + 1)',
    reason: countHasRow,
  },
  {
    file: 'src/adapters/gateway/ledger/inbox/content-rows.ts',
    line: 'const n = (kind: keyof ContentCounts): number => counts[kind].get(parameters) ?? 0;',
    what: 'constant: 0 -> (0 + 1)',
    reason: countHasRow,
  },
  {
    file: 'src/engine/runs/tables/run-list.ts',
    line: 'return countOf(sqlFilterOf(conditions, of)).get(of) ?? 0;',
    what: 'constant: 0 -> (0 + 1)',
    reason: countHasRow,
  },
  {
    file: 'src/adapters/gateway/delivery/refusals.ts',
    line: `.map((part, ordinal) => ({ part, key: \`r\${id.slice(-20)}\${ordinal.toString(36)}\` }));`,
    what: 'constant: 20 -> (20 + 1)',
    reason: 'a key is then one character longer, which is as unique and still at most 25',
  },
  {
    file: 'src/memory/tables/audience.ts',
    line: `const digest = memoize(1_000, (text) => \`\${hash('sha256', text).slice(0, 24)}0\`);`,
    what: 'constant: 1_000 -> (1_000 + 1)',
    reason: 'how many digests are remembered changes none of them',
  },
  {
    file: 'src/adapters/gateway/turns/answer-parts.ts',
    line: `key: \`f\${turnID.slice(-20)}\${ordinal.toString(36)}\`,`,
    what: 'constant: 20 -> (20 + 1)',
    reason: 'a key is then one character longer, which is as unique and still at most 25',
  },
  {
    file: 'src/adapters/uploads/prune.ts',
    line: 'const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = digits.map(Number);',
    what: 'constant: 0 -> (0 + 1)',
    reason: 'the pattern of a name gives all six numbers',
  },
  {
    file: 'src/adapters/uploads/arrivals.ts',
    line: 'if (from > 0) await handle.chmod(0o400);',
    what: 'await: await handle.chmod(0o400) -> handle.chmod(0o400)',
    reason:
      'a file handle closes after all that it was asked to do before, and the handle is closed before anyone has the file',
  },
  {
    file: 'src/adapters/uploads/arrivals.ts',
    line: 'if (found !== undefined && found.mtimeMs < Date.now() - abandonedMs) await rm(path, { force: true });',
    what: 'operator: < -> <=',
    reason: 'the age of a file meets the millisecond of an hour only by chance, and either is right then',
  },
  {
    file: 'src/engine/distillation/summaries.ts',
    line: 'const save = { ...bounds, historyMessages: 2 };',
    what: 'constant: 2 -> (2 + 1)',
    reason: 'what is kept are whole exchanges of two messages: room for three holds one as well',
  },
  {
    file: 'src/engine/http/routing/body.ts',
    line: "if (Number(c.req.header('content-length') ?? 0) > limitBytes) throw tooLarge(limitBytes);",
    what: 'constant: 0 -> (0 + 1)',
    reason: 'no limit is below one byte, and a body without a length is counted while it is read',
  },
  {
    file: 'src/memory/tables/audience.ts',
    line: 'spaces: z.array(z.string().min(1)),',
    what: 'constant: 1 -> (1 + 1)',
    reason:
      'a space names its platform, account and place: none has a single character, and an empty one is refused still',
  },
  {
    file: 'src/memory/maintenance/carry-forgetting.ts',
    line: 'await store.retryWhileLocked(store.leaveNoTrace);',
    what: 'await: await store.retryWhileLocked(store.leaveNoTrace) -> store.retryWhileLocked(store.leaveNoTrace)',
    reason:
      'the first attempt is made inside of the call, and nobody else may have the file open, which would need another one',
  },
  {
    file: 'src/memory/maintenance/batch-size.ts',
    line: 'let since = 0;',
    what: 'constant: 0 -> (0 + 1)',
    reason: 'the size is at its most until the first refusal, which begins the count again',
  },
  {
    file: 'src/memory/tables/audience.ts',
    line: 'export const largeShare = 1 / 3;',
    what: 'constant: 1 -> (1 + 1)',
    reason:
      'which of two ways a search looks through the rows changes how long it takes, and nothing of what it finds',
  },
  {
    file: 'src/memory/tables/audience.ts',
    line: 'export const largeShare = 1 / 3;',
    what: 'constant: 3 -> (3 + 1)',
    reason:
      'which of two ways a search looks through the rows changes how long it takes, and nothing of what it finds',
  },
  {
    file: 'src/engine/distillation/distill-groups.ts',
    line: 'const maxMessages = 200;',
    what: 'constant: 200 -> (200 + 1)',
    reason: 'how far back is read is a bound whose neighbour is as right',
  },
  {
    file: 'src/engine/permissions/requests.ts',
    line: 'waiting.delete(id);',
    what: 'statement: waiting.delete(id); -> ;',
    reason:
      'nobody looks for the id of a settled request again: only the memory that its entry takes would grow',
  },
];

/** The mutants that an entry names; a clear error when an entry names none. */
export function takeEquivalents(
  mutants: readonly Mutant[],
  entries: readonly Equivalent[],
): Map<Mutant, Equivalent> {
  const found = new Map<Mutant, Equivalent>();
  for (const entry of entries) {
    const named = mutants.filter(
      ({ file, words, what }) => file === entry.file && words === entry.line && what === entry.what,
    );
    if (named.length === 0)
      throw new Error(
        `bench/mutants/equivalent.ts names a mutant that is none: ${entry.file}, "${entry.line}", ${entry.what}. ` +
          'Expected a line and a change that exist; change the entry or take it out.',
      );
    for (const mutant of named) found.set(mutant, entry);
  }
  return found;
}
