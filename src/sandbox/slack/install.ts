// Where the app is installed, and how that ends: uninstalled, its tokens revoked, one workspace of an organisation taken away.
import { ParleyError } from '#base/errors.ts';
import type { Director } from './events/event-dispatcher.ts';
import { encodeText } from './world/entities.ts';
import { bot, pagePeople, sister } from './world/workspace.ts';
import type { World } from './world/world.ts';

/** What can be done to the installation. */
export interface InstallActs {
  /** Every call with the bot's token is refused after this; what is connected with the app's token stays so. */
  revokeToken(): void;
  /** Uninstalls the app: Slack sends both events in either order (docs.slack.dev/reference/events/app_uninstalled). */
  uninstall(first: 'app_uninstalled' | 'tokens_revoked'): void;
  /** Revokes a token that a person gave the app; the bot's own token stays valid. */
  revokePerson(): void;
  /** Takes one workspace of the organisation away from the app. */
  lockOut(workspace: string): void;
  /** Says something as the guest in the channel of the organisation's second workspace. */
  saySister(text: string, mention?: 'mention'): { id: string };
}

interface Install {
  acts: InstallActs;
  /** Slack's word for every call with the bot's token, once that is revoked. */
  refusal(): string | undefined;
  /** Workspaces of the organisation that the app has lost its access to. */
  lockedOut: ReadonlySet<string>;
}

/** An installation that stands. */
export function createInstall({ world, director }: { world: World; director: Director }): Install {
  const lockedOut = new Set<string>();
  let refusal: 'token_revoked' | 'account_inactive' | undefined;
  const revokedEvent = (tokens: { oauth: string[]; bot: string[] }) => ({
    type: 'tokens_revoked',
    tokens,
    event_ts: world.nextTs(),
  });
  return {
    refusal: () => refusal,
    lockedOut,
    acts: {
      revokeToken() {
        refusal = 'token_revoked';
      },
      uninstall(first) {
        refusal = 'account_inactive';
        const uninstalled = { type: 'app_uninstalled', event_ts: world.nextTs() };
        const events = [uninstalled, revokedEvent({ oauth: [], bot: [bot.user] })];
        for (const event of first === 'app_uninstalled' ? events : events.toReversed())
          director.happened(event);
      },
      revokePerson: () => director.happened(revokedEvent({ oauth: [pagePeople.you.id], bot: [] })),
      lockOut: (workspace) => void lockedOut.add(workspace),
      saySister(text, mention) {
        const room = world.workspace.room(sister.room);
        if (room === undefined)
          throw new ParleyError(
            'unknown_room',
            'The app is installed in one workspace, which has no sister.',
          );
        const before = mention === undefined ? '' : `<@${bot.user}> `;
        const message = world.add({ room, user: pagePeople.guest.id, text: before + encodeText(text) });
        director.posted(message);
        return { id: message.ts };
      },
    },
  };
}
