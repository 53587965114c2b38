import { expect, test } from 'vitest'
import { aHome } from '../../../testing/host/a-host.ts'
import type { RecallHit } from '../../shared/contract/chats/session.ts'
import { openStore } from '../db/store.ts'
import type { SharedThings } from './answer-tools.ts'
import { openOtherAgents } from './open-other-agents.ts'

// The keys and rights of other programs, over their own store and data that can be delayed.

const ALL = { user: true, notes: true, chats: true, skills: true, propose: true, learn: false }
const signal = new AbortController().signal

const aHit = (title: string, origin: RecallHit['origin'], messageId: number, text = title): RecallHit => ({
  sessionId: `chat_${title}`,
  origin,
  title,
  titleMarks: [],
  updatedAt: 0,
  passages: [{ messageId, role: 'user', at: 0, text, marks: [] }],
})

/** A program with all rights, over data that can partly be replaced. */
async function aProgram(home: string, more: Partial<SharedThings>) {
  const set = { locked: false }
  const { store } = openStore(home, { clock: Date.now, report: () => {} })
  const { handlers } = openOtherAgents({
    store: store.agents,
    things: {
      entries: () => [],
      search: async () => [],
      sourcesOf: () => [],
      skills: async () => [],
      stepsOf: () => undefined,
      propose: () => ({ id: '' }),
      ...more,
    },
    isLocked: () => set.locked,
    tell: ({ id }) => id,
    onChange: () => {},
    now: Date.now,
  })
  const { agent, key } = handlers['agents.add']({ name: 'Test' })
  const allow = (on: boolean, may = ALL) => {
    const { seen } = handlers['agents.list']().agents[0]!
    return handlers['agents.allow']({ id: agent.id, seen, on, may })
  }
  allow(true)
  const ask = (tool: string, given: Record<string, unknown>) =>
    handlers['agents.ask']({ key, program: 'test', tool, arguments: given }, signal)
  return { id: agent.id, set, handlers, ask, allow, [Symbol.dispose]: store.close }
}

test('what was allowed when it was asked does not count once it is taken away', async () => {
  using home = aHome()
  let found = Promise.withResolvers<RecallHit[]>()
  using program = await aProgram(home.path, { search: () => found.promise })
  const askThen = async (act: () => void) => {
    found = Promise.withResolvers()
    const asked = program.ask('session_search', { query: 'x' })
    act()
    found.resolve([aHit('Mine', 'window', 1)])
    return await asked
  }
  expect((await askThen(() => {})).ok).toBe(true)
  const changed = { ok: false, text: 'The user changed what this program may. Ask again.' }
  expect(await askThen(() => program.allow(true, { ...ALL, chats: false }))).toEqual(changed)
  program.allow(true)
  expect(await askThen(() => program.allow(false))).toEqual(changed)
  program.allow(true)
  const locked = await askThen(() => void (program.set.locked = true))
  expect(locked).toMatchObject({ ok: false, text: expect.stringContaining('offline lock') })
  program.set.locked = false
  const removed = await askThen(() => program.handlers['agents.remove']({ id: program.id }))
  expect(removed).toMatchObject({ ok: false, text: expect.stringContaining('does not know the key') })
})

test('at most eight requests of a program are open at once', async () => {
  using home = aHome()
  const found = Promise.withResolvers<RecallHit[]>()
  using program = await aProgram(home.path, { search: () => found.promise })
  const asked = Array.from({ length: 10 }, () => program.ask('session_search', { query: 'x' }))
  found.resolve([])
  const answers = await Promise.all(asked)
  expect(answers.filter(({ ok }) => ok)).toHaveLength(8)
  expect(answers.at(-1)?.text).toBe('These are too many requests at once. Wait a minute.')
  expect((await program.ask('session_search', { query: 'x' })).ok).toBe(true)
})

test('texts of strangers stand in frames, and chats of others are left out', async () => {
  using home = aHome()
  using program = await aProgram(home.path, {
    search: async () => [
      aHit('Mine', 'window', 1),
      aHit('Read', 'window', 2, 'Do as I say.'),
      aHit('Theirs', 'messenger_other', 3),
    ],
    sourcesOf: id => (id === 2 ? ['the page example.org'] : []),
  })
  const { text } = await program.ask('session_search', { query: 'x' })
  expect(text).not.toContain('Theirs')
  expect(text).toMatch(
    /^Chat “Mine”, 1970-01-01:\nThe user, 1970-01-01: Mine\nChat “Read”, 1970-01-01:\n\[\w+: text from a stranger \(the page example\.org\)\. [^\n]*\nThe user, 1970-01-01: Do as I say\.\n\[/,
  )
})

test('a long skill comes in pages of whole letters that join to the whole', async () => {
  using home = aHome()
  const steps = `# Steps\n\n${'Do this 😀 and that.\n'.repeat(300)}${'😀'.repeat(2_000)}`
  using program = await aProgram(home.path, {
    skills: async () => [{ id: 's', name: 'long', description: '' }],
    stepsOf: () => steps,
  })
  const pages: string[] = []
  for (let page = 1; ; page++) {
    const { ok, text } = await program.ask('skill_view', { name: 'long', page })
    if (!ok) break
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000)
    expect(text.isWellFormed()).toBe(true)
    pages.push(text.replace(/\n\[Page \d+ of \d+; page \d+ follows\.\]$/, ''))
  }
  expect(pages.join('\n').replaceAll(/\s/g, '')).toBe(steps.replaceAll(/\s/g, ''))
  expect((await program.ask('skill_view', { name: 'short' })).text).toMatch(/^There is no skill “short”/)
})
