// Whether the bot may write where it was spoken to, with the clicks where it may not. For the doctor; it changes nothing.
import type { WebClient } from '@slack/web-api';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Finding } from '#adapters/gateway/terms/channel.ts';
import { errorWord } from '#adapters/slack/calls/error-word.ts';
import { archivedHint, inviteHint } from '#adapters/slack/calls/explain.ts';
import { channelSchema } from '#adapters/slack/calls/wire.ts';

/** A finding for each of these conversations that takes no posts, and one for all the others; none where Slack does not say. */
export async function checkRooms(web: WebClient, rooms: readonly Address[]): Promise<Finding[]> {
  const problems: Finding[] = [];
  let looked = 0;
  for (const { chat } of rooms) {
    try {
      const { channel } = await web.conversations.info({ channel: chat });
      const { name, is_archived: isArchived, is_member: isMember } = channelSchema.parse(channel);
      looked += 1;
      const named = `#${name ?? chat}`;
      if (isArchived === true)
        problems.push({ level: 'warning', what: `Slack: ${named} is archived.`, hint: archivedHint });
      else if (isMember === false)
        problems.push({ level: 'warning', what: `Slack: the bot is not in ${named}.`, hint: inviteHint });
    } catch (error) {
      // a scope that is missing has its own finding; a limit, and the network, say nothing of the conversation
      if (errorWord(error) !== 'channel_not_found') continue;
      const what = `Slack: the bot cannot see the conversation ${chat}, where it was spoken to.`;
      problems.push({ level: 'warning', what, hint: inviteHint });
    }
  }
  if (problems.length > 0 || looked === 0) return problems;
  return [{ level: 'ok', what: 'Slack: the bot may write in the channels where it was last spoken to.' }];
}
