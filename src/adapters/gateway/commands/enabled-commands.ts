// Which commands a channel offers to each role, beyond what each role may. Pure.

import type { CommandName } from '#adapters/gateway/terms/command-table.ts';
import type { Profile } from '#adapters/gateway/terms/profiles.ts';
import type { Role } from '#adapters/gateway/terms/role.ts';

/** True for commands by which people get or delete what is stored about themselves: no profile of a channel takes these away. */
export function isAboutOneself({ name, args }: { name: CommandName; args: string }): boolean {
  return (name === 'forget' || name === 'export') && /^me(?:\s|$)/i.test(args);
}

/** Whether the channel's profile offers the command to a person of this role; the command's own least role is checked separately. */
export function isOffered({ commands }: Pick<Profile, 'commands'>, name: CommandName, role: Role): boolean {
  return role === 'owner' || commands === undefined || name === 'forget' || commands.includes(name);
}
