// What Slack's export of a workspace holds, field by field. Not tests.
// Form: https://slack.com/help/articles/220556107-How-to-read-Slack-data-exports, and the fields of https://docs.slack.dev/reference/events/message.

const second = 1_772_618_400;

const user = (id: string, name: string, real: string): object => ({
  id,
  team_id: 'T9',
  name,
  deleted: false,
  real_name: real,
  tz: 'Europe/Berlin',
  profile: {
    title: '',
    phone: '',
    real_name: real,
    display_name: '',
    email: `${name}@example.org`,
    team: 'T9',
  },
  is_admin: false,
  is_bot: false,
  updated: second,
});

const said = (text: string, at: number, more: object = {}): object => ({
  user: 'U1',
  type: 'message',
  ts: `${second + at}.000100`,
  client_msg_id: '5e4a1f0c-0000-4000-8000-000000000001',
  text,
  team: 'T9',
  user_team: 'T9',
  source_team: 'T9',
  user_profile: { real_name: 'Ann Archer', display_name: '', name: 'ann', is_restricted: false },
  ...more,
});

/** Every file of an export with all channels and conversations. */
export const workspaceExport: Readonly<Record<string, unknown>> = {
  'users.json': [user('U1', 'ann', 'Ann Archer'), user('U2', 'ben', 'Ben Boat')],
  'channels.json': [
    {
      id: 'C1',
      name: 'general',
      created: second,
      creator: 'U1',
      is_archived: false,
      is_general: true,
      members: ['U1', 'U2'],
      topic: { value: '' },
      purpose: { value: '' },
    },
  ],
  'groups.json': [
    { id: 'G1', name: 'secret-plans', created: second, creator: 'U1', is_archived: false, members: ['U1'] },
  ],
  'mpims.json': [
    { id: 'M1', name: 'mpdm-ann--ben--cat-1', created: second, creator: 'U1', members: ['U1', 'U2', 'U3'] },
  ],
  'dms.json': [{ id: 'D1', created: second, members: ['U1', 'U2'] }],
  'integration_logs.json': [
    { user_id: 'U1', user_name: 'ann', date: String(second), change_type: 'added', app_type: 'App' },
  ],
  'canvases.json': [],
  'general/2026-03-04.json': [
    said('Ask <@U2> in <#C1|general> &amp; read <https://example.org|this>', 0, {
      blocks: [
        {
          type: 'rich_text',
          block_id: 'a',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'Ask' }] }],
        },
      ],
    }),
    {
      type: 'message',
      subtype: 'channel_join',
      ts: `${second + 1}.000150`,
      user: 'U2',
      text: '<@U2> has joined the channel',
    },
    said('', 2, {
      subtype: 'bot_message',
      user: undefined,
      user_profile: undefined,
      bot_id: 'B7',
      username: 'Grafana',
      attachments: [
        {
          id: 1,
          color: 'd00',
          title: 'Pump is down',
          title_link: 'https://example.org',
          text: 'Pressure 0.2 bar',
          fallback: 'Pump',
          fields: [{ title: 'Where', value: 'Boathouse', short: true }],
        },
      ],
    }),
    said("This content can't be displayed.", 3, {
      blocks: [
        { type: 'section', block_id: 'b', text: { type: 'mrkdwn', text: '*Which day?*', verbatim: false } },
      ],
    }),
    said('Here it is', 4, {
      files: [
        {
          id: 'F1',
          name: 'plan.pdf',
          title: 'plan',
          mimetype: 'application/pdf',
          url_private: 'https://files.slack.com/plan.pdf',
        },
      ],
      upload: false,
    }),
  ],
  'secret-plans/2026-03-04.json': [said('The prize is a canoe.', 5)],
  'mpdm-ann--ben--cat-1/2026-03-04.json': [said('The present is a bike.', 6)],
  'D1/2026-03-04.json': [said('Between us.', 7)],
};

/** The same below one folder, as after unpacking the zip and packing the folder on a Mac. */
export const wrapped: Readonly<Record<string, unknown>> = Object.fromEntries([
  ...Object.entries(workspaceExport).map(([name, value]) => [
    `Club Slack export Mar 1 2026 - Mar 5 2026/${name}`,
    value,
  ]),
  ['__MACOSX/Club Slack export Mar 1 2026 - Mar 5 2026/._users.json', 'binary'],
]);

/** What Slack gives for one person's conversations as text. */
export const textExport = {
  'channels/general.txt': '[2026-03-04 10:00:00] ann: hello',
  'dms/ben.txt': '',
  'files/': '',
};
