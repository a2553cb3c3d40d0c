// What is masked as a secret, and what is only spoken of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedact } from '#memory/secrets/redact.ts';

const redact = createRedact();
const mixed = (length: number): string =>
  'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6'.repeat(4).slice(0, length);

/** Each of the forms that Tandem let through, and others of the platforms that Parley speaks to. */
const tokens: Record<string, string> = {
  'anthropic key': `sk-ant-api03-${mixed(93)}AA`,
  'openai key': `sk-proj-${mixed(48)}`,
  'slack token': `xoxb-123456789012-1234567890123-${mixed(24)}`,
  'aws key': 'AKIAQ6FVKZ3DUJ4XWZPN',
  jwt: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${mixed(43)}`,
  'telegram token': `123456789:AA${mixed(33)}`,
  'discord token': `MTA${mixed(21)}.Gh1jK2.${mixed(38)}`,
  'github token': `ghp_${mixed(36)}`,
  'google key': `AIza${mixed(35)}`,
  'stripe key': `sk_live_${mixed(24)}`,
  sendgrid: `SG.${mixed(22)}.${mixed(43)}`,
  shopify: `shpat_${'0123456789abcdef'.repeat(2)}`,
  huggingface: `hf_${'AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh'}`,
};

test('M44, TAQ: tokens of platforms, providers and issuers are masked with their kind, wherever they stand', async () => {
  for (const [kind, token] of Object.entries(tokens)) {
    for (const around of ['', 'It is ', '(see ', '"', 'TOKEN=', '数据']) {
      const { text } = await redact(`${around}${token} for later.`);
      assert.equal(text, `${around}[redacted:${kind}] for later.`, `${around}${token}`);
    }
  }
});

test('M44: a private key goes whole, also one that was cut off', async () => {
  const body = Array.from({ length: 8 }, () => mixed(64)).join('\n');
  const whole = `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`;
  assert.equal(
    (await redact(`Keep this:\n${whole}\nThanks`)).text,
    'Keep this:\n[redacted:private key]\nThanks',
  );
  const { text } = await redact(whole.slice(0, 200));
  assert.equal(text, '[redacted:private key]');
});

test('M44: a password in an address goes, and the address stays', async () => {
  const { text } = await redact('It is redis://app:s3cr3tpw@db.example.org:6379/0 in production.');
  assert.equal(text, 'It is redis://app:[redacted:password]@db.example.org:6379/0 in production.');
  assert.doesNotMatch((await redact('postgres://app:hunter22@db.internal/main')).text, /hunter22/);
});

const stated: [string, string][] = [
  ['My password is hunter2.', 'My password is [redacted:password].'],
  ['my password is swordfish', 'my password is [redacted:password]'],
  [
    'The wifi password is Blue-Giraffe-42, by the way',
    'The wifi password is [redacted:password], by the way',
  ],
  [
    'The password for the router is now "correct horse"!',
    'The password for the router is now "[redacted:password]"!',
  ],
  ['password: tr0ub4dor&3', 'password: [redacted:password]'],
  ['DB_PASSWORD=s3cr3t!', 'DB_PASSWORD=[redacted:password]'],
  ['{"password": "qwertz", "user": "ann"}', '{"password": "[redacted:password]", "user": "ann"}'],
  [
    'I changed the password to Winter2026! yesterday',
    'I changed the password to [redacted:password] yesterday',
  ],
  ['Mein Passwort ist Kaffee7.', 'Mein Passwort ist [redacted:password].'],
  ['我的密码是abc12345', '我的密码是[redacted:password]'],
  ['The api key is 9f8e7d6c5b4a39281706.', 'The api key is [redacted:api key].'],
  ['client_secret = "ab12cd34ef56gh78"', 'client_secret = "[redacted:api key]"'],
  ['My passphrase is correct horse battery staple.', 'My passphrase is [redacted:passphrase].'],
];

test('M44: a password or key that is said in a sentence or a setting is masked, and the sentence stays', async () => {
  for (const [text, expected] of stated) assert.equal((await redact(text)).text, expected);
});

const mentions = [
  'No Firebase API key was found.',
  'My password is not working.',
  'The password is wrong, I think my password is expired.',
  'The password is stored in the vault.',
  'The password is 12 characters long.',
  'What is my password?',
  'Set DISCORD_BOT_TOKEN=<token> and OPENAI_API_KEY=$KEY.',
  'password: string',
  'The password to the router is on the fridge.',
  'AKIAIOSFODNN7EXAMPLE is the example of the documentation.',
  'postgres://user:password@localhost/db is the usual form.',
  'The api key is in the password manager.',
  'Tokens are counted: 2048 tokens of 4096.',
  'My bike is green and my locker code is 4417.',
  'sk-learn-contrib-packages-are-fine and xoxb- tokens are Slack tokens.',
  'The secret is butter.',
  'See https://example.org/password?is=this&token=abc or run_01ARZ3NDEKTSV4RRFFQ69G5FAV.',
  'Password reset is done; the password is the same as before.',
  'The commit is 3f786850e387550fdab836ed7e6dc881de23001b.',
];

test('M45: mere mentions of passwords, keys and tokens, examples and names of variables are left alone', async () => {
  for (const text of mentions) assert.deepEqual(await redact(text), { text, kinds: [] });
});

test('what was masked once stays as it is, and several secrets are masked each', async () => {
  const once = await redact(`My password is hunter2 and the key ${tokens['aws key']}, also ghp_${mixed(36)}`);
  assert.deepEqual(once.kinds, ['password', 'aws key', 'github token']);
  assert.deepEqual(await redact(once.text), { text: once.text, kinds: [] });
});

test('a long text is looked through in pieces and nothing of it is lost', async () => {
  const line = `The quick brown fox jumps over the lazy dog ${'x'.repeat(30)}.\n`;
  const text = line.repeat(3000);
  const { text: kept, kinds } = await redact(`${text}SG.${mixed(22)}.${mixed(43)}\n${text}`);
  assert.equal(kept, `${text}[redacted:sendgrid]\n${text}`);
  assert.deepEqual(kinds, ['sendgrid']);
});

test('M44: a comment for a linter does not protect what follows it', async () => {
  const { text } = await redact(`secretlint-disable\nSG.${mixed(22)}.${mixed(43)}`);
  assert.equal(text, 'secretlint-disable\n[redacted:sendgrid]');
});
