import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCases } from '../../../../testing/count-cases.ts'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import type { EngineFailure } from '../../models/interface/engine.ts'
import { scriptedEngine, type ScriptedReply } from '../../../../testing/models/scripted.ts'
import { aReply, isLegal } from '../../../../testing/agent/a-turn.ts'
import { fixedCost, tokensOf } from '../fit-history.ts'
import { structuredStrategy } from '../strategies/structured.ts'
import { aChat, reading, said, talk, usage, words } from '../../../../testing/agent/a-chat.ts'
import { aHistory, leftBy } from '../../../../testing/agent/a-history.ts'
import { isSummary } from './apply-compaction.ts'
import { promptTokens } from './plan.ts'

const full: EngineFailure = { code: 'context_full', text: 'Too long.', fix: '' }
/** Possible replies of a model that is asked for a summary. */
const anAnswer: fc.Arbitrary<ScriptedReply> = fc.constantFrom<ScriptedReply[]>(
  '## Goal\n- ship the page\n\n## Done\n- wrote it',
  'I do not know what you want.',
  '',
  [{ call: { name: 'look', arguments: {} } }],
  [{ fail: full }],
  ['## Decisions\n- port 4310\n- po', { stop: 'length' }],
)

test('whatever the chat and the model’s replies: no message is lost, the prompt is legal, and both ends stay', async () => {
  const { met, atLeast } = countCases<'enough' | 'compacted' | 'compacted again' | 'compacted by hand'>()
  await fc.assert(
    fc.asyncProperty(
      aHistory,
      fc.integer({ min: 500, max: 8_000 }),
      fc.array(anAnswer, { minLength: 4, maxLength: 4 }),
      fc.integer({ min: 0, max: 30 }),
      fc.boolean(),
      async (messages, contextTokens, replies, more, byHand) => {
        const chat = aChat({ messages, contextTokens, replies })
        for (let pass = 0; pass < 4; pass++) {
          const before = chat.kept.length
          const outcome = await chat.compactHistory({ byHand })
          expect(chat.kept.length - before).toBe(outcome === 'compacted' ? 1 : 0)
          const sent = chat.sent()
          expect(isLegal(sent)).toBe(true)
          const summary = chat.kept.findLast(each => each.summary !== '')
          const ids = new Set(sent.filter(message => !isSummary(message)).map(message => message.id))
          // Every message is either sent as it is or covered by the summary.
          for (const { id } of chat.messages)
            expect(ids.has(id)).toBe(!summary || leftBy(chat.messages, summary).some(each => each.id === id))
          expect(sent.filter(isSummary)).toHaveLength(summary ? 1 : 0)
          expect(sent).toContainEqual(chat.messages.findLast(message => message.role === 'user'))
          expect(sent.at(-1)?.id).toBe(chat.messages.at(-1)!.id)
          if (outcome !== 'compacted') {
            met('enough')
            break
          }
          const { tokensBefore, tokensAfter } = chat.kept.at(-1)!
          met(byHand ? 'compacted by hand' : pass > 0 ? 'compacted again' : 'compacted')
          if (!byHand) expect(tokensAfter).toBeLessThan(tokensBefore)
          chat.say(...talk(more))
        }
      },
    ),
    { numRuns: 150 },
  )
  atLeast({ enough: 15, compacted: 20, 'compacted again': 50, 'compacted by hand': 80 })
})

test('below the trigger nothing happens, and near it the outcome says so', async () => {
  const chat = aChat({})
  chat.say(...talk(4))
  expect(await chat.compactHistory()).toBe('enough')
  chat.say(...talk(20))
  expect(await chat.compactHistory()).toBe('near')
  expect(chat.log).toEqual([])
})

test('a trigger of 1 turns compaction off', async () => {
  const chat = aChat({})
  chat.say(...talk(200))
  expect(await chat.compactHistory({ trigger: 1 })).toBe('enough')
})

test('settings say how much of both ends stays and how long the summary may be', async () => {
  const pass = async (options: Parameters<ReturnType<typeof aChat>['compactHistory']>[0]) => {
    const chat = aChat({ replies: ['## Goal\n- Words 12 to 20'] })
    chat.say(...talk(40))
    expect(await chat.compactHistory(options)).toBe('compacted')
    const { headId, upToId } = chat.kept[0]!
    return {
      head: headId,
      tail: chat.messages.length - upToId,
      asked: chat.engine.prompts[0]!.messages.at(-1)!.text,
    }
  }
  const usual = await pass({})
  expect((await pass({ first_messages: 0 })).head).toBe(0)
  expect((await pass({ first_messages: 1 })).head).toBe(1)
  expect((await pass({ last_tokens: 1_000 })).tail).toBeLessThan(usual.tail)
  const words = ({ asked }: typeof usual) => Number(/at most (\d+) words/.exec(asked)?.[1])
  expect(words(await pass({ summary_share: 0.1 }))).toBeLessThan(words(usual))
})

test('old results are shortened to one line first, and if that is enough no model is asked', async () => {
  const chat = aChat({})
  chat.say(said('Look.'), aReply('Fine.'), said('Read them.'), ...reading('a', 1_500), ...reading('b', 1_500))
  chat.say(aReply('Read.'), ...talk(10))
  expect(await chat.compactHistory()).toBe('compacted')
  expect(chat.engine.prompts).toEqual([])
  expect(chat.log).toEqual(['keep', 'compacted'])
  const [result] = chat.sent().filter(message => message.role === 'tool')
  expect(result?.text).toMatch(/^\[read_file: 7,499 characters were here, beginning: word word/)
  expect(chat.kept[0]).toMatchObject({ by: 'pruning', summary: '', upToId: 0 })
  expect(await chat.compactHistory()).toBe('enough')
})

test('in one long turn older results are shortened and the question stays', async () => {
  const chat = aChat({})
  chat.say(said('Read everything.'), ...['a', 'b', 'c', 'd', 'e'].flatMap((id, n) => reading(id, 1_000 + n)))
  expect(await chat.compactHistory()).toBe('compacted')
  const results = chat.sent().filter(message => message.role === 'tool')
  expect(results.map(({ text }) => text.length > 200)).toEqual([false, false, false, true, true])
  expect(chat.sent()[0]?.text).toBe('Read everything.')
})

test('removed messages are passed to the review before the compaction is stored', async () => {
  const chat = aChat({ replies: ['## Goal\n- Words 12 to 20'] })
  chat.say(...talk(40))
  expect(await chat.compactHistory()).toBe('compacted')
  expect(chat.log).toEqual(['compacting', 'flush', 'keep', 'compacted'])
  const [{ headId, upToId, by, summary }] = chat.kept as [(typeof chat.kept)[0]]
  expect(chat.flushed).toEqual([[headId, upToId]])
  expect({ by, summary }).toEqual({ by: 'model', summary: '## Goal\n- Words 12 to 20' })
})

test('after a pass several turns fit before the next one', async () => {
  const chat = aChat({ replies: () => '## Goal\n- Words 12 to 20' })
  chat.say(...talk(40))
  await chat.compactHistory()
  for (let turn = 0; turn < 4; turn++) {
    chat.say(...talk(1))
    expect(await chat.compactHistory()).not.toBe('compacted')
  }
})

test('a summary is made by rules when the model fails, is useless or has too small a window', async () => {
  for (const [contextTokens, reply] of [
    [8_000, [{ fail: full }]],
    [8_000, 'Hello!'],
    [1_024, 'never asked'],
  ] as const) {
    const chat = aChat({ contextTokens, replies: [reply] })
    chat.say(
      said('My name is Ada.'),
      aReply('Hello.'),
      said('We must use port 4310 for it.'),
      aReply('Agreed.'),
      ...talk(contextTokens / 200),
    )
    expect(await chat.compactHistory()).toBe('compacted')
    expect(chat.engine.prompts).toHaveLength(contextTokens < 2_000 ? 0 : 1)
    expect(chat.kept[0]?.by).toBe('local')
    expect(chat.kept[0]?.summary).toContain('We must use port 4310 for it.')
  }
})

test.for<[string, EngineFailure]>([
  ['rejects the key', { code: 'refused', text: 'No.', fix: 'Enter the key again.', elsewhere: true }],
  ['cannot be reached', { code: 'unreachable', text: 'Nobody is there.', fix: '', elsewhere: true }],
])('while the chat’s own model %s nothing changes, until it answers or the person asks', async ([, fail]) => {
  const chat = aChat({ replies: [[{ fail }], [{ fail }], '## Goal\n- Words 12 to 20'] })
  chat.say(...talk(40))
  expect(await chat.compactHistory()).toBe('away')
  expect([chat.kept, chat.sent()]).toEqual([[], chat.messages])
  expect(await chat.compactHistory({ byHand: true })).toBe('compacted')
  expect(chat.kept[0]?.by, 'who asks gets what rules can say').toBe('local')
  const later = aChat({ replies: [[{ fail }], '## Goal\n- Words 12 to 20'] })
  later.say(...talk(40))
  await later.compactHistory()
  expect(await later.compactHistory()).toBe('compacted')
  expect(later.kept[0]).toMatchObject({ by: 'model', summary: '## Goal\n- Words 12 to 20' })
})

test('where another model writes summaries and is away, one is made by rules', async () => {
  const away = { code: 'refused', text: 'No.', fix: '', elsewhere: true } as const
  const { engine } = aChat({ replies: [[{ fail: away }]] })
  const chat = aChat({})
  chat.turn.summariser = async () => ({ ...chat.turn, engine })
  chat.say(...talk(40))
  expect(await chat.compactHistory()).toBe('compacted')
  expect(chat.kept[0]?.by).toBe('local')
})

test('the last line of a truncated summary is dropped', async () => {
  const chat = aChat({
    replies: [['## Decisions\n- Use Redis for sessions\n- The port is 43', { stop: 'length' }]],
  })
  chat.say(said('Take Redis for the sessions.'), aReply('Fine.'), ...talk(40))
  await chat.compactHistory()
  expect(chat.kept[0]?.summary).toBe('## Decisions\n- Use Redis for sessions')
})

test('a stop during the summary changes nothing', async () => {
  const chat = aChat({ replies: [['## Goal\n- Ship', { hang: true }]] })
  chat.say(...talk(40))
  const stop = new AbortController()
  const pass = chat.compactHistory({}, stop.signal)
  await expect.poll(() => chat.engine.prompts.length).toBe(1)
  expect(chat.log).toEqual(['compacting'])
  stop.abort()
  expect(await pass).toBe('stopped')
  expect(chat.log).toEqual(['compacting'])
  expect(chat.sent()).toEqual(chat.messages)
})

test('the summary request continues the prompt the model has read, with the same tools', async () => {
  const chat = aChat({ replies: ['## Goal\n- Words 12 to 20'] })
  chat.say(...talk(40))
  const before = chat.turn.strategy.render(chat.turn.system, chat.sent())
  await chat.compactHistory({ focus: 'the port' })
  const [prompt] = chat.engine.prompts
  expect(prompt?.messages.slice(0, before.length)).toEqual(before)
  expect(prompt?.messages.at(-1)?.text).toMatch(/Goal, Constraints, Done.*What must not be lost: the port/s)
})

test('another model can write the summary, under a session id of its own', async () => {
  const other = scriptedEngine({ replies: ['## Goal\n- Words 12 to 20.\n'], strategy: 'structured' })
  const summariser = { engine: other, strategy: structuredStrategy, tools: [], contextTokens: 100_000 }
  const chat = aChat({ summariser: async () => summariser })
  chat.say(...talk(40))
  expect(await chat.compactHistory()).toBe('compacted')
  expect([chat.engine.prompts.length, other.prompts.map(each => each.sessionId)]).toEqual([
    0,
    ['summary-chat'],
  ])
  expect(chat.kept.at(-1)?.summary).toContain('Words 12 to 20.')
})

test('facts survive eight passes of a model that omits half of them each time', async () => {
  const facts = Array.from(
    { length: 24 },
    (_, n) => `The ${['red', 'blue', 'green', 'grey'][n % 4]} server ${n} listens on port ${4_300 + n}`,
  )
  let pass = 0
  const chat = aChat({
    contextTokens: 16_000,
    replies: () => {
      const known = facts.slice(0, 3 * (pass + 1))
      const told = known.filter((_, n) => n >= 3 * pass || (n + pass) % 2 === 0)
      pass++
      return `## Decisions\n${told.map(fact => `- ${fact}`).join('\n')}`
    },
  })
  while (chat.kept.length < 8) {
    chat.say(said(facts.slice(3 * pass, 3 * pass + 3).join('. ')), aReply('Noted.'), ...talk(5))
    await chat.compactHistory()
  }
  expect(chat.kept.every(({ by }) => by === 'model')).toBe(true)
  const summary = chat.kept.at(-1)!.summary
  expect(facts.filter(fact => !summary.includes(fact))).toEqual([])
  expect(summary.match(/port/g)).toHaveLength(24)
})

test('after two passes that save little, compaction stops until much can be saved or the user asks', async () => {
  const long = `## Gotchas\n${Array.from({ length: 400 }, (_, n) => `- word ${n % 20} question ${(n * 7) % 20} answer: ${(n * 7_919 + 30).toString(36)} by ${(n * 104_729 + 30).toString(36)}`).join('\n')}`
  const chat = aChat({ replies: () => long })
  chat.say(...talk(40))
  await chat.compactHistory()
  chat.kept[0] = { ...chat.kept[0]!, useless: 2 }
  let outcome = await chat.compactHistory()
  while (outcome === 'enough' || outcome === 'near') {
    chat.say(...talk(1))
    outcome = await chat.compactHistory()
  }
  expect(outcome).toBe('given_up')
  expect(await chat.compactHistory({ byHand: true })).toBe('compacted')
  expect(chat.kept.at(-1)?.useless).toBe(0)
})

test('by hand a short chat is compacted too, down to its newest turns', async () => {
  const chat = aChat({ contextTokens: 128_000, replies: ['## Done\n- talked'] })
  chat.say(...talk(12))
  expect(await chat.compactHistory()).toBe('enough')
  expect(await chat.compactHistory({ byHand: true })).toBe('compacted')
  expect(chat.sent().length).toBeLessThan(12)
  const tiny = aChat({})
  tiny.say(said('Hello.'), aReply('Hello.'))
  expect(await tiny.compactHistory({ byHand: true })).toBe('nothing')
})

test('the engine’s last count is used, except from before a compaction or from another model', async () => {
  const { turn } = aChat({})
  const messages = (model: string, at: number): Message[] =>
    [said('Hello.'), aReply('Hello.', { model, at, usage: usage(700, 11) }), said(words(20))].map(
      (message, id) => ({ ...message, id: id + 1 }),
    )
  const counted = fixedCost(turn) + tokensOf(turn, messages('x', 0))
  expect(await promptTokens(turn, messages('Scripted model', 5))).toBe(
    Math.round(711 + 1.25 * tokensOf(turn, [messages('x', 0)[2]!])),
  )
  expect(await promptTokens(turn, messages('Scripted model', 5), 5)).toBe(counted)
  expect(await promptTokens(turn, messages('Another model', 5))).toBe(counted)
})

test('a count of a prompt with messages left out is scaled up to all messages', async () => {
  const { turn } = aChat({})
  const messages = [...talk(10), aReply('Yes.', { at: 5, usage: usage(500, 2) })].map((message, id) => ({
    ...message,
    id: id + 1,
  }))
  const rest = fixedCost(turn) + tokensOf(turn, messages.slice(12, -1))
  const all = fixedCost(turn) + tokensOf(turn, messages)
  expect(await promptTokens(turn, messages, 0, 13)).toBe(Math.round((500 / rest) * all))
})

test('a count that is far too low is ignored', async () => {
  const { turn } = aChat({})
  const messages = [said(words(500)), aReply('Hello.', { usage: usage(12, 3) })].map((message, id) => ({
    ...message,
    id: id + 1,
  }))
  expect(await promptTokens(turn, messages)).toBe(fixedCost(turn) + tokensOf(turn, messages))
})

test('thoughts count only while they are sent', async () => {
  const { turn } = aChat({})
  const thinking = aReply('Yes.', { reasoning: words(400), usage: usage(700, 420) })
  const messages = [said('Well?'), thinking, said('And?')].map((message, id) => ({ ...message, id: id + 1 }))
  expect(await promptTokens(turn, messages)).toBeLessThan(760)
})

test('a first exchange that alone is too long stays as it is, and no model is asked', async () => {
  const chat = aChat({ contextTokens: 2_000, replies: () => '## Goal\n- Words 12 to 20' })
  chat.say(said(`Hello. ${words(300)}`), aReply(words(700)))
  expect(await chat.compactHistory()).toBe('nothing')
  expect([chat.log, chat.kept, chat.engine.prompts]).toEqual([[], [], []])
})

test('instructions that alone exceed the trigger lead to one pass, not to an endless number', async () => {
  const chat = aChat({ system: words(5_000), replies: () => '## Goal\n- Words 12 to 20' })
  chat.say(...talk(40))
  const outcomes = []
  for (let pass = 0; pass < 3; pass++) outcomes.push(await chat.compactHistory())
  expect(outcomes).toEqual(['compacted', 'nothing', 'nothing'])
})

test('a summary without a word counts as a failure', async () => {
  const chat = aChat({ replies: () => '' })
  chat.say(...talk(40))
  expect(await chat.compactHistory()).toBe('compacted')
  expect(chat.kept[0]?.by).toBe('local')
})

test('a server that counts more tokens than we do makes no pass useless', async () => {
  const chat = aChat({ replies: () => '## Goal\n- Words 12 to 20' })
  chat.say(...talk(22))
  const ours = fixedCost(chat.turn) + tokensOf(chat.turn, chat.messages)
  const reply = aReply('Yes.', { usage: usage(Math.round(ours * 1.6), 5) })
  chat.say(said('And?'), reply, said('Go on.'))
  expect(await chat.compactHistory()).toBe('compacted')
  expect(chat.kept[0]?.useless).toBe(0)
})

test('of a middle without words of the person the summary by rules invents no request', async () => {
  const chat = aChat({ replies: [[{ fail: full }]] })
  const files = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap((id, n) => reading(id, 700 + n))
  chat.say(said('Read all.'), aReply('Fine.'), ...files, aReply(words(300)), said('Well?'))
  expect(await chat.compactHistory()).toBe('compacted')
  expect(chat.kept[0]).toMatchObject({ by: 'local', summary: expect.not.stringContaining('Asked') as string })
})

test('a summary speaks as the user does, and what the user said last stands behind it', async () => {
  const chat = aChat({ replies: ['## Goal\n- Words 12 to 20'] })
  chat.say(...talk(40), said('Stop that.'))
  await chat.compactHistory()
  const sent = chat.sent()
  expect(sent.find(isSummary)?.role).toBe('user')
  expect(sent.at(-1)?.text).toBe('Stop that.')
})

test('a summary that is asked for with too long a question is asked for once more with a shorter one', async () => {
  const replies = [[{ fail: full }], '## Goal\n- Words 12 to 20'] as const
  const chat = aChat({ replies: [...replies] })
  chat.say(...talk(4), said('Read.'), ...['a', 'b', 'c'].flatMap(id => reading(id, 700)), aReply('Read.'))
  chat.say(...talk(10))
  await chat.compactHistory({ byHand: true })
  expect(chat.engine.prompts).toHaveLength(2)
  expect(chat.kept[0]).toMatchObject({ by: 'model' })
})
