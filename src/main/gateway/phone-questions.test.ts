import { expect, test, vi } from 'vitest'
import { aChat, aStore } from '../../../testing/db/a-store.ts'
import { aMessage, fakePlatform, groupOf, privateOf } from '../../../testing/gateway/fake-platform.ts'
import type { Approval } from '../../shared/contract/runs/run.ts'
import type { ApprovalAnswer, TurnPorts } from '../agent/turn-types.ts'
import type { Store } from '../db/store.ts'
import { openContacts } from './contacts/open-contacts.ts'
import type { Speaker } from './gateway-parts.ts'
import { openPhoneQuestions } from './phone-questions.ts'

const COMMAND: Approval = {
  id: 'ask_1',
  callId: 'call_1',
  tool: 'terminal',
  title: 'Run npm test',
  detail: 'npm test',
  folder: '/desk',
  reason: 'In this chat Talaria asks before every command.',
  risk: 'execute',
  mayAllowInChat: true,
  folderRules: ['npm test'],
  parts: [{ command: 'npm test', reasons: [] }],
  command: { whyNot: '', offline: false, obeyed: 'nothing', keys: [] },
}
const CHOICE: Approval = {
  ...COMMAND,
  tool: 'ask_user',
  title: 'A question',
  question: { text: 'Which colour?', choices: ['Red', 'Blue'] },
}

/** The computer, which answers on request, as a window does. */
function theComputer() {
  const answer = Promise.withResolvers<ApprovalAnswer>()
  const state = { isOver: false }
  const follower: TurnPorts['ask'] = async (_approval, signal) => {
    signal.addEventListener('abort', () => {
      state.isOver = true
      answer.resolve({ decision: 'deny', note: 'The turn was stopped.', unanswered: true })
    })
    return await answer.promise
  }
  return { follower, answer: answer.resolve, state }
}

/** Questions to account 7, the user, who may be asked, and to account 8, another contact. */
async function thePhone(store: Store, options?: Parameters<typeof fakePlatform>[0]) {
  const fake = fakePlatform(options)
  const opened = openContacts({
    store: store.contacts,
    now: Date.now,
    note: () => '',
    tell: () => {},
    changed: () => {},
  })
  async function pair(fromId: string, as: 'you' | 'other') {
    const steps = opened.follow(fake.platform, { link: '' }, new AbortController().signal)
    const { value } = await steps.next()
    const code = value && 'code' in value ? value.code : ''
    opened.contacts.admit(fake.platform, aMessage({ fromId, text: code }))
    const { value: asks } = await steps.next()
    if (asks?.step !== 'asks') throw new Error('It asks who this is.')
    const { contactId } = opened.decide({ pairingId: asks.pairingId, seen: asks.seen, as })
    const { seen } = opened.list().find(({ id }) => id === contactId)!
    opened.change(contactId!, seen, { rights: 'ask' })
    await steps.return()
    return opened.contacts.get(contactId!)!
  }
  const you = await pair('7', 'you')
  const other = await pair('8', 'other')
  const { id: sessionId } = aChat(store)
  const { id: runId } = store.runs.start(sessionId, 'messenger')
  const waits: number[] = []
  const asleep = { ms: 0 }
  const open = () =>
    openPhoneQuestions({
      store: store.contacts,
      contacts: opened.contacts,
      waits: { of: () => waits.shift() ?? 0, put: (_platform, _place, ms) => void waits.push(ms) },
      now: () => Date.now() + asleep.ms,
      report(error) {
        throw error
      },
    })
  const questions = open()
  const speaker: Speaker = { platform: fake.platform, place: privateOf('7'), contact: you }
  /** Ask the user, on the phone and at the computer. */
  function ask(approval: Approval, place = speaker.place, signal = new AbortController().signal) {
    const computer = theComputer()
    const answer = questions.ask({ ...speaker, place, runId, sessionId }, approval, signal, computer.follower)
    return { ...computer, reached: answer }
  }
  const press = (at: number, button: number, fromId = '7', messageId = fake.sent[at]!.id) =>
    questions.press(fake.platform, {
      kind: 'press',
      place: privateOf(fromId),
      from: { id: fromId, name: 'Ada', isBot: false },
      pressId: 'p',
      messageId,
      data: fake.sent[at]!.buttons.flat()[button]!.data,
    })
  const arrived = (count = 1) => expect.poll(() => fake.sent.length).toBe(count)
  const labels = (at = 0) => fake.sent[at]!.buttons.flat().map(({ text }) => text)
  return { ...fake, ...opened, you, other, speaker, questions, open, ask, press, arrived, labels, asleep }
}

test('a question is allowed once on the phone, and the computer is told by whom', async () => {
  using store = aStore()
  const { ask, press, arrived, sent, labels } = await thePhone(store)
  const { reached, state } = ask(COMMAND)
  await arrived()
  expect(sent[0]).toMatchObject({ place: privateOf('7') })
  expect(sent[0]!.text).toContain('npm test')
  expect(labels()).toEqual(['Allow once', 'Deny'])
  expect(sent[0]!.buttons.flat().every(({ data }) => Buffer.byteLength(data) <= 64)).toBe(true)
  expect(await press(0, 0)).toBe('Allowed once.')
  expect(await reached).toEqual({ decision: 'once', note: '', access: 'confined', from: 'you on Fake' })
  expect(state.isOver).toBe(true)
  await expect.poll(() => sent[0]!.text).toContain('Allowed here.')
  expect(sent[0]!.buttons).toEqual([])
})

test('the computer answers first, and the phone says so', async () => {
  using store = aStore()
  const { ask, press, arrived, sent } = await thePhone(store)
  const { reached, answer } = ask(COMMAND)
  await arrived()
  const buttons = sent[0]!.buttons
  answer({ decision: 'chat', note: '' })
  expect(await reached).toEqual({ decision: 'chat', note: '' })
  await expect.poll(() => sent[0]!.text).toContain('Allowed at the computer.')
  sent[0]!.buttons = buttons
  expect(await press(0, 0)).toBe('This was already answered.')
})

test('only the account that was asked answers, in its chat and by the message that asks', async () => {
  using store = aStore()
  const { ask, press, arrived, questions, platform, other } = await thePhone(store)
  const { reached } = ask(COMMAND)
  await arrived()
  expect(await press(0, 0, '8')).toBe('This question is for somebody else.')
  expect(await press(0, 0, '9')).toBe('This question is for somebody else.')
  expect(await press(0, 0, '7', 'm99')).toBe('This question is for somebody else.')
  expect(
    await questions.answerInWords({ platform, place: privateOf('8'), contact: other }, 'once', '1'),
  ).toBe('No question is waiting here.')
  expect(await press(0, 1)).toBe('Denied.')
  expect(await press(0, 0)).toBe('This was already answered.')
  expect(await reached).toMatchObject({ decision: 'deny', from: 'you on Fake' })
})

test('a question of a group goes to the private chat', async () => {
  using store = aStore()
  const { ask, press, arrived, sent } = await thePhone(store)
  const { reached } = ask(COMMAND, groupOf('g'))
  await arrived()
  expect(sent[0]!.place).toEqual(privateOf('7'))
  await press(0, 0)
  expect(await reached).toMatchObject({ decision: 'once' })
})

test('two presses at once: the first one counts', async () => {
  using store = aStore()
  const { ask, press, arrived } = await thePhone(store)
  const { reached } = ask(COMMAND)
  await arrived()
  const said = await Promise.all([press(0, 1), press(0, 0)])
  expect(said).toEqual(['Denied.', 'This was already answered.'])
  expect(await reached).toMatchObject({ decision: 'deny' })
})

const AT_COMPUTER: [what: string, given: { [K in keyof Approval]?: Approval[K] | undefined }, why: string][] =
  [
    ['a call outside the folder', { beyond: ['outside'] }, 'outside the folder'],
    ['what programs obey', { beyond: ['obeyed'] }, 'other programs obey'],
    ['a rule of the user', { beyond: ['rule'] }, 'your rules'],
    ['a tool that always asks', { beyond: ['tool'], tool: 'schedule' }, 'from now on'],
    ['a trial run', { trial: 'From now on …' }, 'schedule'],
    [
      'a command that nothing confines',
      { command: { ...COMMAND.command!, whyNot: 'No.' } },
      'nothing confines',
    ],
    ['a command with keys', { command: { ...COMMAND.command!, keys: ['API_KEY'] } }, 'keys'],
    ['a command that cannot be read', { parts: [] }, 'cannot be read'],
    ['what asks in every mode', { inEveryMode: true }, 'every mode'],
    [
      'a tool of a server',
      { tool: 'use_tool', command: undefined, uses: 'x' },
      'of a kind that is decided there',
    ],
    ['pictures', { tool: 'describe_picture', command: undefined }, 'of a kind that is decided there'],
    [
      'switching the web on',
      { tool: 'web_search', question: { text: 'On?', choices: ['Yes'] } },
      'from now on',
    ],
    ['a text that is too long', { detail: 'x'.repeat(2_000) }, 'shown in full'],
    ['a text that is pushed out of sight', { detail: `a${'\n'.repeat(30)}b` }, 'shown in full'],
    ['a text that is blacked out', { detail: 'curl -H TOP-KEY x' }, 'shown in full'],
  ]

test('what is more than a call in the folder, or not shown whole, is decided at the computer', async () => {
  using store = aStore()
  const phone = await thePhone(store, { black: 'TOP-KEY' })
  const { ask, press, arrived, sent, labels, questions, speaker } = phone
  for (const [at, [what, given, why]] of AT_COMPUTER.entries()) {
    const { reached } = ask({ ...COMMAND, ...given } as Approval)
    await arrived(at + 1)
    const message = sent[at]!
    expect(message.text, what).toContain(why)
    expect(message.text, what).toContain('Decide at the computer.')
    expect(labels(at), what).toHaveLength(1)
    // Neither by a command nor by a forged button.
    const data = message.buttons[0]![0]!.data.replace(/d$/, given.question ? '0' : 'a')
    message.buttons = [[{ text: '', data }]]
    expect(await press(at, 0), what).toContain('Decide at the computer.')
    if (!given.question)
      expect(await questions.answerInWords(speaker, 'once', '1'), what).toContain('at the computer.')
    expect(await questions.answerInWords(speaker, 'deny', '1'), what).toMatch(/Denied|Not answered/)
    expect(await reached, what).toMatchObject({ decision: 'deny' })
  }
})

const ON_PHONE: typeof AT_COMPUTER = [
  [
    'a change of a file',
    { tool: 'write_file', command: undefined, parts: undefined, detail: '+ a line' },
    '',
  ],
  [
    'a marked call',
    { inEveryMode: true, texts: [{ id: 't', source: 'the page a.example', beginning: '' }] },
    '',
  ],
  [
    'a call to the web',
    {
      tool: 'web_read',
      inEveryMode: true,
      beyond: ['outside'],
      sends: { text: 'https://a.example/?q=roses', data: ['roses'] },
    },
    '',
  ],
  ['a file that is sent', { tool: 'send_file', command: undefined, beyond: ['tool'], inEveryMode: true }, ''],
]

test('what is shown whole and stays in the folder, or says what it sends, can be allowed on the phone', async () => {
  using store = aStore()
  const { ask, press, arrived, labels } = await thePhone(store)
  for (const [at, [what, given]] of ON_PHONE.entries()) {
    const { reached } = ask({ ...COMMAND, ...given } as Approval)
    await arrived(at + 1)
    expect(labels(at), what).toEqual(['Allow once', 'Deny'])
    await press(at, 0)
    const allowed = { decision: 'once', note: '', access: 'confined', from: 'you on Fake' }
    expect(await reached, what).toEqual(allowed)
  }
})

test('hidden characters are visible, and words of a model cannot look like those of Talaria', async () => {
  using store = aStore()
  const { ask, press, arrived, sent } = await thePhone(store)
  const detail = 'echo a\u202eb\n```\n**Allow once** is safe'
  const { reached } = ask({ ...COMMAND, title: 'Run [x](http://y) `a`\u200b', detail })
  await arrived()
  expect(sent[0]!.text).toContain('echo a⟨U+202E⟩b')
  expect(sent[0]!.text).toContain('Run [x](http://y) `a`⟨U+200B⟩')
  await press(0, 0)
  expect(await reached).toMatchObject({ decision: 'once' })
})

test('a question of the model is answered by a button, or by what is written', async () => {
  using store = aStore()
  const { ask, press, arrived, labels, questions, speaker } = await thePhone(store)
  expect(questions.reply(speaker, 'Blue')).toBeUndefined()
  const first = ask(CHOICE)
  await arrived()
  expect(labels()).toEqual(['Red', 'Blue', 'Do not answer'])
  expect(await press(0, 1)).toBe('Answered.')
  expect(await first.reached).toMatchObject({ decision: 'once', note: 'Blue', from: 'you on Fake' })
  const second = ask(CHOICE)
  await arrived(2)
  expect(questions.reply({ ...speaker, place: groupOf('g') }, 'Green')).toBeUndefined()
  expect(questions.reply(speaker, ' Green ')).toBe('')
  expect(await second.reached).toMatchObject({ decision: 'once', note: 'Green' })
  const third = ask(CHOICE)
  await arrived(3)
  expect(questions.reply(speaker, '1')).toBe('')
  expect(await third.reached).toMatchObject({ note: 'Red' })
})

test('where there are no buttons, commands answer by number', async () => {
  using store = aStore()
  const { ask, arrived, questions, speaker } = await thePhone(store)
  const [first, second] = [ask(COMMAND), ask({ ...COMMAND, title: 'Run make' })]
  await arrived(2)
  expect(await questions.answerInWords(speaker, 'once', '')).toContain('Several questions are waiting: 1, 2.')
  expect(await questions.answerInWords(speaker, 'once', '3')).toContain('There is no question 3.')
  expect(await questions.answerInWords({ ...speaker, place: groupOf('g') }, 'once', '1')).toContain(
    'private chat',
  )
  expect(await questions.answerInWords(speaker, 'once', '2')).toBe('Allowed once.')
  expect(await questions.answerInWords(speaker, 'deny', '')).toBe('Denied.')
  expect([await first.reached, await second.reached]).toMatchObject([
    { decision: 'deny' },
    { decision: 'once' },
  ])
})

test('rights that are taken away, and a stop, end what could be allowed', async () => {
  using store = aStore()
  const { ask, press, arrived, change, list, you, sent } = await thePhone(store)
  const stop = new AbortController()
  const { reached } = ask(COMMAND, privateOf('7'), stop.signal)
  await arrived()
  const [seen] = list().flatMap(each => (each.id === you.id ? [each.seen] : []))
  change(you.id, seen!, { rights: 'deny' })
  expect(await press(0, 0)).toContain('can no longer allow this here')
  stop.abort()
  expect(await reached).toMatchObject({ decision: 'deny', unanswered: true })
  await expect.poll(() => sent[0]!.text).toContain('The turn was stopped.')
})

test('a question is sent again after a wait, and asked at the computer alone where it cannot be sent', async () => {
  using store = aStore()
  const { ask, press, arrived, results, sent } = await thePhone(store)
  results.push({ kind: 'wait', ms: 1 })
  const first = ask(COMMAND)
  await arrived()
  await press(0, 0)
  expect(await first.reached).toMatchObject({ decision: 'once' })
  results.push({ kind: 'gone', why: 'Blocked.' })
  const second = ask(COMMAND)
  second.answer({ decision: 'once', note: '' })
  expect(await second.reached).toEqual({ decision: 'once', note: '' })
  expect(sent).toHaveLength(1)
})

test('after ten minutes a question is denied, and its buttons say that it is over', async () => {
  using store = aStore()
  const { ask, press, arrived, sent } = await thePhone(store)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { reached, state } = ask(COMMAND)
    await vi.advanceTimersByTimeAsync(0)
    const { buttons } = sent[0]!
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(await reached).toEqual({
      decision: 'deny',
      note: 'Nobody answered within 10 minutes.',
      unanswered: true,
    })
    expect(state.isOver).toBe(true)
    sent[0]!.buttons = buttons
    expect(await press(0, 0)).toBe('This question is over.')
  } finally {
    vi.useRealTimers()
  }
  await arrived()
})

test('a question that slept with the computer cannot be allowed any more', async () => {
  using store = aStore()
  const { ask, press, arrived, asleep } = await thePhone(store)
  const { reached } = ask(COMMAND)
  await arrived()
  asleep.ms = 8 * 60 * 60_000
  expect(await press(0, 0)).toBe('This question is over.')
  expect(await reached).toEqual({
    decision: 'deny',
    note: 'Nobody answered within 10 minutes.',
    unanswered: true,
  })
})

test('a restart ends questions: their buttons say so, and the message does once the messenger is there', async () => {
  using store = aStore()
  const phone = await thePhone(store)
  const { ask, arrived, sent, open, platform } = phone
  const stop = new AbortController()
  const { reached } = ask(COMMAND, privateOf('7'), stop.signal)
  await arrived()
  await expect.poll(() => store.contacts.openQuestions()[0]?.sentId).toBe('m1')
  const again = open()
  const { data } = sent[0]!.buttons.flat()[0]!
  const from = { id: '7', name: 'Ada', isBot: false }
  const pressed = { kind: 'press', place: privateOf('7'), from, pressId: 'p', messageId: 'm1', data } as const
  expect(await again.press(platform, pressed)).toBe(
    'Talaria has restarted since, so this question has ended. Send your request again.',
  )
  await again.endLeft(platform)
  expect(sent[0]).toMatchObject({ text: expect.stringContaining('restarted') as string, buttons: [] })
  expect(await again.press(platform, { ...pressed, data: 'q:x:a' })).toBe('This question is over.')
  stop.abort()
  await reached
})
