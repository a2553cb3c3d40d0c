// The roles of people, highest first, and their order. Pure.

export type Role = (typeof roles)[number];

/** `a member`, `an owner`: for the operator, in English. */
export function withArticle(role: Role): string {
  return role === 'owner' ? 'an owner' : `a ${role}`;
}

/** Whether `role` is `least` or a higher one. */
export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(least);
}

/** `owner`: may do everything. `member`: may talk in private and in rooms. `guest`: may talk where strangers may. */
export const roles = ['owner', 'member', 'guest'] as const;
