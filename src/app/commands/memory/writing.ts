// The actions of `parley memory` that change what is remembered: put, import, promote, demote, retract. Not forgetting.

import { showProgress } from '#app/screen/progress.ts';
import { paragraph } from '#app/screen/screen.ts';
import { systemClock } from '#base/clock.ts';
import { documentPath } from '#base/documents.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';
import { fieldNames, withFieldNames } from '#base/field-names.ts';
import { fromHome } from '#base/files/files.ts';
import type { NoteKind, NoteResult } from '#memory/types/note.ts';
import { isMarkedKind, type MarkedEntry } from '#memory/types/record.ts';
import { existingAudience } from './audience.ts';
import { type ActionContext, formatMinute, type MemoryAction, namedScope, required } from './call.ts';
import { promoteRecalledAction } from './dreaming.ts';
import { importLines, isWell } from './import-report.ts';
import { promoteToKnowledgeAction } from './knowledge.ts';
import type { MemoryValues } from './memory-options.ts';

const by = { name: 'operator' };

/** Stores a text as a governed record of the named audience, or of the operator's own. */
export const putAction: MemoryAction = async (call) => {
  const { memory, operand, values, print } = call;
  const saved = await memory.put({
    kind: writtenKind(values.kind),
    text: required(operand, 'a text to store'),
    at: systemClock.now(),
    speaker: { person: 'operator', name: 'operator' },
    where: {
      audience: await existingAudience(call),
      space: values.space,
      restricted: !values.public,
      partition: call.partition,
    },
    platform: 'terminal',
    chat: 'terminal',
    sessionID: values.session ?? '',
    runID: '',
    projectID: values.project,
    messageIDs: [],
    tier: values.tier,
    supersedes: values.supersedes,
    channelTag: values.channel,
    hostTag: values.host,
    expiresAt: values.expires,
    key: values.key,
    tags: values.tag,
    pinned: values.pinned ? true : undefined,
    sensitivity: values.sensitive ? 'sensitive' : undefined,
  });
  print(values.json ? JSON.stringify(saved) : wordsOf(saved));
  return 'id' in saved ? 0 : 1;
};

function writtenKind(kind: MarkedEntry['kind'] = 'note'): NoteKind {
  if (isMarkedKind(kind))
    throw new ParleyError('invalid_usage', 'Lessons and decisions are written into the journal, by agents.', {
      hint: `Use --kind note, or an agent with a token: see ${documentPath('mcp.md')}.`,
    });
  if (kind !== 'episode') return kind;
  throw new ParleyError('invalid_usage', 'Episodes are made of exchanges; nobody writes one.', {
    hint: 'Use --kind note.',
  });
}

/** Pins a record to every prompt of its audience; `--unpin` takes the pin away. */
export const pinAction: MemoryAction = async (call) => {
  const { memory, operand, values, print } = call;
  const id = required(operand, 'the id of a record');
  const { record } = await memory.pin({ id, scope: await namedScope(call), by, pinned: !values.unpin });
  print(
    values.json
      ? JSON.stringify({ id: record.id, pinned: record.pinned })
      : `${record.id} is ${record.pinned ? 'pinned' : 'no longer pinned'}.`,
  );
  return 0;
};

/** Reports that a procedure worked, or with `--failed` that it did not. */
export const reportAction: MemoryAction = async (call) => {
  const { memory, operand, values, print } = call;
  const id = required(operand, 'the id of a procedure');
  const scope = await namedScope(call);
  const outcome = values.failed ? 'failure' : 'success';
  await memory.signal({ id, scope, by, outcome, note: values.reason });
  const signals = await memory.signals({ id, scope });
  if (values.json) print(JSON.stringify({ id, ...signals }));
  else {
    print(`${id}: worked ${signals.successes}, failed ${signals.failures}`);
    for (const { outcome: how, at, note } of signals.latest)
      for (const line of paragraph(`${formatMinute(at)}  ${how}  ${note ?? ''}`.trimEnd())) print(line);
  }
  return 0;
};

function wordsOf(saved: NoteResult): string {
  switch (saved.status) {
    case 'stored':
      return `${saved.id} is stored${saved.redacted.length === 0 ? '' : `; masked: ${saved.redacted.join(', ')}`}.`;
    case 'duplicate':
      return `${saved.id} says that already.`;
    case 'forgotten':
      return 'Exactly this was forgotten there before, and is not stored again.';
    case 'retracted':
      return 'The same text was retracted there before; --supersedes ID stores it again.';
    case 'nothing to store':
      return 'There is nothing in it to store.';
  }
}

/** Imports a file or a folder; Ctrl-C stops it between two files, and the same call continues from there. */
export const importFilesAction: MemoryAction = async (call) => {
  const { memory, operand, values, print } = call;
  if (operand !== undefined && values.path !== undefined)
    throw new ParleyError('invalid_usage', 'The path is given twice: on its own and with --path.', {
      hint: 'Name it once.',
    });
  const audience = await existingAudience(call);
  const progress = showProgress('files', values.json ? 'silent' : 'shown');
  const stop = new AbortController();
  const onInterrupt = (): void => stop.abort();
  process.once('SIGINT', onInterrupt);
  try {
    const request = {
      path: fromHome(required(values.path ?? operand, 'the path of a file or folder')),
      format: required(values.format, '--format, one of those that "parley memory import --help" lists'),
      where: {
        audience,
        space: values.space,
        restricted: !values.public,
        partition: call.partition,
      },
      account: values.account,
      tier: values.tier,
      sessionID: values.session,
      projectID: values.project,
      syncDeletes: values['sync-deletes'],
      allowEmpty: values['allow-empty'],
      onFile: progress.update,
      signal: stop.signal,
    };
    const report = await memory.importPath(request).catch((error: unknown) => {
      throw asTyped(error, values);
    });
    progress.end();
    if (values.json) print(JSON.stringify(report));
    else for (const line of importLines(report)) print(line);
    return isWell(report) ? 0 : 1;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
};

/** What is wrong with the call of an import, with its options as they were typed. */
function asTyped(error: unknown, { typed }: MemoryValues): unknown {
  if (codeOf(error) !== 'invalid_import') return error;
  const options = new Map([
    ...fieldNames(['--sync-deletes', '--allow-empty']),
    ...([
      ['projectid', `--${typed.project}`],
      ['sessionid', `--${typed.session}`],
    ] as const),
  ]);
  return new ParleyError('invalid_usage', withFieldNames(errorMessage(error), options), {
    hint: 'See "parley memory import --help".',
  });
}

/** Brings a record to a wider tier, or a demoted one back, or makes it knowledge. */
export const promoteAction: MemoryAction = async (call) => {
  const { memory, operand, values, print } = call;
  if (values.to === undefined) return promoteRecalledAction(call);
  if (values.to === 'knowledge') return promoteToKnowledgeAction(call);
  const promotion = await memory.promote({
    id: required(operand, 'the id of a record'),
    scope: await namedScope(call),
    by,
    toTier: values.to,
    projectID: values.project,
    reason: required(values.reason, '--reason TEXT: why it is of use to more'),
  });
  const { promoted, record, scrub } = promotion;
  if (values.json) print(JSON.stringify(promotion));
  else if (promoted)
    print(`${record.id} is in the ${record.tier} tier now; ${scrub.status}, ${scrub.redactions} masked.`);
  else print(`${record.id} was not promoted: ${scrub.blockReason}. It is no longer found.`);
  return promoted ? 0 : 1;
};

/** `parley memory demote ID`: hides a record from recall. */
export const demoteAction: MemoryAction = (call) => withdraw(call, 'demote');
/** `parley memory retract ID`: withdraws a record. */
export const retractAction: MemoryAction = (call) => withdraw(call, 'retract');

async function withdraw(call: ActionContext, how: 'demote' | 'retract'): Promise<number> {
  const { memory, operand, values, print } = call;
  const id = required(operand, 'the id of a record');
  const withdrawn = await memory[how]({ id, scope: await namedScope(call), by, reason: values.reason });
  const words =
    how === 'demote'
      ? 'is no longer found, until it is promoted again'
      : 'is retracted, and stays as history';
  print(values.json ? JSON.stringify(withdrawn) : `${withdrawn.record.id} ${words}.`);
  return 0;
}
