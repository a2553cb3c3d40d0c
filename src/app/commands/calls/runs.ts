// `parley runs ...`: what runs did and how they ended, and each told again from its files. Not their events as they happen.
import { z } from 'zod';
import { formatBytes } from '#adapters/uploads/format-bytes.ts';
import { chatMeant } from '#app/commands/parts/chat-meant.ts';
import { wholeNumber } from '#app/commands/parts/checked-options.ts';
import { callEngine, type EngineAction, limitField, oneID, upTo } from '#app/commands/parts/engine-call.ts';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { loadConfig } from '#app/config/load.ts';
import { fact, minute, paragraph, row } from '#app/screen/screen.ts';
import { systemClock } from '#base/clock.ts';
import { counted } from '#base/text.ts';
import { deleteRuns, oldRuns } from '#engine/run-files/retention.ts';
import { askedTitle } from '#engine/wire/channels/place-title.ts';
import type { RunReplay } from '#engine/wire/runs/replay.ts';
import { type Run, runStatuses } from '#engine/wire/runs/run.ts';
import { runEvents } from './run-events.ts';

const schema = z.object({
  limit: limitField,
  session: z.string().min(1).max(100).optional(),
  status: z.enum(runStatuses).optional(),
  chat: z.string().min(1).max(1_000).optional(),
  room: z.string().min(1).max(200).optional(),
  person: z.string().min(1).max(200).optional(),
  'until-event': wholeNumber({ from: 0 }).optional(),
});
type Values = z.infer<typeof schema>;

/** Runs one action; resolves with 0, or 1 when the files of a replayed run have drifted apart. */
export function parleyRuns(input: CommandInput): Promise<number> {
  return callEngine(input, {
    schema,
    actions: { list, show, replay, export: exportOne },
    withoutEngine: { prune },
  });
}

const list: EngineAction<Values> = async ({ client, values, json, print }) => {
  const { session: sessionID, status, room, person } = values;
  const chat = values.chat === undefined ? undefined : await chatMeant(client, values.chat);
  const found = await upTo(values.limit, (page) =>
    client.runs.list({ ...page, sessionID, status, room, person, chat }),
  );
  if (json) print(JSON.stringify({ runs: found }));
  else if (found.length === 0) print('There is no run.');
  else
    for (const run of found) {
      print(row(run.runID, minute(run.startedAtMs), run.status.padEnd(11), run.failure?.code ?? run.text));
      print(row('', askedTitle(run), ...(run.question === undefined ? [] : [run.question])));
    }
  return 0;
};

const show: EngineAction<Values> = async (call) => {
  const run = await call.client.runs.get(oneID(call, 'the id of a run', 'runs'));
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
    fact('asked by', askedTitle(run)),
    ...(run.question === undefined ? [] : [fact('question', run.question)]),
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
  const run = await client.runs.get(oneID(call, 'the id of a run', 'runs'));
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

const replay: EngineAction<Values> = async (call) => {
  const { client, values, json, print } = call;
  const runID = oneID(call, '"runs replay ID" with the id of one run', 'runs');
  const replayed = await client.runs.replay(runID, { upto_seq: values['until-event'] });
  if (json) print(JSON.stringify(replayed));
  else for (const line of describeReplay(replayed)) print(line);
  return replayed.drift.mismatch ? 1 : 0;
};

/** Fields that differ, of all that the answer has. */
const shownDifferences = 20;

function describeReplay(replayed: RunReplay): string[] {
  const { replay: state, replay_blackboard: board, drift, differences } = replayed;
  const differing = Object.entries(drift).flatMap(([name, is]) => (is && name !== 'mismatch' ? [name] : []));
  const left = differences.length - shownDifferences + replayed.differences_left_off;
  return [
    fact('run', state.run_id),
    fact('session', state.session_id),
    fact('status', `${state.status} after ${counted(state.last_event_seq, 'event')}`),
    ...state.steps.map(({ tool, status }) => fact('step', `${tool}: ${status}`)),
    ...(board.rolling_summary === '' ? [] : [fact('said', ''), ...paragraph(board.rolling_summary)]),
    ...replayed.unreadable_lines.map(({ file, line, text }) =>
      fact('torn', `line ${line} of ${file}: ${text}`),
    ),
    ...(replayed.missing_lines === 0
      ? []
      : [fact('missing', `${counted(replayed.missing_lines, 'line')} of its logs`)]),
    ...replayed.missing_files.map((file) => fact('missing', file)),
    ...differences
      .slice(0, shownDifferences)
      .flatMap(({ file, seq, field, expected, found }) => [
        fact('differs', [file, ...(seq === undefined ? [] : [seq]), field].join(' ')),
        ...paragraph(`${JSON.stringify(found)} where ${JSON.stringify(expected)} is expected`),
      ]),
    ...(left > 0 ? [fact('differs', `${counted(left, 'field')} more`)] : []),
    ...replayed.not_looked_at.map((what) => fact('skipped', what)),
    drift.mismatch ? fact('drift', differing.join(', ')) : fact('files', 'no drift'),
  ];
}
