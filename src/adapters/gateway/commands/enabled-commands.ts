// Which commands a channel offers to each role, beyond what each role may. Pure.

import type { Profile } from '#adapters/gateway/access/profiles.ts';
import type { Role } from '#adapters/gateway/access/role.ts';
import type { CommandName } from './table.ts';

/** Everyone may have what is stored about themselves, and have it deleted, however narrow the channel is. */
export function isAboutOneself({ name, args }: { name: CommandName; args: string }): boolean {
  return (name === 'forget' || name === 'export') && /^me(?:\s|$)/i.test(args);
}

/** Whether a person with this role may use the command in a channel of that profile, as far as the command's own least role lets them. */
export function isOffered({ commands }: Pick<Profile, 'commands'>, name: CommandName, role: Role): boolean {
  return role === 'owner' || commands === undefined || name === 'forget' || commands.includes(name);
}
