// Secrets as operators paste them, with a name, an option or a header in front of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedact } from '#memory/secrets/redact.ts';

const redact = createRedact();

test('what operators paste is masked: settings, options of commands, headers, addresses and our own tokens', async () => {
  const hex = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
  const own = `parley_${'a1B2c3D4e5F'.repeat(4)}`;
  const secrets: [string, string][] = [
    [`SECRET_KEY_BASE=${hex}`, hex],
    [`RAILS_MASTER_KEY=${hex.slice(0, 32)}`, hex.slice(0, 32)],
    [`DJANGO_SECRET_KEY: "${hex}"`, hex],
    ['PGPASSWORD=kestrel psql -h db', 'kestrel'],
    ['curl -u robin:kestrel https://a.example.org/x', 'kestrel'],
    ['curl -s --user "robin:kestrel9" https://a.example.org', 'kestrel9'],
    ['curl -urobin:kestrel https://a.example.org', 'kestrel'],
    ['mysql -uroot -pkestrel shop', 'kestrel'],
    ["mysqldump -u root -p'kestrel 9' shop", 'kestrel 9'],
    ['sshpass -p kestrel ssh robin@db', 'kestrel'],
    ['deploy --api-key kestrel77 --verbose', 'kestrel77'],
    [`use ${own} for it`, own],
    ['Authorization: Basic cm9iaW46a2VzdHJlbA==', 'cm9iaW46a2VzdHJlbA=='],
    ['-H "authorization: token kestrel1234"', 'kestrel1234'],
    ['send Basic cm9iaW46a2VzdHJlbA== with it', 'cm9iaW46a2VzdHJlbA=='],
    ['git clone https://k3strelk3strelk3strel@git.example.org/x', 'k3strelk3strelk3strel'],
    ['amqp://robin:kestrel@mq.internal/x', 'kestrel'],
    [`secret_key_base: ${hex}`, hex],
    [`rails_master_key=${hex.slice(0, 32)}`, hex.slice(0, 32)],
    ['curl -su robin:kestrel https://a.example.org/x', 'kestrel'],
    ['curl https://a.example.org/x \\\n  -u robin:kestrel', 'kestrel'],
    ['mysql -u root \\\n  -pkestrel shop', 'kestrel'],
    ['db_pass: kestrel', 'kestrel'],
    ['ansible_ssh_pass=kestrel', 'kestrel'],
    ['openssl rsa -in k.pem -passin pass:kestrel', 'kestrel'],
    ["CREATE USER robin IDENTIFIED BY 'kestrel'", 'kestrel'],
    ["ALTER USER robin WITH PASSWORD 'kestrel'", 'kestrel'],
    ['sqlcmd -S db -U sa -P kestrel', 'kestrel'],
    ['smbclient -U robin%kestrel //nas/x', 'kestrel'],
    ['az login -u robin -p kestrel', 'kestrel'],
    ['Cookie: session=k3strelk3strel; theme=dark', 'k3strelk3strel'],
  ];
  for (const [text, secret] of secrets) {
    const masked = await redact(text);
    assert.ok(!masked.text.includes(secret), masked.text);
    assert.match(masked.text, /\[redacted:[a-z ]+\]/, text);
    assert.equal((await redact(masked.text)).text, masked.text, 'masked once');
  }
});

test('what only looks like a pasted secret stays', async () => {
  for (const text of [
    'Set SECRET_KEY_BASE=<hex> in the file, or SECRET_KEY_BASE=$SECRET.',
    'PUBLIC_KEY=9f86d081884c7d659a2feaa0c55ad015',
    'SORT_KEY=created_at_descending',
    'The basic plan of the week: apples.',
    'Basic algorithms are fun',
    'mysql -u root -p shop',
    'curl https://a.example.org:8080/path@x',
    'curl -u name:password https://a.example.org',
    'https://robin@git.example.org/x',
    'Use --password-stdin, or --token TOKEN.',
    'authorization is needed',
    'The token: it is in the drawer.',
    'Cookie: flour=two cups, sugar, 2 eggs',
    'The bypass: turn left. The mountain_pass is closed.',
    'a user with password manager',
    'openssl s_client -connect a.example.org:443',
    'curl -u robin https://a.example.org:8080/x',
  ])
    assert.equal((await redact(text)).text, text);
});
