// A row of `persons`, and the person that it is.
import type { Role } from '#adapters/gateway/terms/role.ts';

export interface PersonRow {
  name: string;
  config_role: Role | null;
  assigned_role: Role | 'stranger' | null;
  since_ms: number;
}

/** The role of a person's row: the config's, else the assigned one; undefined for a stranger. */
export const roleIn = ({
  config_role: own,
  assigned_role: given,
}: Pick<PersonRow, 'config_role' | 'assigned_role'>): Role | undefined =>
  own ?? (given === 'stranger' ? undefined : (given ?? undefined));

/** Whether the row of an account is that of a person: the account may be nobody's. */
export const isPerson = <Row extends { name: string | null }>(row: Row | undefined): row is Row & PersonRow =>
  row !== undefined && row.name !== null;
