// Commands about how full a conversation's prompt is: compact, context.
import type { CommandCall, CommandHandler } from '#adapters/gateway/commands/command-context.ts';
import { aside, codeSpan, refusal } from '#adapters/gateway/terms/command-reply.ts';
import { codeOf } from '#base/errors.ts';

/** Of what is to be kept: as much as the engine takes. */
const keepChars = 500;

/** `/compact [WHAT TO KEEP]`: summarizes the conversation now, and says what was kept. */
export const compactCommand: CommandHandler = async (call) => {
  const { engine, row, args, phrases } = call;
  const sessionID = sessionIn(call);
  if (args.length > keepChars)
    throw refusal(({ compaction }) => compaction.keepTooLong({ limit: keepChars }));
  const keep = args === '' ? undefined : args;
  try {
    const made = await engine.summarizeSession({ sessionID, keep }, { idempotencyKey: `compact-${row.id}` });
    return [
      phrases.compaction.done({ n: made.messages }),
      made.text.replace(/^/gm, '> '),
      ...(made.unseen > 0 ? [aside(phrases.compaction.unseen({ n: made.unseen }))] : []),
    ].join('\n\n');
  } catch (error) {
    const code = codeOf(error);
    if (code === 'nothing_to_summarize') throw refusal(({ compaction }) => compaction.tooShort);
    if (code === 'summary_failed') throw refusal(({ compaction }, command) => compaction.failed({ command }));
    throw error;
  }
};

/** `/context`: what the prompt of the last answer held, by part and tokens. */
export const contextCommand: CommandHandler = async (call) => {
  const { engine, phrases, command } = call;
  const { compaction } = phrases;
  try {
    const held = await engine.sessionContext({ sessionID: sessionIn(call) });
    const { tokens, windowTokens, counted, summary } = held;
    const model = codeSpan(held.model.modelID);
    return [
      windowTokens === null
        ? compaction.held({ n: tokens, model })
        : compaction.heldOf({
            ...{ n: tokens, model, window: windowTokens },
            percent: Math.ceil((100 * tokens) / windowTokens),
          }),
      held.sections
        .map(
          (section) =>
            `- ${compaction.section({ name: compaction.sections[section.name], n: section.tokens })}`,
        )
        .join('\n'),
      ...(counted === null ? [] : [compaction.counted({ calls: counted.calls, n: counted.inputTokens })]),
      ...(summary === null ? [] : [compaction.summarized({ n: summary.messages })]),
      aside(compaction.estimated({ command })),
    ].join('\n\n');
  } catch (error) {
    if (codeOf(error) === 'prompt_not_found') throw refusal((texts) => texts.compaction.noPrompt);
    throw error;
  }
};

function sessionIn({ ledger, row }: CommandCall): string {
  const sessionID = ledger.bindings.sessionOf(row.lane);
  if (sessionID === undefined) throw refusal(({ sessions }) => sessions.none);
  return sessionID;
}
