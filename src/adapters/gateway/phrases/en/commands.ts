// English: how commands are named, and what concerns every command.

export const commands = {
  /** On Slack, at the top of a channel. */
  afterMention: ({ code }: { code: string }) => `${code} (after mentioning me)`,
  /** A command for a place that is not known: as it is typed on most platforms, and on Slack. */
  orOnSlack: ({ code, onSlack }: { code: string; onSlack: string }) => `${code} (on Slack ${onSlack})`,
};
