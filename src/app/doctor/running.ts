// The doctor on what runs: whether a Parley uses the home folder, answers, and is failing; else whether it could listen. Starts nothing.
import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import type { LoadedConfig } from '#app/config/load.ts';
import { notedAddress } from '#app/home/engine-address.ts';
import type { ProcessRole } from '#app/home/home-lock.ts';
import { runningAt, silence, silentParts } from '#app/running/engine-access.ts';
import { learnedRemarks } from '#app/screen/learned-words.ts';
import { mcpProblems } from '#app/screen/mcp-words.ts';
import { overdueSchedules } from '#app/screen/schedule-words.ts';
import { teamFact, teamProblems } from '#app/screen/team-words.ts';
import { codeOf, errorMessage, hintOf } from '#base/errors.ts';
import { createClient } from '#engine/client/client.ts';
import { type ChannelEntry, ownOfChannel } from '#engine/wire/channels/channel-report.ts';
import type { StatusReport } from '#engine/wire/operator/overview.ts';
import type { ScheduleStanding } from '#engine/wire/schedules/schedule-standing.ts';
import type { TeamStanding } from '#engine/wire/teams/team-standing.ts';
import { type Diagnostic, errorFinding, ok, warning } from './diagnostic.ts';

interface WhatRuns {
  running: boolean;
  /** How its channels stand, wherever they run; undefined when that cannot be asked. */
  channels: Readonly<Record<string, ChannelEntry>> | undefined;
  remarks: Diagnostic[];
}

/** Asks the running engine and channels about themselves; `files` are the config files that they were started with. */
export async function lookForRunning(
  loaded: LoadedConfig,
  files: { config: string; env: string },
): Promise<WhatRuns> {
  const remarks: Diagnostic[] = [];
  /** Parts that run and do not take the token. */
  const refused = new Set<ProcessRole>();
  const look = (role: ProcessRole) =>
    runningAt(role, loaded).catch((error: unknown) => {
      if (codeOf(error) !== 'engine_token') throw error;
      refused.add(role);
      remarks.push(errorFinding(errorMessage(error), hintOf(error) ?? ''));
      return undefined;
    });
  const engine = await look('engine');
  const apart = await look('channels');
  let channels: WhatRuns['channels'];
  for (const at of [engine, apart]) {
    if (at === undefined) continue;
    const client = createClient(at);
    try {
      const { ready, version, problems = [] } = await client.health();
      remarks.push(ok(`Parley ${version} runs at ${at.baseUrl}${ready ? '' : ', and is not ready'}.`));
      for (const { message: words, hint } of problems)
        remarks.push(errorFinding(words, hint ?? 'See its log for the details.'));
      const { startedAtMs, config, memory, engine: work, mcp } = await client.status();
      remarks.push(
        ...watcherRemarks(memory?.files),
        ...scheduleRemarks(work?.schedules),
        ...teamRemarks(work?.teams),
        ...lookRemarks(work?.activeMemory),
        ...(work?.learned ?? []).flatMap(learnedRemarks).map(({ what, hint }) => warning(what, hint)),
        // the ledger says the rest
        ...failedCalls(mcp),
        ...remarksOnConfig(files.config, config),
        ...changedSince(files.env, startedAtMs),
      );
      const status = await client.channels.status();
      // what the whole program suffers from is a finding above
      const own = Object.entries(status).map(([name, entry]) => [name, ownOfChannel(entry, problems)]);
      if (!Object.values(status).some(({ state }) => state === 'remote')) channels = Object.fromEntries(own);
    } catch (error) {
      remarks.push(
        errorFinding(
          `The Parley at ${at.baseUrl} does not answer as it should: ${errorMessage(error)}`,
          'It may have another token or version: stop it and start this one.',
        ),
      );
    }
  }
  const silent = silentParts(loaded.home, {
    engine: engine !== undefined || refused.has('engine'),
    channels: apart !== undefined || channels !== undefined || refused.has('channels'),
  });
  for (const url of silent) remarks.push(errorFinding(silence.words(url), silence.hint));
  const running = refused.size > 0 || engine !== undefined || apart !== undefined || silent.length > 0;
  if (!running) remarks.push(ok('No Parley runs with this home folder.'), await canListen(loaded));
  return { running, channels, remarks };
}

/** Schedules that are on time are counted, the others are a problem each. */
export function scheduleRemarks(standing: ScheduleStanding | undefined, now = Date.now()): Diagnostic[] {
  if (standing === undefined) return [];
  const { active, failedLastDay } = standing;
  const overdue = overdueSchedules(standing, now).map(({ what, hint }) => errorFinding(what, hint));
  const failed =
    failedLastDay === 0
      ? []
      : [
          warning(
            `${failedLastDay} scheduled ${failedLastDay === 1 ? 'message' : 'messages'} could not be sent within the last day.`,
            'The schedule or the webhook is stopped with its reason: "/schedules" and "parley hook list" show it.',
          ),
        ];
  if (overdue.length + failed.length > 0) return [...overdue, ...failed];
  return active === 0 ? [] : [ok(`${active} ${active === 1 ? 'schedule is' : 'schedules are'} active.`)];
}

/** Findings on agent teams: what they do, or what blocks them. */
export function teamRemarks(standing: TeamStanding | undefined): Diagnostic[] {
  if (standing === undefined) return [];
  const wrong = teamProblems(standing).map(({ what, hint }) => warning(what, hint));
  return standing.missions === 0 ? wrong : [ok(`Agent teams: ${teamFact(standing)}.`), ...wrong];
}

/** Findings on active memory: whether its looks are paused or mostly late. */
export function lookRemarks(looks: NonNullable<StatusReport['engine']>['activeMemory']): Diagnostic[] {
  if (looks === undefined) return [];
  const { given, nothing, late, failed, timeoutMs, by, pausedUntilMs } = looks;
  const hint =
    by === 'model'
      ? 'Set `memory.active.model` to a faster model, or raise `memory.active.timeoutSeconds`; the log says why looks failed.'
      : 'Raise `memory.active.timeoutSeconds`; the log says why looks failed.';
  const bad = `${late} of ${given + nothing + late + failed} looks into memory took longer than ${timeoutMs / 1000} s, and ${failed} failed`;
  if (pausedUntilMs !== null) return [warning(`Looks into memory before answers are paused: ${bad}.`, hint)];
  return late + failed > given + nothing
    ? [warning(`Most answers are given without a look: ${bad}.`, hint)]
    : [];
}

/** Calls over MCP that failed in the program that runs. */
function failedCalls(standing: StatusReport['mcp']): Diagnostic[] {
  if (standing === undefined) return [];
  return mcpProblems({ ...standing, expiring: 0, expired: 0, unusable: 0 }).map(({ what, hint }) =>
    warning(what, hint),
  );
}

/** Findings on the watcher of memory files, which only the running program knows. */
export function watcherRemarks(files: NonNullable<StatusReport['memory']>['files']): Diagnostic[] {
  if (files?.watcher !== 'lost') return [];
  return [
    warning(
      `The watcher of the memory files was lost: ${files.watcherWords ?? 'the system gave no reason'}.`,
      'Changed files are found once a minute and before a search. Raise `fs.inotify.max_user_watches` where that is the reason, and start Parley again.',
    ),
  ];
}

const startAgain =
  'Start it again: what is in progress is finished or continues after the start, and nothing is lost.';

/** What of the config, which is read again by itself, did not come into force. */
function remarksOnConfig(
  path: string,
  { readAtMs, pendingRestart: later, error: refused }: StatusReport['config'],
): Diagnostic[] {
  if (refused !== null)
    return [
      errorFinding(
        `The Parley that runs cannot use ${path} as it is now, and still uses what it read before: ${refused}`,
        'Correct what is named and save the file; it is read again by itself.',
      ),
    ];
  return [
    ...changedSince(path, readAtMs),
    ...later.map((key) => warning(`${key} was changed: it takes effect at the next start.`, startAgain)),
  ];
}

/** A file that was changed after it was read, where it is not read again. */
function changedSince(path: string, readAtMs: number): Diagnostic[] {
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  // what is read in the millisecond of its change is not older than it
  if (Math.floor(changedAt) <= readAtMs) return [];
  return [
    warning(
      `${path} was changed after the Parley that runs had read it; it still uses what it read before.`,
      startAgain,
    ),
  ];
}

/** Whether the address of the engine is free. */
async function canListen({ config: { engine }, home }: LoadedConfig): Promise<Diagnostic> {
  const { host, port } = engine;
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ host, port, exclusive: true }, resolve);
  try {
    await promise;
    return ok(port === 0 ? 'It would listen on any free port.' : `It would listen on ${host}:${port}.`);
  } catch (error) {
    const code = codeOf(error);
    const noted = notedAddress('engine', home) === undefined ? '' : ' (perhaps a Parley that hangs)';
    return errorFinding(
      code === 'EADDRINUSE'
        ? `Another program listens on ${host}:${port} already${noted}.`
        : `${host}:${port} cannot be listened on (${code ?? errorMessage(error)}).`,
      'Stop the other program, or set `engine.port` and `engine.host` in the config.',
    );
  } finally {
    server.close();
  }
}
