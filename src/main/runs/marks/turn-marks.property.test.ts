import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCases } from '../../../../testing/count-cases.ts'
import { moments } from '../../../../testing/moments.ts'
import { aMarkedHome, call } from '../../../../testing/marks/a-marked-home.ts'

// Random walks of strangers' texts along all paths on which a text reaches another chat or stays in its own.

/** Number of walks. Each opens homes and runs turns; `npm run test:long -- moments` tries all. */
const [WALKS = 0] = moments({ every: [300], some: [60] })

const WAYS = [
  'read',
  'read long',
  'say',
  'compact',
  'restart',
  'copy',
  'undo',
  'sub-agent',
  'clean sub-agent',
  'background',
  'page',
  'search',
  'schedule',
  'end',
  'new chat',
] as const
type Way = (typeof WAYS)[number]

/** `from` and `to` are indexes of existing chats. */
type Step = { way: Way; from: number; to: number }

const aStep: fc.Arbitrary<Step> = fc.record({
  way: fc.constantFrom(...WAYS),
  from: fc.nat({ max: 20 }),
  to: fc.nat({ max: 20 }),
})

/** The texts that a chat knows from outside. `must`: certainly in its context; `may`: possibly. */
type Known = {
  id: string
  must: Set<string>
  may: Set<string>
  ended: Set<string>
  undone: { must: Set<string> }[]
  /** A chat of a schedule, which has no sub-agents, no search in chats and no schedules. */
  isScheduled?: true
}
/** Ways that need a user, so chats of schedules do not have them. */
const WITH_A_PERSON = new Set<Way>(['sub-agent', 'clean sub-agent', 'background', 'search', 'schedule'])

test('a text keeps its mark on every way until it is ended, and no chat that read nothing of it has it', async () => {
  const cases = countCases<Way | 'marked' | 'clean'>()
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 3, maxLength: 6 }), async steps => {
      await using home = aMarkedHome()
      const walk = aWalk(home, way => cases.met(way))
      for (const step of [{ way: 'read', from: 0, to: 0 } as const, ...steps]) await walk.go(step)
      for (const { id, must, may } of walk.chats) {
        const found = new Set(await home.sourcesIn(id))
        cases.met(must.size > 0 ? 'marked' : 'clean')
        expect(must.difference(found), `lost in ${id}`).toEqual(new Set())
        expect(found.difference(may), `made up in ${id}`).toEqual(new Set())
      }
      expect(home.reported).toEqual([])
    }),
    { numRuns: WALKS, seed: 48 },
  )
  cases.atLeast({
    ...Object.fromEntries(WAYS.map(way => [way, WALKS / 10])),
    marked: WALKS,
    clean: WALKS / 3,
  } as Record<Way | 'marked' | 'clean', number>)
}, 600_000)

function aWalk(home: ReturnType<typeof aMarkedHome>, met: (way: Way) => void) {
  const chats: Known[] = []
  const files: { path: string; must: Set<string>; may: Set<string> }[] = []
  let texts = 0
  /** The texts that a background report will bring to a chat. */
  const awaited = new Map<string, Set<string>>()
  const open = (id: string, { must, may, ended = new Set() }: Brought = nothing()): Known => {
    const chat = { id, must: new Set(must), may: new Set(may), ended: new Set(ended), undone: [] }
    chats.push(chat)
    return chat
  }
  open(home.chat())

  /** One turn of a chat, after which it knows these texts too. */
  async function turn(chat: Known, what: Parameters<typeof home.turn>[1][], brought = nothing()) {
    await home.untilAlone(chat.id)
    chat.undone.push({ must: new Set(chat.must) })
    await home.turn(chat.id, ...what)
    const report = awaited.get(chat.id) ?? new Set()
    awaited.delete(chat.id)
    learn(chat, { must: brought.must.union(report), may: brought.may.union(report) })
  }

  const ways: Record<Way, (from: Known, to: Known) => Promise<unknown>> = {
    read: from => readIn(from, false),
    async 'read long'(from) {
      await readIn(from, true)
      files.push({ path: home.fileOf(from.id), must: new Set(from.must), may: new Set(from.may) })
    },
    say: from => turn(from, [`I speak of it, ${'at some length, '.repeat(30)}and of more.`]),
    compact: from => home.compact(from.id),
    restart: () => home.restart(),
    async copy(from) {
      const last = home.store.messages.history(from.id).at(-1)
      // A message with a report that is still unanswered is not copied.
      if (last) open(await home.store.branches.copyUpTo(from.id, last.id), from)
    },
    async undo(from) {
      const before = from.undone.pop()
      const question = home.store.messages.history(from.id).findLast(({ role }) => role === 'user')
      if (!before || !question) return
      await home.untilAlone(from.id)
      home.store.branches.endAt(from.id, home.store.branches.get(from.id, question.id)?.parentId ?? null)
      home.runs.pathMoved(from.id)
      // A summary may contain what was derived from it.
      from.must = before.must
    },
    async 'sub-agent'(from) {
      const source = `agent${++texts}`
      await turn(from, [[call('delegate', { goal: `Read ${source}` })], 'It read.'], just(source))
    },
    'clean sub-agent': from => turn(from, [[call('delegate', { goal: 'Think' })], 'It thought.']),
    async background(from) {
      const source = `behind${++texts}`
      await turn(from, [[call('delegate', { goal: `Read ${source}`, background: true })], 'It works.'])
      awaited.set(from.id, new Set([source]))
      // The sub-agent also knows what its chat knew, which may be undone before the report arrives.
      from.may.add(source)
      await home.untilAlone(from.id)
    },
    async page(_, to) {
      const file = files.at(-1)
      if (!file) return
      await turn(to, [[call('read_file', { path: file.path, offset: 100, limit: 3 })], 'Read.'], file)
    },
    search: (from, to) =>
      from === to
        ? Promise.resolve()
        : turn(to, [[call('session_search', { session_id: from.id })], 'I read that chat.'], from),
    async schedule(from) {
      const add = call('schedule', { action: 'add', when: 'every day at 8', task: 'Go on with it.' })
      await turn(from, [[add], 'Planned.'])
      const { must, may } = from
      open(await home.runSchedule(), { must, may }).isScheduled = true
    },
    async end(from) {
      const known = home.store.marks.ofChat(from.id)
      home.store.marks.end(
        from.id,
        known.map(({ id }) => id),
        Date.now(),
      )
      for (const { source } of known) from.ended.add(source.replace('the server ', ''))
      from.must = new Set()
      for (const undone of from.undone) undone.must = new Set()
      // Other texts may be marked, because a report or a summary elsewhere has them.
    },
    'new chat': async () => open(home.chat()),
  }

  async function readIn(from: Known, long: boolean) {
    const source = `text${++texts}`
    await turn(from, [[call('read_news', { source, long })], 'I read it.'], just(source))
  }

  return {
    chats,
    async go({ way, from, to }: Step) {
      const able = WITH_A_PERSON.has(way) ? chats.filter(({ isScheduled }) => !isScheduled) : chats
      met(way)
      await ways[way](able[from % able.length]!, able[to % able.length]!)
    },
  }
}

type Brought = Pick<Known, 'must' | 'may'> & Partial<Pick<Known, 'ended'>>
const nothing = (): Brought => ({ must: new Set(), may: new Set() })
const just = (source: string) => ({ must: new Set([source]), may: new Set([source]) })

function learn(chat: Known, { must, may }: Brought) {
  for (const each of must.difference(chat.ended)) chat.must.add(each)
  for (const each of may) chat.may.add(each)
}
