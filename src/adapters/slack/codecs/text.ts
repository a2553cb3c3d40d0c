// Slack's message text as a person reads it. Pure; names are looked up before.

/** What is known about the names behind the ids in a text. */
export interface SlackNames {
  botUser: string;
  /** Display names by user id; the id is shown where one is missing. */
  users: ReadonlyMap<string, string>;
}

const angled = /<([^<>]*)>/g;
const mention = /^@([A-Z0-9]+)(?:\|(.*))?$/;

/** The ids of the users that the text mentions, each once. */
export function mentionedUsers(text: string): string[] {
  const ids = [...text.matchAll(/<@([A-Z0-9]+)(?:\|[^<>]*)?>/g)].map((match) => match[1] ?? '');
  return [...new Set(ids)];
}

/** Decodes Slack's markup into text: drops the bot's own mention, writes others as `@name` and links as `label (url)`, decodes entities. */
export function decodeSlackText(text: string, names: SlackNames): string {
  const own = new RegExp(`[ \\t]*<@${names.botUser}(?:\\|[^<>]*)?>[ \\t]*`, 'g');
  const without = text.replace(own, (match, offset: number) => {
    const before = text[offset - 1] ?? '\n';
    const after = text[offset + match.length] ?? '\n';
    return before === '\n' || after === '\n' ? '' : ' ';
  });
  const led = without === text ? text : without.replace(/^[,:][ \t]*/, '').trim();
  let plain = '';
  let end = 0;
  for (const match of led.matchAll(angled)) {
    plain += unescapeText(led.slice(end, match.index)) + readable(match[1] ?? '', names);
    end = match.index + match[0].length;
  }
  return plain + unescapeText(led.slice(end));
}

function readable(inner: string, names: SlackNames): string {
  const user = mention.exec(inner);
  if (user !== null) return `@${names.users.get(user[1] ?? '') ?? (user[2] || user[1])}`;
  const bar = inner.indexOf('|');
  const target = unescapeText(bar < 0 ? inner : inner.slice(0, bar));
  const label = unescapeText(bar < 0 ? '' : inner.slice(bar + 1));
  if (target.startsWith('#')) return `#${label || target.slice(1)}`;
  if (target.startsWith('!subteam^')) return label || `@${target.slice('!subteam^'.length)}`;
  if (target.startsWith('!date^')) return label;
  if (target.startsWith('!')) return `@${target.slice(1)}`;
  const bare = target.replace(/^(?:https?:\/\/|mailto:|tel:)/, '').replace(/\/$/, '');
  if (label === '' || label === target) return target;
  return label.replace(/\/$/, '') === bare
    ? target.startsWith('http')
      ? target
      : label
    : `${label} (${target})`;
}

function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
