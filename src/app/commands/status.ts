// `parley status`: how the Parley of the home folder is doing, asked over HTTP; again and again with --watch.

import { loadConfig } from '#app/config/load.ts';
import { runningAt, silence, silentParts } from '#app/running/engine-access.ts';
import { dreamFacts } from '#app/screen/dream-words.ts';
import { fileLines } from '#app/screen/file-words.ts';
import { learnedRemarks } from '#app/screen/learned-words.ts';
import { lookFacts } from '#app/screen/look-words.ts';
import { mcpLine, mcpProblems } from '#app/screen/mcp-words.ts';
import { overdueSchedules } from '#app/screen/schedule-words.ts';
import { advice, minute, paragraph, row } from '#app/screen/screen.ts';
import { storageFacts } from '#app/screen/storage-words.ts';
import { teamFact, teamProblems } from '#app/screen/team-words.ts';
import { refusalLines, vectorWords } from '#app/screen/vector-words.ts';
import { asCalled } from '#base/called-as.ts';
import { systemClock } from '#base/clock.ts';
import { counted } from '#base/text.ts';
import { createClient } from '#engine/client/client.ts';
import type { ChannelEntry } from '#engine/wire/channels/channel-report.ts';
import { askedTitle } from '#engine/wire/channels/place-title.ts';
import type { McpStanding } from '#engine/wire/operator/mcp-standing.ts';
import type { StatusReport } from '#engine/wire/operator/overview.ts';
import type { Run } from '#engine/wire/runs/run.ts';
import type { ScheduleStanding } from '#engine/wire/schedules/schedule-standing.ts';
import type { TeamStanding } from '#engine/wire/teams/team-standing.ts';
import type { CommandInput } from './parts/input.ts';
import { stopSignal } from './serve/run-until-stopped.ts';

const watchMs = 2_000;
/** Active runs that are named. */
const shownRuns = 10;
/** Clears a terminal and goes to its top. */
const clear = '\x1b[H\x1b[2J';

interface ProcessStatus {
  url: string;
  overview: StatusReport;
  /** The runs that are active, the oldest first; at most `shownRuns`. */
  runs: readonly Run[];
}

/** What runs, and where something should and does not answer. */
interface Seen {
  parts: ProcessStatus[];
  silent: string[];
}

/** Prints the status; resolves with 0, or with 1 when none runs or answers. With --watch it goes on until it is told to stop. */
export async function parleyStatus(input: CommandInput): Promise<number> {
  if (input.values.watch !== true) return show(input, await look(input));
  using stopped = stopSignal();
  const ending = new AbortController();
  void stopped.received.then(() => ending.abort());
  return watch(input, ending.signal);
}

/** Prints it again and again until the signal aborts; resolves as the last time would. */
export async function watch(input: CommandInput, signal: AbortSignal): Promise<number> {
  for (;;) {
    const seen = await look(input);
    if (process.stdout.isTTY && !input.json) input.print(clear);
    const code = show(input, seen);
    await systemClock.sleep(watchMs, signal).catch(() => undefined); // asked to stop
    if (signal.aborted) return code;
  }
}

/** What runs with the home folder: engine and channels in one process, or in two. */
async function look(input: CommandInput): Promise<Seen> {
  const loaded = loadConfig(input);
  const at = await Promise.all([runningAt('engine', loaded), runningAt('channels', loaded)]);
  const known = at.filter((each) => each !== undefined);
  const parts = await Promise.all(
    known.map(async (each) => {
      const client = createClient(each);
      const overview = await client.status();
      const active = (overview.engine?.activeRuns ?? [])
        .toSorted((a, b) => a.startedAtMs - b.startedAtMs)
        .slice(0, shownRuns);
      const runs = await Promise.all(
        active.map(({ runID }) => client.runs.get(runID).catch(() => undefined)),
      );
      return { url: each.baseUrl, overview, runs: runs.filter((run) => run !== undefined) };
    }),
  );
  const [engine, apart] = at;
  const silent = silentParts(loaded.home, {
    engine: engine !== undefined,
    channels: apart !== undefined || parts.some(({ overview }) => overview.lanes !== null),
  });
  return { parts, silent };
}

function show(input: CommandInput, { parts, silent }: Seen): number {
  if (input.json) {
    const more = silent.length === 0 ? {} : { silent };
    input.print(JSON.stringify({ running: parts.length > 0, parts, ...more }));
  } else {
    for (const url of silent)
      for (const line of told(`${silence.words(url)} ${silence.hint}`)) input.print(line.trimStart());
    if (parts.length > 0) for (const line of statusLines(parts, systemClock.now())) input.print(line);
    else if (silent.length === 0) {
      input.print(`No Parley runs with the home folder ${loadConfig(input).home}.`);
      for (const line of advice('"parley start" starts one.')) input.print(line);
    }
  }
  return parts.length > 0 ? 0 : 1;
}

/** Sentences of ours, with commands as they can be called here. */
const told = (text: string, within?: number): string[] => paragraph(asCalled(text), within);

/** The words of a status, within 80 columns. */
export function statusLines(parts: readonly ProcessStatus[], now: number): string[] {
  const overviews = parts.map(({ overview }) => overview);
  const engine = overviews.find((each) => each.engine !== null)?.engine;
  const memory = overviews.find((each) => each.memory !== null)?.memory;
  const channels = overviews.find((each) => each.lanes !== null);
  return [
    ...parts.map(({ url, overview: { version, startedAtMs, ready } }) =>
      row(`Parley ${version} at ${url} since ${minute(startedAtMs)} UTC, ${ready ? 'ready' : 'NOT READY'}`),
    ),
    ...overviews.flatMap(({ problems }) =>
      problems.flatMap(({ message, hint }) => told(`${message} ${hint ?? ''}`)),
    ),
    ...overviews.flatMap(({ config }) => configLines(config)),
    '',
    ...(channels === undefined
      ? [fact('channels', 'run somewhere else: "parley status" there shows them')]
      : channelLines(channels, now)),
    ...overviews.flatMap(({ mcp }) => (mcp === undefined ? [] : mcpLines(mcp))),
    ...(engine == null
      ? [fact('engine', 'runs somewhere else')]
      : engineLines(engine, { runs: parts.flatMap(({ runs }) => runs), now })),
    ...(engine?.learned ?? []).flatMap((model) => learnedRemarks(model).flatMap(({ what }) => told(what))),
    ...(engine?.schedules === undefined ? [] : scheduleLines(engine.schedules, now)),
    ...(engine?.teams === undefined ? [] : teamLines(engine.teams)),
    ...(memory == null ? [] : memoryLines(memory)),
    ...(engine?.activeMemory === undefined
      ? []
      : lookFacts(engine.activeMemory, now).map(([name, words]) => fact(name, words))),
    ...(engine == null || memory != null ? [] : [fact('memory', 'cannot be used')]),
    ...overviews.flatMap(({ storage }) =>
      storage === undefined ? [] : storageFacts(storage).map(([name, words]) => fact(name, words)),
    ),
    ...storedLines(overviews.flatMap(({ stored }) => stored ?? [])),
  ];
}

function configLines({ pendingRestart: later, error: refused }: StatusReport['config']): string[] {
  if (refused !== null)
    return told(`The config cannot be used as it is now, and nothing of it is changed: ${refused}`);
  return later.length === 0 ? [] : told(`At the next start takes effect: ${later.join(', ')}.`);
}

const fact = (name: string, value: string): string => row(name.padEnd(10), value);

function channelLines({ channels, lanes }: StatusReport, now: number): string[] {
  return [
    ...Object.entries(channels).flatMap(([name, entry]) => channelLine(name, entry, now)),
    ...(lanes === null ? [] : laneLines(lanes)),
  ];
}

function laneLines({ active, waiting, changes, unremembered }: NonNullable<StatusReport['lanes']>): string[] {
  const waits = changes === 0 ? '' : `, ${changes} changes not in memory yet`;
  return [
    fact('lanes', `${active} active, ${waiting} waiting${waits}`),
    ...(unremembered === 0 ? [] : [`            ${unremembered} delivered answers not in memory yet`]),
  ];
}

function channelLine(name: string, entry: ChannelEntry, now: number): string[] {
  if (!entry.enabled) return [fact(name, 'off')];
  const ago = (at: number | null): string => (at === null ? 'never' : `${span(now - at)} ago`);
  const waiting = entry.inboxBacklog + entry.outboxBacklog;
  const backlog =
    waiting === 0 ? 'nothing waits' : `${entry.inboxBacklog} to answer, ${entry.outboxBacklog} to send`;
  const received = `in ${ago(entry.lastInboundMs)}, out ${ago(entry.lastOutboundMs)}`;
  const refused = entry.refused.map((words) => `Refused: ${words}`);
  return [
    fact(name, `${entry.state.padEnd(12)}  ${received}, ${backlog}`),
    ...[entry.problem ?? [], refused]
      .flat()
      .flatMap((words) => told(words, 70).map((line) => `          ${line}`)),
  ];
}

function engineLines(
  { model, activeRuns, pendingRequests: asked, today }: NonNullable<StatusReport['engine']>,
  { runs, now }: { runs: readonly Run[]; now: number },
): string[] {
  const oldest = Math.min(...activeRuns.map(({ startedAtMs }) => startedAtMs));
  const since = activeRuns.length === 0 ? '' : `, the oldest for ${span(now - oldest)}`;
  const answers = asked === 0 ? '' : `, ${asked} wait for a person`;
  const tokens = `${count(today.inputTokens)} tokens in, ${count(today.outputTokens)} out`;
  const cost = today.costUSD === undefined ? 'no price is set' : `${today.costUSD.toFixed(4)} USD`;
  const unpriced =
    today.costUSD !== undefined && today.unpricedRuns > 0
      ? ` and ${counted(today.unpricedRuns, 'run')} unpriced`
      : '';
  return [
    fact('model', model),
    fact('runs', `${activeRuns.length} active${since}${answers}`),
    ...runs.map((run) => fact('', `${askedTitle(run)}, ${span(now - run.startedAtMs)}`)),
    ...(activeRuns.length > runs.length && runs.length > 0
      ? [fact('', `and ${activeRuns.length - runs.length} more`)]
      : []),
    fact(
      'today',
      `${count(today.runs)} ${today.runs === 1 ? 'run' : 'runs'}, ${tokens}, ${cost}${unpriced} (UTC)`,
    ),
  ];
}

function scheduleLines(standing: ScheduleStanding, now: number): string[] {
  const { active, nextAtMs, waiting, failedLastDay } = standing;
  const due = waiting.reduce((all, each) => all + each.count, 0);
  const next = nextAtMs === null ? '' : `, next ${minute(nextAtMs)} UTC`;
  const rest = [
    ...(due === 0 ? [] : [`${count(due)} due and waiting`]),
    ...(failedLastDay === 0 ? [] : [`${count(failedLastDay)} failed in 24 h`]),
  ];
  return [
    fact('schedules', `${count(active)} active${next}`),
    ...(rest.length === 0 ? [] : [fact('', rest.join(', '))]),
    ...overdueSchedules(standing, now).flatMap(({ what, hint }) => told(`${what} ${hint}`)),
  ];
}

function mcpLines(standing: McpStanding): string[] {
  const { lastUsedAtMs: used } = standing;
  const line = mcpLine(standing, used === null ? undefined : `${minute(used)} UTC`);
  return [
    ...(line === undefined ? [] : [fact('mcp', line)]),
    ...mcpProblems(standing).flatMap(({ what, hint }) => told(`${what} ${hint}`)),
  ];
}

function teamLines(standing: TeamStanding): string[] {
  const { unusable } = standing;
  const wrong = unusable === null ? [] : teamProblems({ ...standing, approvals: 0 });
  return [fact('teams', teamFact(standing)), ...wrong.flatMap(({ what, hint }) => told(`${what} ${hint}`))];
}

function memoryLines(memory: NonNullable<StatusReport['memory']>): string[] {
  const { chunks, degraded } = memory;
  return [
    fact('memory', `${count(chunks)} ${chunks === 1 ? 'passage' : 'passages'}`),
    ...(memory.files === undefined ? [] : fileLines(memory.files)),
    ...(memory.dreaming === undefined
      ? []
      : dreamFacts(memory.dreaming).map(([name, words]) => fact(name, words))),
    fact('vectors', vectorWords(memory)),
    ...refusalLines(memory).flatMap((words) => told(words)),
    ...degraded.flatMap((words) => told(`without: ${words}`)),
  ];
}

/** What only grows; of two processes each knows its own. */
function storedLines(all: readonly NonNullable<StatusReport['stored']>[]): string[] {
  const words = {
    inbox: ['message in', 'messages in'],
    outbox: ['out', 'out'],
    events: ['event', 'events'],
    audit: ['line of audit', 'lines of audit'],
  } as const;
  const known = Object.entries(words).flatMap(([name, [one, many]]) => {
    const rows = all.map((saved) => saved[name as keyof typeof words]).find((each) => each !== null);
    return rows === undefined || rows === null ? [] : [`${count(rows)} ${rows === 1 ? one : many}`];
  });
  return known.length === 0 ? [] : [fact('stored', known.join(', '))];
}

const count = (n: number): string => n.toLocaleString('en');

/** A span of time in its largest whole unit. */
function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}
