// What people have of Discord: DiscordChatExporter's files and Discord's own data package, field by field. Not tests.
// Forms: DiscordChatExporter.Core/Exporting/JsonMessageWriter.cs in Tyrrrz/DiscordChatExporter; packages of Discord as those of 2024 and
// 2025 are (https://support.discord.com/hc/en-us/articles/360004957991).

const author = {
  id: '310000000000000031',
  name: 'ann',
  discriminator: '0000',
  nickname: 'Ann',
  color: null,
  isBot: false,
  roles: [],
  avatarUrl: 'https://cdn.discordapp.com/embed/avatars/1.png',
};

const embed = {
  title: 'Tide tables',
  url: 'https://example.org/tide',
  timestamp: null,
  description: 'High water at noon.',
  color: '#FF0000',
  author: { name: 'Harbour', url: null },
  footer: { text: 'Port authority' },
  images: [],
  fields: [{ name: 'Wind', value: 'force 3', isInline: true }],
  inlineEmojis: [],
};

function message(id: string, content: string, more: object = {}): object {
  return {
    id,
    type: 'Default',
    timestamp: '2026-03-04T10:00:00+00:00',
    timestampEdited: null,
    callEndedTimestamp: null,
    isPinned: false,
    content,
    author,
    attachments: [],
    components: [],
    embeds: [],
    stickers: [],
    reactions: [],
    mentions: [],
    inlineEmojis: [],
    ...more,
  };
}

/** A channel as `--format Json` writes it. */
export const exportedChannel = {
  guild: {
    id: '900000000000000900',
    name: 'Club',
    iconUrl: 'https://cdn.discordapp.com/embed/avatars/0.png',
  },
  channel: {
    id: '900000000000000901',
    type: 'GuildTextChat',
    categoryId: '900000000000000800',
    category: 'Text Channels',
    name: 'general',
    topic: null,
  },
  dateRange: { after: null, before: null },
  exportedAt: '2026-03-05T00:00:00+00:00',
  messages: [
    message('900000000000001001', 'The kayak is packed.'),
    message('900000000000001002', 'Joined the server.', { type: 'GuildMemberJoin' }),
    message('900000000000001003', 'Look', {
      type: 'Reply',
      attachments: [
        { id: '1', url: 'https://cdn.discordapp.com/map.png', fileName: 'map.png', fileSizeBytes: 3 },
      ],
      reference: {
        type: 'Default',
        messageId: '900000000000001001',
        channelId: '900000000000000901',
        guildId: '900000000000000900',
      },
    }),
    message('900000000000001004', '', { embeds: [embed] }),
    message('900000000000001005', '', {
      stickers: [{ id: '2', name: 'Wave', format: 'Lottie', sourceUrl: '' }],
    }),
    message('900000000000001006', '', {
      reference: { type: 'Forward', messageId: '5', channelId: '6', guildId: null },
      forwardedMessage: {
        timestamp: '2026-03-03T10:00:00+00:00',
        timestampEdited: null,
        content: 'The lock is broken.',
        attachments: [],
        embeds: [],
        stickers: [],
      },
    }),
    message('900000000000001007', 'The weather is fine.', {
      type: '20',
      author: { ...author, id: '7', name: 'bot', isBot: true },
    }),
  ],
  messageCount: 7,
};

/** The same channel as `--format HtmlDark` writes it. */
export const exportedHtml =
  '<!DOCTYPE html>\n<html lang="en"><head><title>Club - general</title></head><body><div class="chatlog"><div id="chatlog__message-container-900000000000001001" class="chatlog__message-container" data-message-id="900000000000001001">The kayak is packed.</div></div></body></html>';

/** The messages of one channel of a data package; ids are numbers there that a double rounds. */
export function packageMessages(...entries: [id: string, text: string, attachments?: string][]): string {
  const rows = entries.map(
    ([id, text, attachments = '']) =>
      `{"ID": ${id}, "Timestamp": "2026-03-04 10:00:00", "Contents": ${JSON.stringify(text)}, "Attachments": ${JSON.stringify(attachments)}}`,
  );
  return `[${rows.join(', ')}]`;
}

const address = 'https://cdn.discordapp.com/attachments/1/2/map.png?ex=0&is=6931a2d3&hm=ab';

/** A data package, as files below its folder. Text is written unchanged. */
export const dataPackage: Readonly<Record<string, unknown>> = {
  'README.txt': 'Welcome to your Discord Data Package!',
  'Account/user.json': {
    id: '310000000000000031',
    username: 'ann',
    discriminator: 0,
    global_name: 'Ann',
    email: 'ann@example.org',
  },
  'Account/avatar.png': 'png',
  'Activity/reporting/events-2026-00000-of-00001.json': '{"event_type":"login"}\n{"event_type":"logout"}\n',
  'Servers/index.json': { '900000000000000900': 'Club' },
  'Servers/900000000000000900/guild.json': { id: '900000000000000900', name: 'Club' },
  'Servers/900000000000000900/audit-log.json': [],
  'Messages/index.json': {
    '900000000000000901': 'general in Club',
    '502291754930929684': 'Direct Message with ben#0',
  },
  'Messages/c900000000000000901/channel.json': {
    id: '900000000000000901',
    type: 'GUILD_TEXT',
    name: 'general',
    guild: { id: '900000000000000900', name: 'Club' },
  },
  'Messages/c900000000000000901/messages.json': packageMessages(
    ['1419422247004934226', 'The kayak is packed.'],
    ['1419422247004934227', 'The paddle is not.'],
    ['1419422247004934228', ''],
  ),
  'Messages/c502291754930929684/channel.json': {
    id: '502291754930929684',
    type: 'DM',
    recipients: ['310000000000000031', '192775384276664320'],
  },
  'Messages/c502291754930929684/messages.json': packageMessages(['1419422247004934229', '', address]),
  'Messages/c502291754930929685/channel.json': {
    id: '502291754930929685',
    type: 'PRIVATE_THREAD',
    name: 'plans',
    guild: { id: '900000000000000900', name: 'Club' },
  },
  'Messages/c502291754930929685/messages.json': packageMessages(['1419422247004934230', 'Only between us.']),
  'Messages/c502291754930929686/channel.json': { id: '502291754930929686', type: 'GUILD_TEXT' },
  'Messages/c502291754930929686/messages.json': packageMessages([
    '1419422247004934231',
    'In a server that I left.',
  ]),
};
