// `/active-memory`: whether a look into memory precedes the answers in a chat.

import { choiceLaneOf } from '#adapters/gateway/commands/choice-lane.ts';
import type { CommandHandler } from '#adapters/gateway/commands/command-context.ts';
import type { Phrases } from '#adapters/gateway/phrases/en.ts';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import { refusal } from '#adapters/gateway/terms/command-reply.ts';
import type { ActiveMemoryState } from '#engine/wire/memory/active-memory.ts';

/** `/active-memory [on | off | status]`: switches the look before answers on or off here, or shows its state. */
export const activeMemoryCommand: CommandHandler = async ({
  engine,
  ledger,
  row,
  agent,
  args,
  phrases,
  command,
}) => {
  const say = phrases.activeMemory;
  const wanted = args.trim().toLowerCase() || 'status';
  if (!['on', 'off', 'status'].includes(wanted))
    throw refusal(({ activeMemory: texts }, named) => texts.wrong({ command: named }));
  const { activeMemory: chosen } = ledger.laneSettings.of(row.lane);
  if (wanted === 'off') {
    ledger.transact(() => ledger.laneSettings.set(choiceLaneOf(row), { activeMemory: false }));
    return say.switchedOff;
  }
  const at = { chat: formatAddress(row.address), agent };
  const state = await engine.activeMemory(at);
  const { refusal: why } = state;
  if (wanted === 'on') {
    if (why !== null) throw refusal(({ activeMemory: texts }) => texts.refusals[why]);
    ledger.transact(() => ledger.laneSettings.set(choiceLaneOf(row), { activeMemory: true }));
    return say.switchedOn;
  }
  if (why !== null) return say.refusals[why];
  if (chosen === false) return say.isOff({ command });
  return [say.isOn({ command }), ...standingOf(state, phrases)].join('\n\n');
};

/** How the last look went, and whether others are paused. */
function standingOf({ last, counts }: ActiveMemoryState, { activeMemory: say }: Phrases): string[] {
  const untilMs = counts?.pausedUntilMs ?? null;
  const lines = untilMs === null ? [] : [say.pausedUntil({ untilMs })];
  if (last === null) return lines;
  const { atMs, ms, memories } = last;
  const outcomes = {
    given: say.given({ n: memories, ms }),
    nothing: say.nothing({ ms }),
    late: say.late({ ms }),
    failed: say.failed,
    paused: say.leftOut,
  };
  return [say.last({ atMs, outcome: outcomes[last.outcome] }), ...lines];
}
