import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeSlackText, mentionedUsers } from '#adapters/slack/codecs/text.ts';

const names = { botUser: 'UBOT', users: new Map([['U1', 'guest']]) };
const decode = (text: string) => decodeSlackText(text, names);

test('a mention of someone unknown stays an id, and broken markup stays as it is', () => {
  assert.equal(decode('<@U9> and <@U9|old name>'), '@U9 and @old name');
  assert.equal(decode('1 &lt; 2 < 3 and <'), '1 < 2 < 3 and <');
  assert.equal(decode('&amp;lt;'), '&lt;');
  assert.equal(decode('<>'), '');
});

test('a mention of the bot is removed wherever it stands, and nothing else of the text', () => {
  assert.equal(decode('<@UBOT> hello'), 'hello');
  assert.equal(decode('<@UBOT>: hello'), 'hello');
  assert.equal(decode('hello <@UBOT>'), 'hello');
  assert.equal(decode('ask <@UBOT> about it'), 'ask about it');
  assert.equal(decode('one\n<@UBOT> two\n  three'), 'one\ntwo\n  three');
  assert.equal(decode('<@UBOT|parley>'), '');
  assert.equal(decode('  kept  '), '  kept  ');
  assert.equal(decode(': kept'), ': kept');
});

test('mentions of people, rooms and groups are readable', () => {
  assert.equal(decode('<@U1> in <#C1|general> or <#C2|>'), '@guest in #general or #C2');
  assert.equal(
    decode('<!here> <!channel|channel> <!subteam^S1|@team> <!date^1^x|today>'),
    '@here @channel @team today',
  );
});

test('a link shows its target next to its label (E9)', () => {
  assert.equal(decode('<https://a.example/?x=1&amp;y=2|the page>'), 'the page (https://a.example/?x=1&y=2)');
  assert.equal(decode('<https://a.example>'), 'https://a.example');
  assert.equal(decode('<https://a.example/|a.example>'), 'https://a.example/');
  assert.equal(decode('<mailto:a@b.example|a@b.example>'), 'a@b.example');
});

test('mentioned users are listed once each', () => {
  assert.deepEqual(mentionedUsers('<@U1> <@UBOT|x> <@U1> <#C1>'), ['U1', 'UBOT']);
});
