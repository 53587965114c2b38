import { describe } from 'vitest'
import { startBotServer } from '../../../../testing/telegram/bot-server.ts'
import { test as base } from '../../../../testing/terminal/cli.ts'
import { until } from '../../../../testing/until.ts'

// `talaria gateway` against a running host, whose Telegram is a stand-in on this computer.

const ADA = 41
const GROUP = -100_500

const test = base.extend('served', async ({ talaria }, { onCleanup }) => {
  const telegram = await startBotServer()
  onCleanup(() => telegram.close())
  const { home, model } = await talaria.servedHome({ gateway: { telegram_address: telegram.address } })
  const gateway = (...args: string[]) => talaria.run(['gateway', ...args, '--home', home])
  const connect = async () =>
    await talaria.run(['gateway', 'connect', '--home', home], { input: `${telegram.token}\n` })
  return { telegram, phone: telegram.phone, home, model, gateway, connect }
})

test('without a Talaria that carries it, status says so, and how to go on', async ({ served, expect }) => {
  const { code, stdout, stderr } = await served.gateway('status')
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Telegram: off\ncontacts: 0\n' })
  expect(stderr).toContain('no “talaria serve” runs with this home')
  expect((await served.gateway('contacts')).stdout).toContain('Pair a phone: talaria gateway pair')
})

test('a wrong key is refused in words; off and forgotten are different', async ({
  served,
  talaria,
  expect,
}) => {
  const { home, telegram, gateway, connect } = served
  await talaria.open(home)
  const none = await gateway('connect')
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no terminal to ask') })
  const wrong = await talaria.run(['gateway', 'connect', '--home', home], { input: 'hello' })
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('This is not a bot token.') })
  const dead = await talaria.run(['gateway', 'connect', 'telegram', '--home', home], {
    input: `1${telegram.token}`,
  })
  expect(dead.code).toBe(1)
  expect(dead.stdout).toContain('Telegram: stopped')
  expect((await gateway('status')).code).toBe(1)
  const { code, stdout, stderr } = await connect()
  expect(stdout).toMatch(/^Telegram: connected · as Talaria/)
  expect(code).toBe(0)
  expect(stderr).toContain('Telegram’s servers can read what you write')
  expect(stderr).toContain('Next: talaria gateway pair')
  expect((await gateway('status', '--json')).stdout).not.toContain(telegram.token.split(':')[1])

  expect(await gateway('off', 'signal')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is: telegram.'),
  })
  expect((await gateway('off')).stdout).toBe('Telegram is off.\n')
  expect((await gateway('status')).stdout).toContain('Telegram: off')
  expect((await gateway('off', '--forget')).stdout).toContain('its key and its contacts are gone')
  expect((await gateway('status')).stdout).toContain('Telegram: not connected')
})

// `script` from util-linux provides a terminal; on other systems, `script` is a different program.
describe.skipIf(process.platform !== 'linux')('on a terminal', () => {
  test('a phone is paired, gets rights and texts, and is removed', async ({ served, talaria, expect }) => {
    const { home, phone, gateway, connect, model } = served
    await talaria.open(home)
    await connect()
    const piped = await gateway('pair')
    expect(piped).toMatchObject({ code: 2, stderr: expect.stringContaining('it needs a terminal') })
    const pairing = talaria.startOnTerminal(['gateway', 'pair', '--home', home])
    await pairing.shows('while this command runs')
    expect(pairing.stdout()).toMatch(/█▀▀▀▀▀█[ ▀▄█]+█▀▀▀▀▀█/)
    phone.name(ADA, { first_name: 'Ada', username: 'ada' })
    const code = /\/start ([a-z2-7]{26})/.exec(pairing.stdout())?.[1] ?? ''
    phone.write(ADA, `/start ${code}`)
    await pairing.shows('Ada (@ada) wants to write to your agent. The number of this account: 41')
    pairing.types('y\r')
    await pairing.shows('Paired.')
    expect((await pairing.ended).code).toBe(0)

    const heard = () => phone.reads(ADA).map(({ text }) => text)
    // Who is paired and has not written yet can be written to.
    expect(await gateway('send', 'Ada (@ada)', 'the', 'report', 'is', 'ready')).toMatchObject({
      code: 0,
      stdout: 'Sent.\n',
    })
    expect(heard().at(-1)).toBe('the report is ready')
    expect(await gateway('send', 'Bob', 'hello')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no contact “Bob”.'),
    })

    const shown = await gateway(
      'contact',
      'ada (@ADA)',
      '--rights',
      'ask',
      '--name',
      'Ada',
      '--tokens-a-day',
      '9000',
    )
    expect(shown.stdout).toContain('what would ask is asked there')
    expect(shown.stdout).toContain('tokens of 9,000')
    expect((await gateway('contact', 'Ada', '--tokens-a-day', '5')).code).toBe(2)
    expect((await gateway('contact', 'Ada', '--reads-memory', 'no')).stderr).toContain(
      'Your own chats can always read',
    )
    expect(JSON.parse((await gateway('contacts', '--json')).stdout)).toMatchObject({
      contacts: [{ relation: 'you', name: 'Ada', rights: 'ask', limits: { tokensADay: 9_000 } }],
    })

    phone.group(GROUP, 'Family', [ADA])
    phone.write(ADA, `@${served.telegram.world.me.username} are you there?`, { in: GROUP })
    await until(async () => (await gateway('status')).stdout.includes('group Family: not allowed'))
    expect((await gateway('group', 'family')).stdout).toBe('group Family: allowed\n')
    expect((await gateway('group', 'Work')).stderr).toContain('List them: talaria gateway status')
    expect((await gateway('group', 'Family', '--forbid')).stdout).toBe('group Family: not allowed\n')

    model.reply({ text: 'Hello Ada.' })
    phone.write(ADA, 'hello')
    await until(() => heard().includes('Hello Ada.'))
    expect((await gateway('contact', 'Ada', '--remove')).stdout).toBe('Ada is not heard any more.\n')
    expect((await gateway('contacts')).stdout).toContain('Nobody is paired.')
  })

  test('who says n, or stops the command, pairs nobody', async ({ served, talaria, expect }) => {
    const { home, phone, gateway, connect } = served
    await talaria.open(home)
    await connect()
    const pairing = talaria.startOnTerminal(['gateway', 'pair', '--home', home])
    await pairing.shows('while this command runs')
    phone.write(ADA, /\/start [a-z2-7]{26}/.exec(pairing.stdout())?.[0] ?? '')
    await pairing.shows('nobody I know')
    pairing.types('n\r')
    await pairing.shows('Nobody was paired.')
    expect((await pairing.ended).code).toBe(1)
    const stopped = talaria.startOnTerminal(['gateway', 'pair', '--home', home])
    await stopped.shows('while this command runs')
    const code = /\/start [a-z2-7]{26}/.exec(stopped.stdout())?.[0] ?? ''
    stopped.types('\u0003')
    expect((await stopped.ended).code).not.toBe(0)
    phone.write(ADA, code)
    expect((await gateway('contacts')).stdout).toContain('Nobody is paired.')
  })
})
