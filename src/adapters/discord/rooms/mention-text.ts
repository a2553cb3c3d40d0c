// A Discord text as a person reads it: mentions by name, without the bot's own. Not Markdown, which stays as it is.

/** What the tokens of a text mean; undefined leaves the token unchanged. */
export interface MentionNames {
  user(id: string): string | undefined;
  role(id: string): string | undefined;
  channel(id: string): string | undefined;
}

/** How the bot itself is mentioned: by its account, and by the role that Discord made for it. */
export interface BotMentions {
  id: string;
  roleID: string | undefined;
}

const code = /(```[\s\S]*?```|``[^`\n]*``|`[^`\n]*`)/;

/** Whether the text itself (not its code) mentions the bot. */
export function mentionsSelf(content: string, self: BotMentions): boolean {
  return prose(content).some((text) => ownMention(self).test(text));
}

/** The text with names for ids and without the bot's own mention (and a comma after it); code is left alone. */
export function readableText(content: string, self: BotMentions, names: MentionNames): string {
  const pieces = content.split(code);
  return pieces
    .map((piece, index) => (index % 2 === 1 ? piece : withNames(withoutSelf(pieces, index, self), names)))
    .join('')
    .trim();
}

function withNames(text: string, names: MentionNames): string {
  return text
    .replace(/<@!?(\d+)>/g, (token, id: string) => named('@', names.user(id)) ?? token)
    .replace(/<@&(\d+)>/g, (token, id: string) => named('@', names.role(id)) ?? token)
    .replace(/<#(\d+)>/g, (token, id: string) => named('#', names.channel(id)) ?? token)
    .replace(/<a?(:\w+:)\d+>/g, '$1');
}

/** Takes the bot's mention out and leaves one space, or none where a line begins or ends. */
function withoutSelf(pieces: readonly string[], index: number, self: BotMentions): string {
  const piece = pieces[index] ?? '';
  const own = new RegExp(`[ \\t]*(?:${ownMention(self).source})(?:[ \\t]*[,:](?=\\s))?[ \\t]*`, 'g');
  return piece.replace(own, (match: string, offset: number) => {
    const end = offset + match.length;
    const begins = offset === 0 ? index === 0 : piece[offset - 1] === '\n';
    const ends = end === piece.length ? index === pieces.length - 1 : piece[end] === '\n';
    return begins || ends ? '' : ' ';
  });
}

function named(sign: string, name: string | undefined): string | undefined {
  return name === undefined ? undefined : `${sign}${name}`;
}

function ownMention(self: BotMentions): RegExp {
  const role = self.roleID === undefined ? '' : `|<@&${self.roleID}>`;
  return new RegExp(`<@!?${self.id}>${role}`);
}

function prose(content: string): string[] {
  return content.split(code).filter((_, index) => index % 2 === 0);
}
