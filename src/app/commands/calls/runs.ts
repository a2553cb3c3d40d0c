// `parley runs ...`: what runs did and how they ended, and each told again from its files. Not their events as they happen.
import { z } from 'zod';
import { formatBytes } from '#adapters/uploads/format-bytes.ts';
import { checkedOptions, wholeNumber } from '#app/commands/parts/checked-options.ts';
import { callEngine, type EngineAction, limitField, oneID, upTo } from '#app/commands/parts/engine-call.ts';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { loadConfig } from '#app/config/load.ts';
import { fact, minute, paragraph, row } from '#app/screen/screen.ts';
import { systemClock } from '#base/clock.ts';
import { counted } from '#base/text.ts';
import { replayRun } from '#engine/run-files/replay.ts';
import { deleteRuns, oldRuns } from '#engine/run-files/retention.ts';
import { type Run, runStatuses } from '#engine/wire/runs/run.ts';
import { runEvents } from './run-events.ts';

const schema = z.object({
  limit: limitField,
  session: z.string().min(1).max(100).optional(),
  status: z.enum(runStatuses).optional(),
  'until-event': wholeNumber({ from: 0 }).optional(),
});
type Values = z.infer<typeof schema>;

/** Runs one action; resolves with 0, or 1 when the files of a replayed run have drifted apart. */
export function parleyRuns(input: CommandInput): Promise<number> {
  return callEngine(input, {
    schema,
    actions: { list, show, export: exportOne },
    withoutEngine: { replay, prune },
  });
}

const list: EngineAction<Values> = async ({ client, values, json, print }) => {
  const { session: sessionID, status } = values;
  const found = await upTo(values.limit, (page) => client.runs.list({ ...page, sessionID, status }));
  if (json) print(JSON.stringify({ runs: found }));
  else if (found.length === 0) print('There is no run.');
  else
    for (const run of found)
      print(row(run.runID, minute(run.startedAtMs), run.status.padEnd(11), run.failure?.code ?? run.text));
  return 0;
};

const show: EngineAction<Values> = async (call) => {
  const run = await call.client.runs.get(oneID(call, 'the id of a run'));
  if (call.json) call.print(JSON.stringify(run));
  else for (const line of linesOf(run)) call.print(line);
  return 0;
};

function linesOf(run: Run): string[] {
  const { model, usage, failure, artifacts = [] } = run;
  const ms = (run.finishedAtMs ?? run.startedAtMs) - run.startedAtMs;
  const took = run.finishedAtMs === undefined ? '' : `, took ${(ms / 1000).toFixed(1)} s`;
  const cost = usage?.costUSD === undefined ? '' : `, ${usage.costUSD.toFixed(4)} USD`;
  return [
    fact('run', run.runID),
    fact('session', run.sessionID),
    fact('status', run.status),
    fact('begun', `${minute(run.startedAtMs)} UTC${took}`),
    ...(run.agent === undefined ? [] : [fact('agent', run.agent)]),
    ...(model === undefined ? [] : [fact('model', `${model.providerID}/${model.modelID}`)]),
    ...(usage === undefined
      ? []
      : [
          fact(
            'tokens',
            `${usage.inputTokens} in, ${usage.outputTokens} out, ${counted(usage.calls, 'call')}${cost}`,
          ),
        ]),
    ...(failure === undefined
      ? []
      : [fact('failure', `${failure.code} (${failure.category}), ${failure.ref}`)]),
    ...(failure === undefined ? [] : paragraph(failure.message)),
    ...artifacts.map(({ name, path }) => fact('file', `${name}: ${path}`)),
    ...(run.text === '' ? [] : ['', ...paragraph(run.text)]),
  ];
}

const exportOne: EngineAction<Values> = async (call) => {
  const { client, json, print } = call;
  const run = await client.runs.get(oneID(call, 'the id of a run'));
  const events = await Array.fromAsync(runEvents(client, run.runID));
  const all = await client.sessions.messages(run.sessionID, { reverted: true });
  const messages = all.filter(({ info }) => info.runID === run.runID);
  print(JSON.stringify({ run, messages, events }, null, json ? undefined : 2));
  return 0;
};

/** Also only from the files: what the running program would delete at its next look. */
async function prune(input: CommandInput): Promise<number> {
  const { dryRun, json, print } = input;
  const { config, home } = loadConfig(input);
  const { retentionDays: days, maxCount: count } = config.runs;
  const old = await oldRuns(home, { days, count, now: systemClock.now() });
  if (!dryRun) await deleteRuns(home, old);
  if (json) {
    print(JSON.stringify({ runs: old, deleted: !dryRun }));
    return 0;
  }
  for (const { runID, at, bytes } of old) print(row(runID, minute(at), formatBytes(bytes)));
  const all = formatBytes(old.reduce((sum, { bytes }) => sum + bytes, 0));
  const age = days === undefined ? '' : `, or older than ${counted(days, 'day')}`;
  print(`${dryRun ? 'Would delete' : 'Deleted'} the files of ${counted(old.length, 'run')} (${all}):`);
  print(`those beyond the newest ${count}${age}. The runs themselves stay listed.`);
  return 0;
}

/** Only from the files, so also while nothing runs, and next to what runs. */
async function replay(input: CommandInput): Promise<number> {
  const checked = checkedOptions(schema, input.values, { hint: 'See "parley runs replay --help".' });
  const runID = oneID({ operands: input.rest.slice(1) }, '"runs replay ID" with the id of one run');
  const { home } = loadConfig(input);
  const replayed = await replayRun(home, runID, { uptoSeq: checked['until-event'], from: 'start' });
  if (input.json) input.print(JSON.stringify(replayed));
  else for (const line of describeReplay(replayed)) input.print(line);
  return replayed.drift.mismatch ? 1 : 0;
}

function describeReplay({
  replay: state,
  replay_blackboard: board,
  unreadable_lines: unreadable,
  missing_lines: missing,
  drift,
}: Awaited<ReturnType<typeof replayRun>>): string[] {
  const differing = Object.entries(drift).flatMap(([name, is]) => (is && name !== 'mismatch' ? [name] : []));
  return [
    fact('run', state.run_id),
    fact('session', state.session_id),
    fact('status', `${state.status} after ${counted(state.last_event_seq, 'event')}`),
    ...state.steps.map(({ tool, status }) => fact('step', `${tool}: ${status}`)),
    ...(board.rolling_summary === '' ? [] : [fact('said', ''), ...paragraph(board.rolling_summary)]),
    ...unreadable.map(({ file, line, text }) => fact('torn', `line ${line} of ${file}: ${text}`)),
    ...(missing === 0 ? [] : [fact('missing', `${counted(missing, 'line')} of its logs`)]),
    drift.mismatch ? fact('drift', differing.join(', ')) : fact('files', 'no drift'),
  ];
}
