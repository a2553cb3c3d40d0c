// A request that a model refuses is repaired, so that no refusal blocks a conversation; from a platform's event to what is shown.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { main } from '#app/main.ts';
import { png } from '../adapters/uploads/samples.ts';
import type { RawCall } from '../engine/support/raw-provider.ts';
import type { House } from './house.ts';
import { hasPicture, openScriptedHouse, sent } from './model-house.ts';

const all = ['discord', 'telegram', 'slack'] as const;
const dm = { chat: 'dm', user: 'you' } as const;
const picture = (name: string) => ({ name, mime: 'image/png', bytes: png(3) });

/** What a command of the command line prints of the running program. */
async function command(house: House, ...words: string[]): Promise<string> {
  const lines: string[] = [];
  const out = (line: string): void => void lines.push(line);
  await main([...words, '--config', join(house.folder, 'parley.config.json')], {}, { out, err: out });
  return lines.join(' ').replace(/\s+/g, ' ');
}

/** Refuses what `refuses` names, and answers everything else with `Four.`. */
const refusing =
  (refuses: (body: RawCall['body']) => boolean, status: number, message: string) =>
  (call: RawCall): void => {
    if (refuses(call.body)) call.refuse(status, { error: { message, code: status } });
    else call.answer('Four.');
  };

test('a model that takes no pictures answers without the picture, says so once, and the next text is answered at once (R1)', async (t) => {
  const words = 'No endpoints found that support image input';
  const { house, requests } = await openScriptedHouse(t, refusing(hasPicture, 404, words));
  for (const platform of all) {
    const answer = await house.ask({ platform, ...dm }, 'what is this?', [picture('shot.png')]);
    assert.match(answer, /^Four\./, platform);
    assert.match(answer, /cannot see pictures, so I answered without (shot\.png|photo\.jpg)/, platform);
    const next = await house.ask({ platform, ...dm }, 'what is 2+2?');
    assert.equal(next.trim(), 'Four.', platform);
    assert.match(sent(requests.at(-1)), /a picture that is not shown to you: (shot\.png|photo\.jpg)/);
  }
  assert.equal(requests.filter(hasPicture).length, 1, 'it is asked once whether it takes pictures');
  await house.restart();
  await house.ready(...all);
  await house.ask({ platform: 'discord', ...dm }, 'and this?', [picture('other.png')]);
  assert.equal(requests.filter(hasPicture).length, 1, 'nor after a restart');
});

for (const [status, words] of [
  [400, 'Model does not support images. Please use a model that does.'],
  [422, 'Failed to deserialize the JSON body: messages[1]: unknown variant `image_url`, expected `text`'],
  [500, 'image input is not supported - hint: you may need to provide the mmproj'],
] as const)
  test(`a picture that is refused with ${status} "${words.slice(0, 30)}" is left out and the message is answered (R2)`, async (t) => {
    const { house, requests } = await openScriptedHouse(t, refusing(hasPicture, status, words));
    const answer = await house.ask({ platform: 'telegram', ...dm }, 'what is this?', [picture('shot.png')]);
    assert.match(answer, /^Four\.[\s\S]*cannot see pictures/);
    assert.equal((await house.ask({ platform: 'telegram', ...dm }, 'what is 2+2?')).trim(), 'Four.');
    assert.equal(requests.length, 3);
  });

const pictures = (body: object): number => sent(body).split('"image_url":{').length - 1;

test('of many photos the newest few go along, fewer for a model that takes fewer, and the others are notes (R3)', async (t) => {
  const tooMany = refusing(
    (body) => pictures(body) > 5,
    400,
    'At most 5 image(s) may be provided in one request.',
  );
  const { house, requests } = await openScriptedHouse(t, tooMany, { config: { model: { maxImages: 9 } } });
  const here = { platform: 'discord', ...dm } as const;
  for (let n = 1; n <= 14; n += 1)
    assert.match(await house.ask(here, `photo ${n}`, [picture(`p${n}.png`)]), /^Four\./, `photo ${n}`);
  assert.equal((await house.ask(here, 'thanks')).trim(), 'Four.');
  const last = requests.at(-1) ?? {};
  assert.equal(pictures(last), 5);
  assert.match(sent(last), /not shown to you: p9\.png/);
  assert.doesNotMatch(sent(last), /not shown to you: p10\.png/);
  assert.equal(requests.filter((body) => pictures(body) > 5).length, 1);
});

test('a person reads that a picture is not seen also where the settings say that the model takes none', async (t) => {
  const { house, requests } = await openScriptedHouse(t, (call) => call.answer('Four.'), {
    config: { model: { maxImages: 0 } },
  });
  const here = { platform: 'discord', ...dm } as const;
  assert.match(
    await house.ask(here, 'what is this?', [picture('shot.png')]),
    /^Four\.[\s\S]*cannot see pictures/,
  );
  assert.equal((await house.ask(here, 'what is 2+2?')).trim(), 'Four.');
  assert.ok(!requests.some(hasPicture));
});

test('without a setting four pictures go along (R3)', async (t) => {
  const { house, requests } = await openScriptedHouse(t, (call) => call.answer('Four.'));
  for (let n = 1; n <= 6; n += 1)
    await house.ask({ platform: 'slack', ...dm }, `photo ${n}`, [picture(`p${n}.png`)]);
  assert.equal(pictures(requests.at(-1) ?? {}), 4);
});

/** A server with a window: four characters are a token. */
const windowed =
  (tokens: number) =>
  (call: RawCall): void => {
    const asked = Math.ceil(sent(call.body).length / 4);
    if (asked > tokens)
      call.refuse(400, {
        error: {
          message: `This model's maximum context length is ${tokens} tokens. However, you requested ${asked} tokens.`,
          code: 'context_length_exceeded',
        },
      });
    else call.answer('Four.');
  };

test('a conversation longer than the window is shortened from its oldest end and answered, and the operator sees why (R4)', async (t) => {
  const { house, requests } = await openScriptedHouse(t, windowed(8_192));
  const here = { platform: 'discord', ...dm } as const;
  for (let n = 1; n <= 5; n += 1)
    assert.match(
      await house.ask(here, `${n} ${'lorem '.repeat(566)}`.slice(0, 3_400)),
      /^Four\./,
      `message ${n}`,
    );
  assert.equal((await house.ask(here, 'hi')).trim(), 'Four.');
  assert.ok(requests.some((body) => sent(body).includes('"hi"')));
  const refused = requests.filter((body) => sent(body).length / 4 > 8_192).length;
  assert.ok(refused <= 3, `${refused} requests were too long: what was learned bounds the next ones`);
  const status = await command(house, 'status');
  assert.match(status, /has a window of 8,192 tokens: of longer conversations the oldest part is left out/);
});

test('a window that is set, or known by the name of the model, bounds the request before anything is refused, and describes tools in short (R4)', async (t) => {
  const { house, requests } = await openScriptedHouse(t, windowed(8_192), {
    config: { model: { contextTokens: 8_192 } },
  });
  const here = { platform: 'discord', ...dm } as const;
  for (let n = 1; n <= 6; n += 1) await house.ask(here, `${n} ${'lorem '.repeat(500)}`);
  assert.ok(requests.every((body) => sent(body).length / 4 <= 8_192));
  const [known] = await Promise.all([
    openScriptedHouse(t, windowed(8_192), { config: { model: { name: 'vendor/gpt-4' } } }),
  ]);
  await known.house.ask(here, 'hello');
  const plain = await openScriptedHouse(t, (call) => call.answer('Four.'));
  await plain.house.ask(here, 'hello');
  const [short, whole] = [known, plain].map((each) => sent(each.requests[0]).length);
  assert.ok(
    short !== undefined && whole !== undefined && short < 0.6 * whole,
    `${short} of ${whole} characters`,
  );
});

test('one message longer than the window is refused with both sizes, and the next short one is answered (R5)', async (t) => {
  const { house } = await openScriptedHouse(t, windowed(8_192));
  const here = { platform: 'telegram', ...dm } as const;
  const notes = { name: 'notes.txt', mime: 'text/plain', bytes: Buffer.from('lorem ipsum '.repeat(3_300)) };
  const answer = await house.ask(here, 'what does it say?', [notes]);
  assert.match(answer, /too long for my model: about 1\d,\d{3} tokens, and it reads 8,192 at once/);
  assert.equal((await house.ask(here, 'hi')).trim(), 'Four.');
});

test('a model that takes no tools is asked without them, once, and the operator sees which setting says so (R6)', async (t) => {
  const offersTools = (body: RawCall['body']): boolean => 'tools' in body;
  const words = 'registry.ollama.ai/library/gemma:2b does not support tools';
  const { house, requests } = await openScriptedHouse(t, refusing(offersTools, 400, words));
  const here = { platform: 'slack', ...dm } as const;
  assert.equal((await house.ask(here, 'what is 2+2?')).trim(), 'Four.');
  assert.equal((await house.ask(here, 'again?')).trim(), 'Four.');
  assert.equal(requests.filter(offersTools).length, 1);
  assert.ok(requests.every((body) => !('tool_choice' in body) || offersTools(body)));
  assert.match(
    await command(house, 'models'),
    /takes no tools[\s\S]*model\.tools[\s\S]*does not support tools/,
  );
  assert.match(await command(house, 'status'), /takes no tools/);
  assert.match(await command(house, 'models', 'forget', 'other'), /Nothing was learned of a model "other"/);
  assert.match(await command(house, 'models', 'forget', 'm'), /Forgot what 1 model taught/);
  assert.match(await command(house, 'models', 'forget'), /Forgot what 0 models taught/);
  await house.ask(here, 'and now?');
  assert.equal(requests.filter(offersTools).length, 2, 'it is tried again');
  assert.match(await command(house, 'models', 'list'), /takes no tools/);
});

test('"parley models forget" offers the names that are near to one of which nothing was learned', async (t) => {
  const { house } = await openScriptedHouse(
    t,
    refusing((body) => 'tools' in body, 400, 'does not support tools'),
    {
      config: { model: { name: 'vendor/qwen3-8b' } },
    },
  );
  await house.ask({ platform: 'slack', ...dm }, 'what is 2+2?');
  const forget = (name: string): Promise<string> => command(house, 'models', 'forget', name);
  assert.match(await forget('qwen3-4b'), /of a model "qwen3-4b"[\s\S]*The nearest name is "[^"]*qwen3-8b"/);
  assert.match(await forget('vendor/qwen-8b'), /The nearest name is "vendor\/qwen3-8b"/);
  assert.match(await forget('llama'), /"parley models list" shows their names/);
  const offered = /The nearest name is "([^"]+)"/.exec(await forget('qwen3'))?.[1];
  assert.match(await forget(offered ?? ''), /Forgot what 1 model taught/, 'what is offered is taken');
});

test('a picture that came broken is not sent as a picture, and one that the model cannot read is left out for this picture alone', async (t) => {
  const bad = png(9).toString('base64');
  const { house, requests } = await openScriptedHouse(
    t,
    refusing((body) => sent(body).includes(bad), 400, 'Could not process image'),
  );
  const here = { platform: 'discord', ...dm } as const;
  assert.match(
    await house.ask(here, 'what is this?', [{ ...picture('torn.png'), bytes: png(3).subarray(0, 40) }]),
    /^Four\.\n+_?\(?My model cannot read torn\.png/,
    'the person is told too',
  );
  assert.equal(pictures(requests.at(-1) ?? {}), 0);
  assert.match(
    await house.ask(here, 'and this?', [{ ...picture('odd.png'), bytes: png(9) }]),
    /cannot read odd\.png/,
  );
  assert.equal((await house.ask(here, 'and this?', [picture('good.png')])).trim(), 'Four.');
  assert.equal(pictures(requests.at(-1) ?? {}), 1);
  assert.equal(requests.length, 4);
});

test('neighbours of one role are one message, also where a guest wrote before (R7)', async (t) => {
  const alternate = (body: RawCall['body']): boolean => {
    const roles = body.messages.map(({ role }) => role).filter((role) => role !== 'system');
    return roles[0] !== 'user' || roles.some((role, index) => role === roles[index + 1]);
  };
  const words = 'Conversation roles must alternate user/assistant/user/assistant/...';
  const { house, requests } = await openScriptedHouse(t, refusing(alternate, 400, words));
  for (const platform of all) {
    await house.sandbox[platform].say({
      chat: 'room',
      user: 'guest',
      text: 'I like herons.',
      mention: false,
    });
    const answer = await house.ask({ platform, chat: 'room', user: 'you' }, 'and you?');
    assert.match(answer, /Four\./, platform);
  }
  assert.ok(requests.length >= 3 && !requests.some(alternate));
  assert.ok(requests.some((body) => sent(body).includes('herons')));
  assert.ok(requests.every(({ messages }) => messages.filter(({ role }) => role === 'system').length === 1));
});

for (const [status, words] of [
  [400, 'System role not supported'],
  [400, 'Developer instruction is not enabled for models/gemma-3-27b-it'],
  [422, 'Invalid role: system'],
  [400, 'only user, assistant roles are supported, got system'],
  [500, 'Only user and assistant roles are supported!'],
] as const)
  test(`a model that refuses instructions beside what the user says with "${words}" reads them there, and no empty ones go out`, async (t) => {
    const hasSystem = ({ messages }: RawCall['body']): boolean =>
      messages.some(({ role }) => role === 'system' || role === 'developer');
    const { house, requests } = await openScriptedHouse(t, refusing(hasSystem, status, words), {
      platforms: ['discord'],
    });
    const here = { platform: 'discord', ...dm } as const;
    assert.equal((await house.ask(here, 'what is 2+2?')).trim(), 'Four.');
    assert.equal((await house.ask(here, 'and again?')).trim(), 'Four.');
    assert.equal(requests.filter(hasSystem).length, 1, 'it is asked once whether it takes them');
    const instructions = String(requests[0]?.messages[0]?.content).slice(0, 200);
    assert.ok(sent(requests.at(-1)).includes(JSON.stringify(instructions).slice(1, -1)));
  });

for (const [status, words] of [
  [501, 'tool calling not implemented for this backend'],
  [500, 'Function calling is unimplemented'],
  [400, 'This backend has no support for tools'],
] as const)
  test(`a model whose server says ${status} "${words}" is asked again without tools (R6)`, async (t) => {
    const offersTools = (body: RawCall['body']): boolean => 'tools' in body;
    const { house, requests } = await openScriptedHouse(t, refusing(offersTools, status, words), {
      platforms: ['discord'],
    });
    const here = { platform: 'discord', ...dm } as const;
    assert.equal((await house.ask(here, 'what is 2+2?')).trim(), 'Four.');
    assert.equal((await house.ask(here, 'and again?')).trim(), 'Four.');
    assert.equal(requests.filter(offersTools).length, 1);
  });

/** The pictures by their numbers: the fortieth is the largest. */
const numbered = (n: number) => png(n, n === 40 ? 900 : 1);
const named = (name: string, n: number) => ({ ...picture(name), bytes: numbered(n) });
const holds = (body: object, n: number): boolean => sent(body).includes(numbered(n).toString('base64'));

test('a request that is too large goes without its largest picture, and a model that has seen one is not said to be blind', async (t) => {
  const { house, requests } = await openScriptedHouse(
    t,
    (call) => {
      if (holds(call.body, 40)) call.send(413, '<html>413 Request Entity Too Large</html>', 'text/html');
      else if (holds(call.body, 41)) call.refuse(400, { error: { message: 'Image input is not supported' } });
      else call.answer('Four.');
    },
    { platforms: ['discord'] },
  );
  const here = { platform: 'discord', ...dm } as const;
  assert.equal((await house.ask(here, 'what is this?', [named('one.png', 3)])).trim(), 'Four.');
  const answer = await house.ask(here, 'and these?', [named('small.png', 4), named('large.png', 40)]);
  assert.match(answer, /^Four\.[\s\S]*cannot read large\.png/);
  assert.doesNotMatch(answer, /small|cannot see/);
  assert.ok(holds(requests.at(-1) ?? {}, 4) && holds(requests.at(-1) ?? {}, 3));
  const odd = await house.ask(here, 'and this?', [named('odd.png', 41)]);
  assert.match(odd, /cannot read odd\.png/);
  assert.equal((await house.ask(here, 'and this?', [named('last.png', 5)])).trim(), 'Four.');
  assert.ok(holds(requests.at(-1) ?? {}, 5));
  assert.doesNotMatch(await command(house, 'models'), /picture/);
});

for (const words of [
  'Could not process image',
  'messages.0.content.2.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes',
  'messages[1].content[2]: invalid image',
])
  test(`of several pictures only the one that cannot be read is left out: "${words.slice(0, 40)}"`, async (t) => {
    const { house, requests } = await openScriptedHouse(
      t,
      refusing((body) => holds(body, 9), 400, words),
      { platforms: ['discord'] },
    );
    const here = { platform: 'discord', ...dm } as const;
    const files = [named('a.png', 3), named('odd.png', 9), named('c.png', 4), named('d.png', 5)];
    const answer = await house.ask(here, 'what is this?', files);
    assert.match(answer, /^Four\.\n+_?\(?My model cannot read odd\.png/);
    const last = requests.at(-1) ?? {};
    assert.deepEqual(
      [3, 9, 4, 5].map((n) => holds(last, n)),
      [true, false, true, true],
    );
    const isNamed = words.startsWith('messages');
    assert.ok(requests.length <= (isNamed ? 2 : 5), `${requests.length} requests`);
  });

for (const [bad, good] of [
  [
    [9, 4],
    [3, 5],
  ],
  [
    [9, 3],
    [4, 5],
  ],
  [[9, 4, 5], [3]],
  [[3, 9, 4, 5], []],
] as const)
  test(`of four pictures the ${bad.length} that cannot be read are left out, although no refusal says which, and the others go along: ${bad}`, async (t) => {
    const { house, requests } = await openScriptedHouse(
      t,
      refusing((body) => bad.some((n) => holds(body, n)), 400, 'Could not process image'),
      { platforms: ['discord'] },
    );
    const here = { platform: 'discord', ...dm } as const;
    const files = [3, 9, 4, 5].map((n) => named(`p${n}.png`, n));
    const answer = await house.ask(here, 'what are these?', files);
    assert.match(answer, /^Four\./);
    for (const n of bad) assert.match(answer, new RegExp(`cannot read .*p${n}\\.png`));
    for (const n of good) assert.doesNotMatch(answer, new RegExp(`p${n}\\.png`));
    const last = requests.at(-1) ?? {};
    for (const n of [...bad, ...good])
      assert.equal(
        holds(last, n),
        good.some((each) => each === n),
        `p${n}`,
      );
    assert.ok(requests.length <= 16, `${requests.length} requests`);
    const before = requests.length;
    assert.equal((await house.ask(here, 'and what is 2+2?')).trim(), 'Four.');
    assert.equal(requests.length, before + 1, 'what was found is not looked for again');
  });

test('of more pictures in one message than go along the last ones go, and one line says which did not, and why', async (t) => {
  let refuses = false;
  const blind = refusing((body) => refuses && hasPicture(body), 400, 'Model does not support images.');
  const { house, requests } = await openScriptedHouse(t, blind, { platforms: ['discord'] });
  const here = { platform: 'discord', ...dm } as const;
  const six = [3, 4, 5, 6, 7, 8].map((n) => named(`p${n}.png`, n));
  const answer = await house.ask(here, 'what are these?', six);
  assert.deepEqual(
    [3, 4, 5, 6, 7, 8].map((n) => holds(requests.at(-1) ?? {}, n)),
    [false, false, true, true, true, true],
  );
  assert.match(
    answer,
    /Only the newest pictures go to my model at once, so I answered without p3\.png and p4\.png/,
  );
  assert.doesNotMatch(answer, /cannot/);
  await house.ask(here, ' /new');
  await house.restart();
  await house.ready('discord');
  refuses = true;
  const unseen = await house.ask(here, 'and these?', six);
  assert.match(unseen, /cannot see pictures, so I answered without p3\.png, p4\.png, .*p8\.png/);
  assert.doesNotMatch(unseen, /Only the newest/);
});
