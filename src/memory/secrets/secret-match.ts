// Where a text holds a secret, and the forms in which it is looked for. Shapes only.

/** Where a secret stands, in UTF-16 units. */
export interface SecretMatch {
  kind: string;
  from: number;
  to: number;
}

/** One form in which secrets stand, by what is around them. */
export interface SecretForm {
  kind: string;
  /** What is looked for first: without it there is nothing. */
  gate: RegExp;
  /** With `g`; its group `secret` is masked. */
  pattern: RegExp;
  /** Whether only what mixes letters and digits is one: the name alone does not say that it is secret. */
  isMixed?: true | undefined;
}
