// `npm run bench:privacy -- --histories N --seed S`: random histories on three simulated platforms; nothing that anyone receives may hold a
// word that this reader could not read at that moment, or be told as someone else's. The last line is JSON; the exit code is 1 when something leaked.
import { argumentsOf, refuseArguments } from '../harness/arguments.ts';
import { atMost, conclude } from '../harness/conclude.ts';
import { type Mode, nothingPlayed, playBatch } from './batch.ts';
import { type ChainName, chainNames } from './chains.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
/** Histories that share a program and its memory. */
const together = 80;
/** Things that happen in one history. */
const rounds = 30;
/** Histories of which the first leak is reported in full. */
const maxTold = 10;
const minuteMs = 60_000;
/** One program after the other has one of these. */
const modes: readonly Mode[] = [
  {
    ...{ name: 'budgets', sharing: 'space', directMessages: 'open', sessions: 'room', look: 'model' },
    budgets: true,
  },
  { name: 'pairing', sharing: 'space', directMessages: 'pairing', sessions: 'room', look: 'ranking' },
  { name: 'everyone', sharing: 'everyone', directMessages: 'open', sessions: 'room', look: 'model' },
  {
    ...{ name: 'single', sharing: 'everyone', directMessages: 'open', single: 'discord', sessions: 'room' },
    ...{ look: 'ranking', budgets: true },
  },
  {
    ...{ name: 'single slack', sharing: 'space', directMessages: 'open', single: 'slack', sessions: 'room' },
    look: 'off',
  },
  { name: 'rooms', sharing: 'room', directMessages: 'open', sessions: 'room', look: 'model' },
  { name: 'persons', sharing: 'space', directMessages: 'open', sessions: 'person', look: 'ranking' },
  {
    ...{ name: 'silent', sharing: 'space', directMessages: 'open', sessions: 'room', look: 'off' },
    looksMs: 30,
  },
];

const {
  values: { histories, seed, log, first: untilFirst, skip, mode: onlyMode, chain },
} = argumentsOf({
  name: 'bench:privacy',
  about:
    'Plays random histories on three simulated platforms: nothing that anyone receives may hold a word that this reader could not read at that moment. The last line is JSON; it exits with 1 when something leaked.',
  options: {
    histories: { standard: 200, least: 1, most: 100_000, about: 'histories' },
    seed: { standard: 1, least: 0, most: 2 ** 20, about: 'of the random choices' },
    log: { isSwitch: true, about: 'prints what happens' },
    first: { isSwitch: true, about: 'ends at the first leak' },
    skip: { standard: 0, least: 0, most: 100_000, about: 'histories that are passed over' },
    mode: { value: 'NAME', about: 'only programs that are configured in this way' },
    chain: { value: 'NAME', isMany: true, about: 'only such chains of events, and soon; may come again' },
  },
});

const meantModes = modes.filter(({ name }) => onlyMode === undefined || name === onlyMode);
const known: readonly string[] = chainNames;
if (meantModes.length === 0 || chain.some((name) => !known.includes(name)))
  refuseArguments(
    'bench:privacy',
    `Expected a mode of ${modes.map(({ name }) => name).join(', ')}, and chains of ${known.join(', ')}; got ${[onlyMode ?? [], chain].flat().join(', ')}.`,
  );
const chains = chain.length === 0 ? undefined : (chain as ChainName[]); // they were looked up above

const total = nothingPlayed();
let played = 0;
const beganAt = performance.now();
const told = new Set<number>();
// the histories that share a program stay the same, so that a leak is found again
for (let first = skip - (skip % together); first < histories; first += together) {
  if (untilFirst && total.leaks.length > 0) break;
  const mode = meantModes[(first / together) % meantModes.length];
  if (mode === undefined) break;
  const words = `"${mode.name}" (sharing "${mode.sharing}", direct messages "${mode.directMessages}", sessions by ${mode.sessions}, look by ${mode.look})`;
  const count = Math.min(together, histories - first);
  const result = await playBatch({ seed, first, histories: count, rounds, mode, chains, untilFirst });
  for (const leak of result.leaks) {
    if (told.has(first + leak.history) || told.size >= maxTold) continue;
    told.add(first + leak.history);
    print(
      `\nhistory ${first + leak.history}, ${words}: ${leak.canary} is shown to ${leak.reader.platform} ${leak.reader.id} in ${leak.shownIn.id}`,
    );
    print(
      `it was written in ${leak.saidIn.map(({ platform, id }) => `${platform} ${id}`).join(', ') || 'no place that exists'}`,
    );
    for (const line of leak.log) print(`  ${line}`);
  }
  if (log) for (const line of result.logs) print(line);
  total.leaks.push(...result.leaks);
  played += count;
  for (const name of ['shown', 'viewed', 'judged', 'fromElsewhere', 'volunteered', 'refused'] as const)
    total[name] += result[name];
  print(
    `${first + count} histories, ${words}: ${result.shown} messages shown, ${result.judged} words judged, ${result.fromElsewhere} of them from elsewhere, ${result.leaks.length} leaks`,
  );
}
const { leaks, logs: _, ...counts } = total;
const historiesAMinute = Math.round((played * minuteMs) / (performance.now() - beganAt));
conclude(
  { histories, played, historiesAMinute, seed, ...counts, leaks: leaks.length },
  atMost('leaks', leaks.length, 0),
);
