import { policyStep } from '../agent/steps/policy-step.ts'
import { tmpdir } from 'node:os'
import { nothingKnown, someSections } from '../../../testing/runs/some-sections.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Origin } from '../../shared/contract/chats/session.ts'
import { Origin as Origins } from '../../shared/contract/chats/session.ts'
import { ORIGIN_RULES } from '../../shared/origin-rules.ts'
import { aChat, aStore } from '../../../testing/db/a-store.ts'
import { scriptedEngine, type Script } from '../../../testing/models/scripted.ts'
import { createBudget } from '../agent/budget.ts'
import { Config } from '../config/schema.ts'
import type { Store } from '../db/store.ts'
import { createRegistry } from '../tools/registry/registry.ts'
import { defineTool } from '../tools/registry/tool.ts'
import type { RunStart } from './origin.ts'
import { createRuns } from './runs.ts'

const aTool = (name: string, toolset: string, risk: 'read' | 'write') =>
  defineTool({
    name,
    says: `The tool ${name}.`,
    input: z.object({ path: z.string() }),
    toolset,
    risk,
    intent: async ({ path }) => ({
      title: path,
      detail: path,
      risk,
      inWorkspace: true,
      folder: '/desk',
      path: `/desk/${path}`,
    }),
    run: async ({ path }) => ({ ok: true, text: `${name} ${path}` }),
  })
const TOOLS = [
  aTool('read_file', 'files', 'read'),
  aTool('write_file', 'files', 'write'),
  aTool('memory', 'memory', 'write'),
  aTool('skill_manage', 'skills', 'write'),
]
const call = (name: string) => ({ call: { name, arguments: { path: 'a' } } })

/** Runs on a real store, whose user allows everything. */
function theRuns(store: Store, replies: Script['replies']) {
  const engine = scriptedEngine({ replies, strategy: 'structured', modelId: 'builtin' })
  const corrections: string[] = []
  const memory = {
    ...nothingKnown,
    notes: [
      {
        id: 'n',
        target: 'memory',
        project: null,
        text: 'Uses pnpm.',
        at: 0,
        usedAt: null,
        origin: 'you',
        sessionId: null,
        messageId: null,
        blocked: null,
      } as never,
    ],
  }
  const runs = createRuns({
    refuseFolder: () => {},
    home: '/nowhere',
    store,
    sessions: store.sessions,
    sections: someSections({ memory }),
    evidence: { asked: (_id, text) => void corrections.push(text), sent: () => {}, ended: () => {} },
    registry: createRegistry(TOOLS),
    engineFor: async () => engine,
    steps: [() => policyStep()],
    maxIterations: () => 30,
    waitMs: () => 60_000,
    onSessionChange: () => {},
    onRunEvent: () => {},
    compaction: () => ({ ...Config.parse({}).compaction, trigger: 1 }),
    flushes: undefined,
    now: Date.now,
    report(error) {
      throw error
    },
  })
  async function turn(sessionId: string, start?: RunStart) {
    const { runId } = runs.send(sessionId, 'Go on.', { start })
    const asked: string[] = []
    for await (const event of runs.watch(runId, 0, new AbortController().signal)) {
      if (event.type !== 'approval_request') continue
      asked.push(event.approval.tool)
      // If no user is present, the request is closed already.
      try {
        runs.answer(runId, event.approval.id, { decision: 'once', note: '' })
      } catch {
        asked.push('nobody')
      }
    }
    const said = store.messages.history(sessionId)
    const results = said.flatMap(message => (message.role === 'tool' ? [message.text] : []))
    return { asked, results, prompt: JSON.stringify(engine.prompts.at(-1)), run: store.runs.get(runId)! }
  }
  return { turn, corrections, engine }
}
const chatOf = (store: Store, origin: Origin, approval: 'ask' | 'reads' = 'ask') =>
  aChat(store, { origin, approval, workspace: tmpdir() }).id

test('every origin has its rules, and whatever runs without a person learns nothing as their wish', () => {
  expect(Object.keys(ORIGIN_RULES).toSorted()).toEqual([...Origins.options].toSorted())
  for (const [origin, { asks, learns, without, continuedAs }] of Object.entries(ORIGIN_RULES)) {
    expect(ORIGIN_RULES[continuedAs].continuedAs).toBe(continuedAs)
    if (asks === 'person') continue
    expect({ origin, learns }).toEqual({ origin, learns: 'nothing' })
    expect(without).toEqual(expect.arrayContaining(['delegation', 'memory', 'schedules', 'ask_user']))
  }
})

test.each<[Origin, boolean, string[]]>([
  ['window', true, ['read_file', 'write_file', 'memory', 'skill_manage']],
  ['import', true, ['read_file', 'write_file', 'memory', 'skill_manage']],
  ['messenger', true, ['read_file', 'write_file', 'memory', 'skill_manage']],
  ['messenger_other', false, ['read_file', 'write_file']],
  ['schedule', true, ['read_file', 'write_file']],
  ['sub_agent', false, ['read_file', 'write_file']],
  ['batch', false, ['read_file', 'write_file']],
])('a chat of the origin %s has its part of the notes and the tools', async (origin, knows, names) => {
  using store = aStore()
  const { turn, engine } = theRuns(store, ['Done.'])
  const { prompt } = await turn(chatOf(store, origin))
  expect(prompt.includes('Uses pnpm.')).toBe(knows)
  expect(engine.prompts.at(-1)!.tools.map(tool => tool.name)).toEqual(names)
})

test('a question in a scheduled run is denied at once, and one in a turn of a person in the same chat is asked', async () => {
  using store = aStore()
  const { turn, corrections } = theRuns(store, [[call('write_file')], 'No.', [call('write_file')], 'Yes.'])
  const id = chatOf(store, 'schedule')
  const alone = await turn(id, { origin: 'schedule' })
  expect(alone.results).toEqual([expect.stringContaining('nobody is here')])
  const answered = await turn(id)
  expect(answered.asked).toEqual(['write_file'])
  expect(answered.results[1]).toBe('write_file a')
  expect([alone.run.origin, answered.run.origin]).toEqual(['schedule', 'window'])
  expect(corrections).toEqual([])
})

test('in the mode “reads” a scheduled run is denied what would ask, too', async () => {
  using store = aStore()
  const { turn } = theRuns(store, [[call('write_file')], 'No.'])
  const { results } = await turn(chatOf(store, 'schedule', 'reads'), { origin: 'schedule' })
  expect(results).toEqual([expect.stringContaining('Nobody is here to allow it.')])
})

test('what was allowed before a run needs no question in it', async () => {
  using store = aStore()
  const { turn } = theRuns(store, [[call('write_file')], 'Done.'])
  const grants = ['change "/desk/a"']
  const { results } = await turn(chatOf(store, 'schedule', 'reads'), { origin: 'schedule', grants })
  expect(results).toEqual(['write_file a'])
})

test('whoever starts a run may answer its questions and set its mode', async () => {
  using store = aStore()
  const { turn } = theRuns(store, [[call('write_file')], 'One.', [call('write_file')], 'Two.'])
  const id = chatOf(store, 'sub_agent')
  const titles: string[] = []
  const ask: RunStart['ask'] = async approval => {
    titles.push(approval.tool)
    return { decision: 'once', note: '' }
  }
  await turn(id, { ask })
  expect(titles).toEqual(['write_file'])
  const { results } = await turn(id, { ask, mode: () => 'none' })
  expect([titles.length, results[1]]).toEqual([1, expect.stringContaining('nobody is here')])
})

test('who tells a sub-agent something in its chat answers the questions of that turn', async () => {
  using store = aStore()
  const { turn } = theRuns(store, [[call('write_file')], 'Done.'])
  const { asked, results, run } = await turn(chatOf(store, 'sub_agent'))
  expect({ asked, results, origin: run.origin }).toEqual({
    asked: ['write_file'],
    results: ['write_file a'],
    origin: 'sub_agent',
  })
})

test('a turn ends when its budget is used, and says whose it was; others take from the same pool', async () => {
  using store = aStore()
  const pool = createBudget({ steps: 3 }, 'the sub-agents')
  const own = () => createBudget({ steps: 2 }, 'this sub-agent', pool)
  const { turn } = theRuns(store, [
    [call('read_file')],
    [call('read_file')],
    'Two.',
    [call('read_file')],
    'Three.',
  ])
  const warnings = async (id: string) => {
    const before = await turn(id, { budget: own() })
    return store.runs
      .after(before.run.id, 0)
      .flatMap(event =>
        event.type === 'warning' ? [event.text] : event.type === 'turn_end' ? [event.reason] : [],
      )
  }
  expect(await warnings(chatOf(store, 'sub_agent'))).toEqual([
    'All 2 steps of this sub-agent are used.',
    'budget_exhausted',
  ])
  expect(await warnings(chatOf(store, 'sub_agent'))).toEqual([
    'All 3 steps of the sub-agents are used.',
    'budget_exhausted',
  ])
  expect(pool.used.steps).toBe(3)
})

test('tokens count as well, those of the last reply too', () => {
  const pool = createBudget({ tokens: 150 }, 'all')
  const [one, other] = [createBudget({ tokens: 100 }, 'one', pool), createBudget({}, 'other', pool)]
  expect(one.takeStep()).toBeUndefined()
  one.spend(120)
  expect([one.takeStep(), other.takeStep()]).toEqual(['All 100 tokens of one are used.', undefined])
  other.spend(30)
  expect([other.takeStep(), pool.used]).toEqual([
    'All 150 tokens of all are used.',
    { steps: 2, tokens: 150 },
  ])
})
