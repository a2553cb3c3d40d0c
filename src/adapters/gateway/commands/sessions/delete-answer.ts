// `/delete`: takes the last answer out of the chat, the conversation and memory; of a reaction, the answer that it is about.
import type { CommandCall, CommandHandler } from '#adapters/gateway/commands/command-context.ts';
import type { OutboxRow } from '#adapters/gateway/ledger/outbox.ts';
import { refusal } from '#adapters/gateway/terms/command-reply.ts';
import { ignoreMissing } from '#adapters/gateway/turns/hand-overs.ts';

/** `/delete`: deletes the last answer to the person; what was asked stays, and is remembered. */
export const deleteCommand: CommandHandler = async (call) => {
  const { engine, ledger, row, phrases } = call;
  const turnID = row.event.about ?? ledger.inbox.lastTurn(row.lane, row.person)?.turnID;
  const turn = turnID === undefined ? undefined : ledger.turns.get(turnID);
  if (turn === undefined) throw refusal(({ sessions }) => sessions.nothingToDelete);
  const outboxID = ledger.outbox.idOfTurn(turn.id);
  const answer = outboxID === undefined ? undefined : ledger.outbox.get(outboxID);
  if (answer === undefined || ledger.outbox.stateOf(answer.id) === 'open')
    throw refusal(({ commands }, command) => commands.stillAnswering({ command }));
  if (turn.runID !== undefined) await engine.deleteAnswer({ runID: turn.runID }).catch(ignoreMissing);
  const isGone = await removeMessages(call, answer);
  await ledger.commit(() => ledger.postedAnswers.erase(turn.id), 'written');
  if (!isGone) return phrases.sessions.answerStays;
  return { words: phrases.sessions.answerDeleted, showsItself: true };
};

/** Removes the answer's messages; false where the platform leaves one of them. */
async function removeMessages(
  { removeMessage }: CommandCall,
  { address, parts }: OutboxRow,
): Promise<boolean> {
  let isGone = true;
  for (const { nativeID } of parts)
    if (nativeID !== undefined) isGone = (await removeMessage(address, nativeID)) && isGone;
  return isGone;
}
