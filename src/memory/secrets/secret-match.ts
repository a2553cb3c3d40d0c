// Where a text holds a secret. A shape only.

/** Where a secret stands, in UTF-16 units. */
export interface SecretMatch {
  kind: string;
  from: number;
  to: number;
}
