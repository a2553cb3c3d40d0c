// `/voice`: whether the answers in a chat come as voice messages too.
import { choiceLaneOf } from '#adapters/gateway/commands/choice-lane.ts';
import type { CommandHandler } from '#adapters/gateway/commands/command-context.ts';
import { refusal } from '#adapters/gateway/terms/command-reply.ts';

/** `/voice [on | off]`: sets, or shows, whether answers here also come as speech. */
export const voiceCommand: CommandHandler = async ({ engine, ledger, row, agent, args, phrases }) => {
  const { voice: words } = phrases;
  const now = ledger.laneSettings.of(row.lane).voice === true;
  const wanted = args.trim().toLowerCase();
  if (wanted === '') return now ? words.isOn : words.isOff;
  if (wanted !== 'on' && wanted !== 'off') throw refusal(({ voice: texts }) => texts.wrong);
  if (wanted === 'on') {
    const { tools: offered } = await engine.abilities({ platform: row.address.platform, agent });
    if (offered.every(({ name }) => name !== 'speak')) throw refusal(({ voice: texts }) => texts.noModel);
  }
  ledger.transact(() => ledger.laneSettings.set(choiceLaneOf(row), { voice: wanted === 'on' }));
  return wanted === 'on' ? words.switchedOn : words.switchedOff;
};
