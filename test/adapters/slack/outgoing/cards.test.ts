// Alerts, previews of links and forwards on Slack, in the shapes of its events (reference/messaging/attachments, blocks), as the assistant reads them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slackMessageSchema } from '#adapters/slack/calls/wire.ts';
import { cardTexts, slackText } from '#adapters/slack/codecs/cards.ts';
import { messageEvent } from '#adapters/slack/codecs/inbound.ts';

const around = {
  bot: { team: 'T1', botUser: 'UBOT', spaceNames: new Map<string, string>() },
  room: { channel: 'C1', kind: 'channel', name: 'alerts', restricted: false },
  users: new Map([['U2', 'Ann']]),
} as const;
const read = (message: object) =>
  messageEvent(slackMessageSchema.parse({ ts: '1700000000.000100', ...message }), {
    ...around,
    bot: { ...around.bot } as Parameters<typeof messageEvent>[1]['bot'], // of an identity what is read here
  });

test('an alert in an attachment is reported with its title, fields and link', () => {
  const event = read({
    subtype: 'bot_message',
    bot_id: 'B1',
    username: 'Grafana',
    text: '',
    attachments: [
      {
        fallback: '[FIRING:1] DiskFull',
        title: '[FIRING:1] DiskFull',
        title_link: 'https://grafana.example/alerting/1',
        text: 'Disk of db-1 is at 97 %',
        fields: [{ title: 'Instance', value: 'db-1', short: true }],
        footer: 'Grafana v12',
      },
      { fallback: 'only this' },
    ],
  });
  assert.deepEqual(event.shared, [
    '[FIRING:1] DiskFull (https://grafana.example/alerting/1)\nDisk of db-1 is at 97 %\nInstance: db-1\nGrafana v12',
    'only this',
  ]);
});

test('what a program says in blocks is read, and a person is read once', () => {
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: 'Pull request opened' } },
    {
      type: 'section',
      text: { type: 'mrkdwn', text: 'by <@U2>' },
      fields: [{ type: 'mrkdwn', text: '*Files* 3' }],
    },
    { type: 'divider' },
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'text', text: 'see ' },
            { type: 'link', url: 'https://git.example/1', text: 'the diff' },
          ],
        },
      ],
    },
    { type: 'image', image_url: 'https://x', alt_text: 'a graph' },
  ];
  const event = read({ bot_id: 'B1', text: 'Pull request opened', blocks });
  assert.equal(
    event.text,
    'Pull request opened\nby @Ann *Files* 3\nsee  the diff (https://git.example/1)\na graph',
  );
  const typed = [
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'hello' }] }],
    },
  ];
  assert.equal(read({ user: 'U2', text: 'hello', blocks: typed }).text, 'hello');
});

test('a link preview is reported besides the words, a forward as a forward, and all of it within bounds', () => {
  const event = read({
    user: 'U2',
    text: 'look <https://news.example/1>',
    attachments: [
      {
        service_name: 'News',
        title: 'Rain',
        title_link: 'https://news.example/1',
        text: 'It rains.',
        from_url: 'https://news.example/1',
      },
      { is_share: true, author_name: 'Bob', ts: '1.2', text: 'the plan', title: 'Plan' },
    ],
  });
  assert.deepEqual(event.shared, ['News\nRain (https://news.example/1)\nIt rains.']);
  assert.deepEqual([event.quoted?.author, event.quoted?.text], ['Bob', 'Plan\nthe plan']);
  const deep = {
    type: 'section',
    text: { text: { text: { text: { text: { text: { text: 'too deep' } } } } } },
  };
  assert.equal(slackText(slackMessageSchema.parse({ ts: '1', bot_id: 'B1', text: '', blocks: [deep] })), '');
  const long = Array.from({ length: 10 }, () => ({ text: 'x'.repeat(5_000) }));
  assert.ok(cardTexts({ attachments: long }).join('').length <= 6_000);
});
