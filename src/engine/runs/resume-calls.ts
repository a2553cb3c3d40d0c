// The calls of a run that died, in the run that resumes it: a stored result stays, and what may have been carried out is asked.
import type { ModelMessage, ToolResultPart } from 'ai';
import { ParleyError } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import { answerMessages, earlierOutputOf, outputOf } from '#engine/context/history.ts';
import type { Part, ToolPart } from '#engine/sessions/part-rows.ts';
import { choiceIn, interruptedCallOptions } from '#engine/wire/runs/request.ts';
import { memoryWriters } from '#engine/wire/runs/tool-names.ts';
import type { AnswerParts, AnswerTask } from './answer-task.ts';
import { askingOf, type CallHow, endCall, runCall, toolPart } from './call-tools.ts';
import { cancelledReason } from './end.ts';
import { isOpenCall } from './part-writer.ts';

/** Characters of the arguments in a question about a call. */
const argumentChars = 1_000;
const notKnown =
  'The program stopped during this call, and it is not known whether it was carried out. It was not tried again. Say so to the person.';

/**
 * What the model had said and called in earlier lives of the run, as messages that it goes on from. A call that was only asked for is made
 * now. One that was begun and has no result is made again if its tool is idempotent or the person says so; else it has failed with a
 * reason. Throws what ends the run where the person says so.
 */
export async function resumeCalls(
  parts: AnswerParts,
  task: AnswerTask,
  how: Omit<CallHow, 'part'>,
): Promise<ModelMessage[]> {
  const ended: Part[] = [];
  const made = new Set<string>();
  for (const part of task.resumed) {
    if (part.type !== 'tool' || !isOpenCall(part)) ended.push(part);
    else {
      made.add(part.id);
      const call = { ...how, part };
      const work = () =>
        part.state === 'pending' ? runCall(parts, task, call) : repeatCall(parts, task, call);
      ended.push(await endCall(task, call, work));
    }
  }
  return answerMessages(ended, (part) => (made.has(part.id) ? outputOf(part) : storedOutputOf(part)));
}

/** A call that may have been carried out. */
async function repeatCall(parts: AnswerParts, task: AnswerTask, how: CallHow): Promise<ToolPart> {
  const { part, offered } = how;
  if (offered.find(({ name }) => name === part.tool)?.idempotent === true)
    return runCall(parts, task, { ...how, hasLeave: true });
  switch (task.run.canAsk ? await choiceOf(parts, task, part) : 'skip') {
    case 'again':
      return runCall(parts, task, how);
    case 'skip':
      return toolPart(part, { state: 'failed', error: notKnown });
    case 'stop':
      throw new ParleyError(cancelledReason, 'The person stopped the run.');
  }
}

/** What the person wants of it; nothing is done again where nobody answers. */
async function choiceOf(
  { requests }: AnswerParts,
  task: AnswerTask,
  part: ToolPart,
): Promise<'again' | 'skip' | 'stop'> {
  const args = truncate(JSON.stringify(part.args ?? {}), argumentChars);
  const question = `The program stopped while it called ${part.tool} with ${args}. The call may have run. What now?`;
  const interruptedCall = { tool: part.tool, args: part.args ?? {} };
  const asked = { question, options: [...interruptedCallOptions], interruptedCall };
  const asking = { ...askingOf(task, part), kind: 'question' as const, questions: [asked] };
  const reply = await task.pause(() => requests.ask(asking, task.signal));
  if (reply.status === 'expired' || !Array.isArray(reply.reply)) return 'skip';
  switch (choiceIn(interruptedCallOptions, reply.reply[0] ?? '')) {
    case 0:
      return 'again';
    case 2:
      return 'stop';
    default:
      return 'skip';
  }
}

/** What was stored; what memory gave is not shown again, as in other runs. */
function storedOutputOf(part: ToolPart): ToolResultPart['output'] {
  return memoryWriters.has(part.tool) ? outputOf(part) : earlierOutputOf(part);
}
