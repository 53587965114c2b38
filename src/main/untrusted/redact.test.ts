import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holdsSecret, redactText, redactEagerly, redactIn } from './redact.ts'

/** Random letters, the same in each run. Secrets written out in this file would set off scanners. */
function madeUp(seed: number) {
  let state = seed
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0)
  const from = (alphabet: string) => (length: number) =>
    Array.from({ length }, () => alphabet[(next() >>> 8) % alphabet.length]).join('')
  const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const digits = '0123456789'
  const base62 = from(`${upper}${upper.toLowerCase()}${digits}`)
  return {
    // Contains an early digit, as real keys always do.
    word: (length: number) => `${base62(3)}7${base62(length - 4)}`,
    hex: from(`${digits}abcdef`),
    upper: (length: number) => `${from(upper + digits)(length - 1)}7`,
    base64: from(`${upper}${upper.toLowerCase()}${digits}+/`),
    digits: from(digits),
  }
}

const { word, hex, upper, base64, digits } = madeUp(6)

/** A card number of this issuer with its check digit. */
function card(issuer: string, length = 16): string {
  const rest = `${issuer}${digits(length - 1 - issuer.length)}`
  const sum = Array.from(rest)
    .toReversed()
    .reduce((total, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return `${rest}${(10 - (sum % 10)) % 10}`
}

/** An IBAN of this country with its check digits. */
function iban(country: string, bank = '', length = 18): string {
  const account = `${bank}${digits(length)}`
  const number = Array.from(`${account}${country}00`, sign => Number.parseInt(sign, 36)).join('')
  return `${country}${String(98n - (BigInt(number) % 97n)).padStart(2, '0')}${account}`
}

const inGroups = (number: string) => number.replaceAll(/.{4}(?=.)/g, '$& ')
const wrongDigit = (number: string) => `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`
const block = (kind: string, body: string) => `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----`
const lines = (count: number) => Array.from({ length: count }, () => base64(64)).join('\n')
const jwt = () => `eyJ${word(20)}.eyJ${word(60)}.${word(43)}`

/** Secrets that must be removed, each with the text around it. */
const SECRETS: readonly (readonly [secret: string, text: (secret: string) => string])[] = [
  // Recognised by their vendor's format.
  [`sk-${word(48)}`, key => `My key is ${key}, please use it.`],
  [`sk-proj-${word(74)}_${word(40)}`, key => `export OPENAI_API_KEY=${key}`],
  [`sk-ant-api03-${word(93)}-${word(8)}`, key => `x-api-key: ${key}`],
  [`sk-or-v1-${hex(63)}7`, key => `curl -H "Authorization: Bearer ${key}" https://openrouter.example`],
  [`sk-${hex(31)}7`, key => `deepseek(${key})`],
  [`gsk_${word(52)}`, key => `groq ${key}`],
  [`hf_${word(34)}`, key => `huggingface-cli login --token ${key}`],
  [`r8_${word(37)}`, key => `(${key})`],
  [`xai-${word(80)}`, key => `key=${key}`],
  [`pplx-${word(48)}`, key => `- ${key}\n- more`],
  [`nvapi-${word(64)}`, key => `"${key}"`],
  [`AIza${word(35)}`, key => `https://maps.example/api/js?key=${key}&libraries=places`],
  [`ya29.${word(120)}`, key => `access ${key} until noon`],
  [`GOCSPX-${word(28)}`, key => `{"installed":{"client_secret":"${key}"}}`],
  [`ghp_${word(36)}`, key => `git clone https://${key}@github.example/a/b`],
  [`github_pat_${word(22)}_${word(59)}`, key => `gh auth: ${key}.`],
  [`glpat-${word(20)}`, key => `PRIVATE-TOKEN: ${key}`],
  [`npm_${word(36)}`, key => `//registry.example/:_authToken=${key}`],
  [`pypi-AgEI${word(150)}`, key => `twine upload -u __token__ -p ${key}`],
  [`dckr_pat_${word(27)}`, key => `echo ${key} | docker login`],
  [`AKIA${upper(16)}`, key => `aws_access_key_id = ${key}`],
  [`ASIA${upper(16)}`, key => `id ${key} from sts`],
  [`dop_v1_${hex(64)}`, key => `doctl auth init -t ${key}`],
  [`dapi${hex(32)}`, key => `databricks: ${key}`],
  [`hvs.${word(90)}`, key => `vault login ${key}`],
  [`tskey-auth-${word(16)}-${word(32)}`, key => `tailscale up --authkey ${key}`],
  [`glsa_${word(32)}_${hex(8)}`, key => `grafana ${key}`],
  [`AGE-SECRET-KEY-1${upper(58)}`, key => `# keys\n${key}\n`],
  [`xoxb-${digits(12)}-${digits(12)}-${word(24)}`, key => `slack(${key})`],
  [`xapp-1-A${upper(10)}-${digits(13)}-${hex(64)}`, key => `SLACK=${key}`],
  [`sk_live_${word(24)}`, key => `stripe.api = '${key}'`],
  [`whsec_${word(32)}`, key => `endpoint ${key}`],
  [`SG.${word(22)}.${word(43)}`, key => `sendgrid ${key}`],
  [`SK${hex(32)}`, key => `twilio ${key}`],
  [`key-${hex(32)}`, key => `mailgun: ${key}`],
  [`${digits(10)}:AA${word(33)}`, key => `bot ${key} answers`],
  [jwt(), key => `the session ${key} has expired`],
  [jwt(), key => `localStorage.setItem('id', '${key}')`],
  // Keys of their own.
  [block('RSA PRIVATE KEY', lines(25)), key => `id_rsa:\n${key}\nDone.`],
  [block('OPENSSH PRIVATE KEY', lines(6)), key => `${key}\n`],
  [block('PGP PRIVATE KEY BLOCK', lines(40)), key => `${key}\n`],
  [`-----BEGIN PRIVATE KEY-----\n${lines(12)}`, key => `cat key.pem\n${key}`],
  // Recognised by the words before them.
  [`${base64(26)}==`, key => `Authorization: Basic ${key}`],
  [word(40), key => `authorization: "Token ${key}"`],
  [word(32), key => `-H 'Authorization: Bearer ${key}'`],
  [`sid=${word(32)}; theme=dark`, key => `Cookie: ${key}\nHost: x`],
  ['s3cret_x', key => `postgres://app:${key}@db:5432/main`],
  ['correct-horse', key => `redis://:${key}@localhost:6379`],
  [word(24), key => `https://hooks.slack.com/services/T0123ABCD/B0123ABCD/${key}`],
  [word(68), key => `https://discord.com/api/webhooks/${digits(18)}/${key}`],
  ['tr0ub4dor', key => `curl -s -u admin:${key} https://x.example`],
  ['hunter2', key => `The password is ${key}.`],
  ['hunter22', key => `DB_PASSWORD=${key}\nDB_NAME=main`],
  ['p@ssword', key => `password: "${key}"`],
  ['geheim!9', key => `Das Passwort lautet ${key}`],
  ['Tr0ub4dor&3', key => `mysql --password ${key}`],
  ['4821', key => `My PIN is ${key}, remember it`],
  ['correct horse battery staple', key => `passphrase = "${key}"`],
  [`${word(20)}/${word(19)}`, key => `aws_secret_access_key = ${key}`],
  [word(20), key => `{\\"accessToken\\": \\"${key}\\"}`],
  [`${base64(86)}==`, key => `AccountName=a;AccountKey=${key};EndpointSuffix=x`],
  ['hunter2', key => `Server=db;Password=${key};Database=main`],
  [word(43), key => `https://x.example/files/1?sig=${key}&v=2`],
  ['9f8e7d6c5b', key => `const apiKey = '${key}'`],
  [`${word(20)}/${word(19)}`, key => `The AWS secret ${key} is for the backup`],
  [`${word(20)}/${word(19)}`, key => `AWS_SECRET_KEY ${key}`],
  [hex(64), key => `Authorization: [redacted] Credential=x, Signature=${key}`],
  ['correcthorse', key => `Yes, my password is ${key}.`],
  ['swordfish', key => `our wifi password is ${key} and the router is upstairs`],
  ['abc123def', key => `pw=${key}`],
  ['hunter2', key => `ftp://ada:${key}@ftp.example/pub`],
  [word(32), key => `X-Api-Key: ${key}`],
  [word(32), key => `X-Auth-Token: ${key}`],
  [card('4'), key => `My card is ${key}, until 11/29.`],
  [card('53'), key => `card number: ${key}`],
  [inGroups(card('4')), key => `Pay with ${key}!`],
  [inGroups(card('2221')).replaceAll(' ', '-'), key => `card ${key}`],
  [card('37', 15), key => `Amex ${key}`],
  [iban('DE'), key => `IBAN: ${key}`],
  [inGroups(iban('DE')), key => `Send it to ${key}, please.`],
  [inGroups(iban('NL', 'BANK', 10)), key => `to ${key} OR CASH`],
]

const image = `data:image/png;base64,${base64(200_000)}`

/** Texts that look like secrets but are harmless. */
const HARMLESS: readonly string[] = [
  // Hashes and ids.
  `commit ${hex(40)}`,
  `sha256:${hex(64)}`,
  `integrity sha512-${base64(86)}==`,
  `md5 ${hex(32)}  file.iso`,
  'chat_01jd3k9zq4w8m2xv7',
  '550e8400-e29b-41d4-a716-446655440000',
  `"etag": "W/\\"${hex(32)}\\""`,
  `ObjectId("${hex(24)}")`,
  'arn:aws:iam::123456789012:role/deploy',
  'AKIA is how their ids begin',
  'trace_id=4bf92f3577b34da6a3ce929d0e0e4736',
  'pk_live_is_public_7Kq9',
  `ssh-rsa AAAAB3NzaC1yc2E${base64(360)} ada@example`,
  block('PUBLIC KEY', lines(6)),
  block('CERTIFICATE', lines(20)),
  `SHA256:${base64(43)} ada@example (ED25519)`,
  // Pictures and other bytes.
  image,
  `<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">`,
  `@font-face { src: url(data:font/woff2;base64,${base64(3_000)}) }`,
  Array.from({ length: 200 }, () => hex(16)).join(' '),
  // Names.
  '.sk-fading-circle-container-of-12 { width: 40px }',
  'sk-learn-pipelines-for-the-impatient',
  'sk_test is where test keys begin',
  'hf_hub_download(repo_id="a/b")',
  'npm_config_user_agent and npm_package_version',
  'xoxo, gossip girl',
  'eyJ is how a token begins',
  'SG.example.com and SG.1',
  'task-20261121-review-the-second-chapter-of-the-book',
  'key-value-store-with-a-long-name',
  // Words about secrets.
  'The password is required.',
  'Your password must have 8 characters.',
  'I forgot my password and my PIN.',
  'password: string',
  'password: z.string().min(8)',
  'type Login = { password: string; token: string }',
  'The secret is to keep the butter cold.',
  'a token is about 4 characters',
  'max_tokens: 4096, token: 512',
  'token = tokenizer.encode(text)[0]',
  'token: next_page_2',
  'const token = await auth.getToken({ scope: 1 })',
  'apiKey: process.env.OPENAI_API_KEY2,',
  'password = os.environ["DB_PASSWORD_1"]',
  'const { password } = await request.json()',
  'headers: { Authorization: `Bearer ${token1}` }',
  'Authorization: Bearer $TOKEN_1',
  'Authorization: Bearer <token>',
  'OPENAI_API_KEY=your-api-key-123',
  'API_KEY=<insert 32 characters>',
  'DB_PASSWORD=${DB_PASSWORD_1}',
  'PASSWORD=$SECRET_2',
  'password: ********',
  'token=xxxxxxxx1234',
  'https://user:${PASSWORD}@example.com',
  'postgres://app:<password>@db:5432/main',
  'git@github.com:22/repo',
  'http://localhost:8080/@scope/package',
  'Bearer of the good news of 2026',
  'docker run -u 1000:1000 image',
  'GPIO pin: 17 and pin = GPIO22',
  'pin: 1024.5 and pins: 40',
  'Cookie: a small, sweet thing',
  'password file: /etc/passwd, secret: ~/.config/app/secret1',
  'The key is on page 1234567890.',
  'https://x.example/?key=summer&token=3',
  // Numbers.
  `order ${card('4')}`,
  `tracking number: ${card('5500')}`,
  `message id=${card('4')}`,
  wrongDigit(card('4')),
  wrongDigit(iban('DE')),
  '0000 0000 0000 0000, 4444444444444444',
  `1${card('4')}`,
  `0.${card('4')}`,
  `${card('4')}-1`,
  `https://x.example/items/${card('4')}`,
  '+49 170 1234567, +1 (555) 010-4242, 0049 30 901820',
  '1700000000000 and 1700000000000000000 are moments',
  '550e8400-e29b-41d4-a716-446655440000 4111-1111',
  'DE89 is how a number of a German bank begins, GB82 one of a British',
  'ISBN 978-3-16-148410-0, EAN 4006381333931',
  'commit 4111111 in branch 5500-0000',
  'Yes, my password is wrong.',
  'My password is required, my password is expired and my password is case-sensitive.',
  'I think our password is different.',
  'aws secretsmanager list-secrets',
  'pw = read_password(prompt)',
  'w=1 and pw: none',
]

test.each(SECRETS.map(([secret, text], index) => [index, secret, text] as const))(
  'secret %i is found in its context and blackened, and the words around it stay',
  (_, secret, text) => {
    const around = text(secret)
    const [before, after] = around.split(secret)
    const cleaned = redactText(around)
    expect(holdsSecret(around)).toBe(true)
    expect(cleaned).toBe(`${before}[redacted]${after}`)
    expect(redactText(cleaned)).toBe(cleaned)
  },
)

test('there are sixty of each', () => {
  expect(SECRETS.length).toBeGreaterThanOrEqual(60)
  expect(HARMLESS.length).toBeGreaterThanOrEqual(60)
})

test.each(HARMLESS.map((text, index) => [index, text] as const))(
  'look-alike %i stays as it is',
  (_, text) => {
    expect(redactText(text)).toBe(text)
    expect(holdsSecret(text)).toBe(false)
  },
)

test('of a private key that was cut off no line is left, and what follows another one stays', () => {
  const cut = `-----BEGIN RSA PRIVATE KEY-----\n${lines(9)}`
  expect(redactText(`cat key\n${cut}`)).toBe('cat key\n[redacted]')
  const whole = block('EC PRIVATE KEY', lines(3))
  expect(redactText(`${whole}\n${whole}\nDone.`)).toBe('[redacted]\n[redacted]\nDone.')
})

test('values in JSON are blackened by their field, texts wherever they are, and the shape stays', () => {
  const key = `ghp_${word(36)}`
  expect(
    redactIn({
      password: 'correcthorse',
      user: 'ada',
      client_secret: word(20),
      accessToken: word(20),
      max_token: 'twelve',
      type: 'password',
      nested: [{ command: `echo ${key} && ls` }, 7, null, true],
      token: '<token>',
      apiKey: '',
    }),
  ).toEqual({
    password: '[redacted]',
    user: 'ada',
    client_secret: '[redacted]',
    accessToken: '[redacted]',
    max_token: 'twelve',
    type: 'password',
    nested: [{ command: 'echo [redacted] && ls' }, 7, null, true],
    token: '<token>',
    apiKey: '',
  })
})

test('a password behind a long key in the same command goes too', () => {
  const command = `curl -H "x-api-key: sk-ant-${'a1'.repeat(100)}" -u admin:tr0ub4dor https://x.example`
  expect(redactText(command)).toBe('curl -H "x-api-key: [redacted]" -u admin:[redacted] https://x.example')
})

test('whatever is read, blackening twice is blackening once, and JSON stays JSON', () => {
  const marks = ['"', '\\', '\n', ' ', '=', ':', '@', '://', 'password', '-----BEGIN PRIVATE KEY-----', 'ü']
  const pieces = fc.constantFrom(...marks, ...SECRETS.map(([secret, text]) => text(secret)))
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 12 }), parts => {
      const text = parts.join('')
      const cleaned = redactText(text)
      expect(redactText(cleaned)).toBe(cleaned)
      expect(holdsSecret(text)).toBe(cleaned !== text)
      expect(JSON.parse(JSON.stringify(redactIn({ text })))).toEqual({ text: cleaned })
    }),
    { numRuns: 300 },
  )
})

test('where people look for an error, all that begins like a secret goes, and nothing else', () => {
  const said = redactEagerly(
    'Bearer abcdefgh, Basic dXNlcjpw, key sk-proj**********wxyz, old pk-secret-word and swordfish: api_error, basic authentication',
    'swordfish',
  )
  expect(said).toBe(
    'Bearer [redacted], Basic [redacted], key sk-[redacted], old pk-[redacted] and [redacted]: api_error, basic authentication',
  )
})
