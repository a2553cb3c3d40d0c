// What is known of a model beyond its settings. A shape only.

export interface Known {
  /** Pictures that a request may have. */
  images?: number | undefined;
  /** It answered a request with a picture: it is not learned of it that it takes none. */
  sees?: true | undefined;
  /** False: it takes no tools. */
  tools?: false | undefined;
  /** Tokens of its window. */
  contextTokens?: number | undefined;
  /** False: it takes no instructions next to what the user says. */
  system?: false | undefined;
  /** It takes only ids of calls that have nine letters and digits. */
  shortIDs?: true | undefined;
  /** Whether it begins with its thoughts without marking them. */
  beginsThinking?: boolean | undefined;
}
