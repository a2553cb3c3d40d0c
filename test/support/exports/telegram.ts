// What Telegram Desktop writes in an export, field by field. No tests.
// Forms: Telegram/SourceFiles/export/output/export_output_json.cpp and export_output_html.cpp in telegramdesktop/tdesktop.

const second = 1_772_618_400;

/** As `SerializeMessage` writes it: the text once whole, once as entities. */
export function message(id: number, text: string, more: object = {}): object {
  return {
    id,
    type: 'message',
    date: '2026-03-04T12:00:00',
    date_unixtime: String(second + id),
    from: 'Ann Archer',
    from_id: 'user77',
    ...more,
    text,
    text_entities: text === '' ? [] : [{ type: 'plain', text }],
  };
}

/** One of each kind that a person can send, as the exporter writes its media. */
export const oneOfEach: object[] = [
  message(1, 'The kayak is packed.'),
  message(2, '', { photo: 'photos/photo_1@04-03-2026_10-00-00.jpg', width: 1280, height: 960 }),
  message(3, '', {
    file: '(File not included. Change data exporting settings to download.)',
    thumbnail: '(File not included. Change data exporting settings to download.)',
    media_type: 'sticker',
    sticker_emoji: '👍',
    width: 512,
    height: 512,
  }),
  message(4, '', {
    contact_information: { first_name: 'Ben', last_name: 'Boat', phone_number: '+49 30 123456' },
  }),
  message(5, '', { location_information: { latitude: 52.5, longitude: 13.4 } }),
  message(6, '', {
    place_name: 'Boathouse',
    address: 'Quay 3',
    location_information: { latitude: 52.5, longitude: 13.4 },
  }),
  message(7, '', {
    poll: {
      question: 'Which day?',
      closed: false,
      total_voters: 2,
      answers: [
        { text: 'Saturday', voters: 2, chosen: true },
        { text: 'Sunday', voters: 0, chosen: false },
      ],
    },
  }),
  message(8, '', {
    game_title: 'Regatta',
    game_description: 'Row',
    game_link: 'https://t.me/gamebot?game=regatta',
  }),
  message(9, '', {
    file: 'files/song.mp3',
    media_type: 'audio_file',
    performer: 'The Oars',
    title: 'Stroke',
    mime_type: 'audio/mpeg',
    duration_seconds: 61,
  }),
];

/** What nobody said, and what the exporter could not write (`UnsupportedMedia`). */
export const nothingSaid: object[] = [
  {
    id: 20,
    type: 'service',
    date: '2026-03-04T12:00:00',
    date_unixtime: String(second),
    actor: 'Ann Archer',
    actor_id: 'user77',
    action: 'pin_message',
    message_id: 1,
    text: '',
    text_entities: [],
  },
  { id: 21, type: 'unsupported' },
];

/** A whole export: "Export Telegram data", machine-readable JSON. */
export const wholeExport = {
  about: 'Here is the data you requested.',
  personal_information: {
    user_id: 77,
    first_name: 'Ann',
    last_name: 'Archer',
    phone_number: '+49 30 1',
    username: '@ann',
    bio: '',
  },
  profile_pictures: [
    { date: '2026-01-01T00:00:00', date_unixtime: '1767225600', photo: 'profile_pictures/1.jpg' },
  ],
  contacts: {
    about: 'If you allow access, contacts are continuously synced.',
    list: [
      {
        user_id: 78,
        first_name: 'Ben',
        last_name: 'Boat',
        phone_number: '+49 30 123456',
        date: '2026-01-01T00:00:00',
        date_unixtime: '1767225600',
      },
    ],
  },
  frequent_contacts: {
    about: '',
    list: [{ id: 78, category: 'people', type: 'user', name: 'Ben Boat', rating: 1.5 }],
  },
  sessions: {
    about: '',
    list: [
      { last_active: '2026-01-01T00:00:00', last_ip: '192.0.2.1', application_name: 'Telegram Desktop' },
    ],
  },
  web_sessions: { about: '', list: [] },
  chats: {
    about: 'This page lists all chats from this export.',
    list: [
      { name: 'Ben Boat', type: 'personal_chat', id: 78, messages: [...oneOfEach, ...nothingSaid] },
      { type: 'saved_messages', id: 77, messages: [message(1, 'The locker code is 4711.')] },
      { name: null, type: null, id: 99, messages: [message(1, 'From an account that is gone.')] },
      { name: 'Rowers', type: 'private_supergroup', id: 4242, messages: [message(9, 'Regatta on Sunday.')] },
    ],
  },
  left_chats: {
    about: 'Below are the supergroups and channels that you have left.',
    list: [
      {
        name: 'Old club',
        type: 'public_supergroup',
        id: 4343,
        messages: [message(5, 'The club was dissolved.')],
      },
    ],
  },
};

/** "Export chat history" of one chat: the chat itself is the file. */
export const oneChat = {
  name: 'Ben Boat',
  type: 'personal_chat',
  id: 78,
  messages: [...oneOfEach, ...nothingSaid],
};

/** The files of an export as HTML: a whole one begins with `export_results.html`, a chat with `messages.html`. */
export const htmlChat = {
  'messages.html':
    '<!DOCTYPE html>\n<html><body><div class="message default clearfix" id="message1"><div class="pull_right date details" title="04.03.2026 12:00:00 UTC+01:00">12:00</div><div class="from_name">Ann Archer</div><div class="text">The kayak is packed.</div></div></body></html>',
  'css/style.css': 'body {}',
};
export const htmlExport = {
  'export_results.html': '<!DOCTYPE html>\n<html><body>Exported Data</body></html>',
  'lists/chats.html': '<!DOCTYPE html>',
  'chats/chat_001/messages.html': htmlChat['messages.html'],
};
