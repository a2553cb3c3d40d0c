// `parley runs replay ID`: a run told again from its files, also while the program is not running. Not its events as they happen.
import { loadConfig } from '#app/config/load.ts';
import { ParleyError } from '#base/errors.ts';
import { replayRun } from '#engine/run-files/replay.ts';
import type { CommandInput } from './input.ts';

/** Exit code 0 when the files agree with each other, 1 when they have drifted apart. */
export async function runs({
  folder,
  configFile,
  variables,
  print,
  rest,
  json,
  upto,
}: CommandInput): Promise<number> {
  const [verb, runID, ...more] = rest;
  if (verb !== 'replay' || runID === undefined || more.length > 0) {
    throw new ParleyError('wrong_call', 'Expected "runs replay ID" with the id of one run.', {
      cure: 'The folder context_runs of the home folder has one folder for each run.',
    });
  }
  if (upto !== undefined && !/^\d{1,9}$/.test(upto)) {
    throw new ParleyError(
      'config_invalid',
      `Expected a whole number after --upto, got ${JSON.stringify(upto)}.`,
    );
  }
  const { home } = loadConfig({ folder, configFile, variables });
  const uptoSeq = upto === undefined ? undefined : Number(upto);
  const told = await replayRun(home, runID, { uptoSeq, from: 'start' });
  if (json) print(JSON.stringify(told));
  else for (const line of linesOf(told)) print(line);
  return told.drift.mismatch ? 1 : 0;
}

function linesOf({
  replay,
  replay_blackboard: board,
  drift,
}: Awaited<ReturnType<typeof replayRun>>): string[] {
  const differing = Object.entries(drift).flatMap(([name, is]) => (is && name !== 'mismatch' ? [name] : []));
  return [
    `run      ${replay.run_id}`,
    `session  ${replay.session_id}`,
    `status   ${replay.status} after ${replay.last_event_seq} events`,
    ...replay.steps.map(({ tool, status }) => `step     ${tool}: ${status}`),
    ...(board.rolling_summary === '' ? [] : [`said     ${board.rolling_summary}`]),
    drift.mismatch ? `drift    ${differing.join(', ')}` : 'files    no drift',
  ];
}
