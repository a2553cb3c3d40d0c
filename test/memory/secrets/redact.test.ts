// What is masked as a secret, and what is only spoken of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
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

test('tokens of platforms, providers and issuers are masked with their kind, wherever they stand (M44, TAQ)', async () => {
  for (const [kind, token] of Object.entries(tokens)) {
    for (const around of ['', 'It is ', '(see ', '"', 'TOKEN=', '数据']) {
      const { text } = await redact(`${around}${token} for later.`);
      assert.equal(text, `${around}[redacted:${kind}] for later.`, `${around}${token}`);
    }
  }
});

test('a private key goes whole, also one that was cut off (M44)', async () => {
  const body = Array.from({ length: 8 }, () => mixed(64)).join('\n');
  const whole = `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`;
  assert.equal(
    (await redact(`Store this:\n${whole}\nThanks`)).text,
    'Store this:\n[redacted:private key]\nThanks',
  );
  const { text } = await redact(whole.slice(0, 200));
  assert.equal(text, '[redacted:private key]');
});

test('a password in an address goes, and the address stays (M44)', async () => {
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

test('a password or key that is written in a sentence or a setting is masked, and the sentence stays (M44)', async () => {
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

test('mere mentions of passwords, keys and tokens, examples and names of variables are left alone (M45)', async () => {
  for (const text of mentions) assert.deepEqual(await redact(text), { text, kinds: [] });
});

test('what was masked once stays as it is, and several secrets are each masked', async () => {
  const once = await redact(`My password is hunter2 and the key ${tokens['aws key']}, also ghp_${mixed(36)}`);
  assert.deepEqual(once.kinds, ['password', 'aws key', 'github token']);
  assert.deepEqual(await redact(once.text), { text: once.text, kinds: [] });
});

test('a long text is looked through in pieces and nothing of it is lost', async () => {
  const line = `The quick brown fox jumps over the lazy dog ${'x'.repeat(30)}.\n`;
  const text = line.repeat(3000);
  const { text: saved, kinds } = await redact(`${text}SG.${mixed(22)}.${mixed(43)}\n${text}`);
  assert.equal(saved, `${text}[redacted:sendgrid]\n${text}`);
  assert.deepEqual(kinds, ['sendgrid']);
});

test('a comment for a linter does not protect what follows it (M44)', async () => {
  const { text } = await redact(`secretlint-disable\nSG.${mixed(22)}.${mixed(43)}`);
  assert.equal(text, 'secretlint-disable\n[redacted:sendgrid]');
});

const codes: [string, string][] = [
  [
    'My card is 4111 1111 1111 1111, exp 12/27, CVC 123',
    'My card is [redacted:card number], exp 12/27, CVC [redacted:card code]',
  ],
  [
    'Ma carte : 5500005555555559, 12/27, 123.',
    'Ma carte : [redacted:card number], 12/27, [redacted:card code].',
  ],
  ['3782-822463-10005 is my amex, cvv: 1234', '[redacted:card number] is my amex, cvv: [redacted:card code]'],
  ['PIN: 9921', 'PIN: [redacted:pin]'],
  ['my pin is 9921!', 'my pin is [redacted:pin]!'],
  ['Mein PIN für die Karte ist 9921.', 'Mein PIN für die Karte ist [redacted:pin].'],
  ['IBAN DE89 3704 0044 0532 0130 00, PIN 1234', 'IBAN DE89 3704 0044 0532 0130 00, PIN [redacted:pin]'],
  ['The verification code is 482 913.', 'The verification code is [redacted:one-time code].'],
  ['TAN 482913', 'TAN [redacted:one-time code]'],
  ['Mon mot de passe est tournesol.', 'Mon mot de passe est [redacted:password].'],
  ["Le mot de passe du wifi, c'est tournesol12", "Le mot de passe du wifi, c'est [redacted:password]"],
  ['mdp : azerty12', 'mdp : [redacted:password]'],
  ['Le code est 4821.', 'Le code est [redacted:code].'],
  ['le code de ma carte est 4821', 'le code de ma carte est [redacted:code]'],
  ['La mia password è girasole.', 'La mia password è [redacted:password].'],
  ["la parola d'ordine è «girasole»", "la parola d'ordine è «[redacted:password]»"],
  ['Il codice della porta è 4821', 'Il codice della porta è [redacted:code]'],
  ['La contraseña del wifi es girasol', 'La contraseña del wifi es [redacted:password]'],
  ['la clave del wifi es girasol22', 'la clave del wifi es [redacted:code]'],
  ['A minha palavra-passe é girassol', 'A minha palavra-passe é [redacted:password]'],
  ['Das Kennwort vom Router lautet Sonnenblume', 'Das Kennwort vom Router lautet [redacted:password]'],
  [
    `${tokens['aws key']} ${'wJalrXUtnFEMI/K7MDENG/bPxRfiCY3zTKq9LmNo'}`,
    '[redacted:aws key] [redacted:aws secret]',
  ],
  ['For AWS: wJalrXUtnFEMI/K7MDENG/bPxRfiCY3zTKq9LmNo', 'For AWS: [redacted:aws secret]'],
];

test('cards with their codes, PINs, one-time codes and passwords in other languages are masked, and the sentence stays', async () => {
  for (const [text, expected] of codes) {
    const once = await redact(text);
    assert.equal(once.text, expected);
    assert.deepEqual(await redact(once.text), { text: once.text, kinds: [] });
  }
});

const numbers = [
  'My order number is 4111 2222 3333 4444.', // the last digit is wrong
  'The parcel is 4000123412341234567 and my visa interview is at 10.',
  'Call +49 170 1234 5678 9012 about the card.',
  'IBAN DE89 3704 0044 0532 0130 00',
  'The PIN is 4 digits long, and in the drawer.',
  'Pin 13 of the board; pin it: 1234 votes.',
  'The booking code is AB12CD, the error code is 482913, the confirmation code is XKCD42.',
  'The verification code is missing, and a 2FA code is required.',
  'Le code postal est 75001, le code promo est ETE2024.',
  'Le code est prêt ; le code est 5000 lignes plus court.',
  'Il codice postale è 20121, il codice fiscale è RSSMRA85T10A562S.',
  'El código postal es 28013, la clave es la paciencia.',
  'Der Code ist 4000 Zeilen lang. Mein Code ist kaputt.',
  'Le mot de passe est oublié. Mon mot de passe du wifi est changé.',
  'Mot de passe, c’est important ; le mot de passe est dans le tiroir.',
  'La password è sbagliata. La password è nel cassetto. La password è scaduta.',
  'La contraseña es incorrecta. La contraseña es obligatoria.',
  'A senha é obrigatória.',
  'Das Passwort ist geändert. Das Kennwort ist sicher. Das Passwort ist vergessen worden.',
  'The commit of aws-sdk is 3f786850e387550fdab836ed7e6dc881de23001b.',
  'On AWS the path /usr/local/lib/node_modules/abcdefghijklmnop is long, as arn:aws:iam::123456789012:role/S3Access.',
];

test('numbers, codes of other kinds and sentences about passwords in other languages are left alone', async () => {
  for (const text of numbers) assert.deepEqual(await redact(text), { text, kinds: [] });
});

test('looking for secrets leaves nothing behind in the process', async () => {
  for (let times = 0; times < 20; times += 1)
    await redact(`My token is ghp_${mixed(36)} for the ${times}th time.`);
  assert.deepEqual(performance.getEntriesByType('mark'), []);
});

const letters = (count: number) =>
  fc.string({
    unit: fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz'),
    minLength: count,
    maxLength: count,
  });

test('an id of the program is left alone, and so it is where all rules look at it', async () => {
  const prefix = fc.oneof(
    fc.constantFrom('jnl', 'mem', 'npm', 'ghp', 'gho', 'glc', 'gsk', 'pat', 'rpa', 'xox', 'key'),
    fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: 3, maxLength: 3 }),
  );
  const id = fc
    .tuple(prefix, fc.constantFrom(...'01234567'), letters(25))
    .map(([kind, first, rest]) => `${kind}_${first}${rest}`);
  await fc.assert(
    fc.asyncProperty(id, async (text) => {
      assert.deepEqual(await redact(text), { text, kinds: [] });
      assert.deepEqual(await redact(`${text} `), { text: `${text} `, kinds: [] });
    }),
  );
});

test('what is masked of cards and codes does not change by what else of digits and codes a text holds', async () => {
  const piece = fc.constantFrom(
    ...[
      '4111 1111 1111 1111',
      '4111111111111111',
      '3782 822463 10005',
      '371449635398431',
      '5555-5555-5555-4444',
    ],
    ...[
      '4111 1111',
      '12345678',
      '1234',
      '123',
      '12/27',
      'CVV',
      'cvc2',
      'CvC',
      'security code',
      'code de sécurité',
    ],
    ...[
      'csc',
      'card',
      'visa',
      'karte',
      ' is ',
      ': ',
      ' ',
      ', ',
      '. ',
      '-',
      '\n',
      ' for the ',
      'x',
      'PIN',
      'days',
    ],
  );
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  const more = `\n${'x'.repeat(90)} 1234 5678 cvc cvv.`;
  await fc.assert(
    fc.asyncProperty(text, async (said) => {
      assert.equal((await redact(said + more)).text, (await redact(said)).text + more);
    }),
    { numRuns: 2_000 },
  );
});
