import { policyStep } from '../agent/steps/policy-step.ts'
import { expect, test } from 'vitest'
import { someSections } from '../../../testing/runs/some-sections.ts'
import { z } from 'zod'
import type { RunEvent } from '../../shared/contract/runs/run.ts'
import { Fault } from '../../shared/rpc.ts'
import type { LlmEngine } from '../models/interface/engine.ts'
import { scriptedEngine, type Script } from '../../../testing/models/scripted.ts'
import { aChat, aStore } from '../../../testing/db/a-store.ts'
import { Config } from '../config/schema.ts'
import type { Store } from '../db/store.ts'
import { createRegistry } from '../tools/registry/registry.ts'
import { defineTool } from '../tools/registry/tool.ts'
import { createRuns } from './runs.ts'

const READ = defineTool({
  name: 'read_file',
  says: 'Read a file.',
  input: z.object({ path: z.string() }),
  toolset: 'files',
  risk: 'read',
  intent: async ({ path }) => ({
    title: path,
    detail: path,
    risk: 'read',
    inWorkspace: true,
    folder: '/desk',
    path: `/desk/${path}`,
  }),
  run: async ({ path }) => ({ ok: true, text: `content of ${path}` }),
})

const read = { call: { name: 'read_file', arguments: { path: 'a' } } }
const full = new Fault('not_ready', 'The disk is full. Free some space and try again.')

/** Runs on a real store; single methods can be made to fail. */
function theRuns(store: Store, replies: Script['replies'], engines: LlmEngine[] = []) {
  const reported: unknown[] = []
  const broken: Partial<Record<'append' | 'log' | 'end', (...args: never[]) => boolean>> = {}
  const refuses = (name: keyof typeof broken, ...args: unknown[]) =>
    broken[name]?.(...(args as never[])) === true
  const guard =
    <A extends unknown[], R>(name: keyof typeof broken, method: (...args: A) => R) =>
    (...args: A): R => {
      if (refuses(name, ...args)) throw full
      return method(...args)
    }
  const known = [scriptedEngine({ replies, strategy: 'structured', modelId: 'builtin' }), ...engines]
  const runs = createRuns({
    refuseFolder: () => {},
    home: '/nowhere',
    store: {
      ...store,
      messages: { ...store.messages, append: guard('append', store.messages.append) },
      runs: { ...store.runs, append: guard('log', store.runs.append), end: guard('end', store.runs.end) },
    },
    sessions: store.sessions,
    sections: someSections(),
    evidence: { asked: () => {}, sent: () => {}, ended: () => {} },
    registry: createRegistry([READ]),
    engineFor: async id => known.find(engine => engine.modelId === id) ?? known[0]!,
    steps: [() => policyStep()],
    maxIterations: () => 20,
    waitMs: () => 60_000,
    onSessionChange: () => {},
    onRunEvent: () => {},
    compaction: () => ({ ...Config.parse({}).compaction, trigger: 1 }),
    flushes: undefined,
    now: Date.now,
    report: error => void reported.push(error),
  })
  const { signal } = new AbortController()
  const turn = async (sessionId: string): Promise<RunEvent[]> =>
    Array.fromAsync(runs.watch(runs.send(sessionId, 'Go on.').runId, 0, signal))
  const roles = (id: string) => store.messages.history(id).map(message => message.role)
  return { runs, turn, roles, broken, reported, signal }
}

test('a disk that fills up during an answer ends the turn, and the chat continues once there is space', async () => {
  using store = aStore()
  const { id } = aChat(store)
  const { runs, turn, roles, broken } = theRuns(store, ['One.', 'Two.'])
  broken.append = ({ role }: { role: string }) => role === 'assistant'
  const events = await turn(id)
  expect(events.slice(-2)).toMatchObject([
    { type: 'error', text: full.message },
    { type: 'turn_end', reason: 'failed' },
  ])
  delete broken.append
  expect([runs.live(store.sessions.get(id)!).activeRunId, roles(id)]).toEqual([null, ['user']])
  expect((await turn(id)).at(-1)).toMatchObject({ reason: 'done' })
})

test('if a result cannot be stored, every call still has one', async () => {
  using store = aStore()
  const { id } = aChat(store)
  const { turn, roles, broken } = theRuns(store, [[read, read], 'Done.'])
  let results = 0
  broken.append = ({ role }: { role: string }) => role === 'tool' && ++results === 2
  const events = await turn(id)
  expect(events.flatMap(event => (event.type === 'message' ? [event.message.role] : []))).toEqual([
    'assistant',
    'tool',
    'tool',
  ])
  expect(roles(id)).toEqual(['user', 'assistant', 'tool', 'tool'])
})

test('even if nothing more could be stored, the next message finds a legal history', async () => {
  using store = aStore()
  const { id } = aChat(store)
  const { turn, roles, broken } = theRuns(store, [[read], 'Done.'])
  broken.append = ({ role }: { role: string }) => role === 'tool'
  await turn(id)
  expect(roles(id)).toEqual(['user', 'assistant'])
  delete broken.append
  await turn(id)
  expect(roles(id)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant'])
})

test('a run whose log cannot be written ends for its watchers and frees the chat', async () => {
  using store = aStore()
  const { id } = aChat(store)
  const { runs, turn, broken, reported } = theRuns(store, ['One.', 'Two.'])
  broken.log = (_id: string, { type }: { type: string }) => type !== 'turn_start'
  broken.end = () => true
  expect((await turn(id)).map(event => event.type)).toEqual(['turn_start'])
  expect(reported.length).toBeGreaterThan(0)
  expect(store.runs.active(id)).toBeDefined()
  delete broken.log
  delete broken.end
  expect(runs.live(store.sessions.get(id)!).activeRunId).toBeNull()
  expect((await turn(id)).at(-1)).toMatchObject({ type: 'turn_end', reason: 'done' })
})

test('a run whose log is gone cannot be watched, an ended one can', async () => {
  using store = aStore()
  const { id } = aChat(store)
  const { runs, turn, signal } = theRuns(store, () => 'Yes.')
  const first = runs.send(id, 'First').runId
  await Array.fromAsync(runs.watch(first, 0, signal))
  expect(await Array.fromAsync(runs.watch(first, 2, signal))).not.toEqual([])
  for (let n = 0; n < 25; n++) await turn(id)
  await expect(Array.fromAsync(runs.watch(first, 0, signal))).rejects.toMatchObject({ code: 'not_found' })
  await expect(Array.fromAsync(runs.watch('run_x', 5, signal))).rejects.toMatchObject({ code: 'not_found' })
})

test('a chat too long for one model is sent again to a larger one', async () => {
  using store = aStore()
  const { id } = aChat(store)
  const [small, large] = ([1_024, 32_000] as const).map(contextTokens =>
    scriptedEngine({ replies: () => 'Yes. '.repeat(60), modelId: `m${contextTokens}`, contextTokens }),
  )
  const { turn } = theRuns(store, [], [small!, large!])
  store.sessions.update(id, { modelId: 'm1024' })
  for (let n = 0; n < 10; n++) await turn(id)
  expect(small!.prompts.at(-1)!.messages.length).toBeLessThan(14)
  store.sessions.update(id, { modelId: 'm32000' })
  await turn(id)
  expect(large!.prompts[0]!.messages.length).toBe(22)
})

test('nothing starts while the host is closing, and closing waits for running work', async () => {
  using store = aStore()
  const { id } = aChat(store)
  const { runs, signal } = theRuns(store, [['Begun. ', { hang: true }]])
  const { runId } = runs.send(id, 'Go on.')
  const watching = Array.fromAsync(runs.watch(runId, 0, signal))
  const closing = runs.close()
  expect(() => runs.send(id, 'More.')).toThrow(new Fault('not_ready', 'Talaria is closing.'))
  await closing
  expect([(await watching).at(-1), store.runs.active(id)]).toEqual([
    expect.objectContaining({ type: 'turn_end', reason: 'stopped' }),
    undefined,
  ])
})

test('a mistake of ours ends the turn in plain words, is reported once, and the chat goes on', async () => {
  using store = aStore()
  const { id } = aChat(store)
  const mistake = new TypeError('Cannot read properties of undefined')
  let isBroken = true
  const { turn, reported } = theRuns(store, () => {
    if (isBroken) throw mistake
    return 'Two.'
  })
  const events = await turn(id)
  expect(events.slice(-2)).toMatchObject([
    {
      type: 'error',
      text: 'Something went wrong inside Talaria. Nothing was lost.',
      fix: expect.stringContaining('the log file') as string,
    },
    { type: 'turn_end', reason: 'failed' },
  ])
  expect(reported).toEqual([mistake])
  isBroken = false
  expect((await turn(id)).at(-1)).toMatchObject({ reason: 'done' })
})

test('a watcher that leaves in the middle of what was hears nothing more', async () => {
  using store = aStore()
  const { id } = aChat(store)
  const { runs, signal } = theRuns(store, ['Yes.'])
  const { runId } = runs.send(id, 'Go on.')
  await Array.fromAsync(runs.watch(runId, 0, signal))
  const leaving = new AbortController()
  const heard: string[] = []
  for await (const event of runs.watch(runId, 0, leaving.signal)) {
    heard.push(event.type)
    leaving.abort()
  }
  expect(heard).toEqual(['turn_start'])
})

test('a mode is lent to a chat that is there, until who lent it goes', async () => {
  using store = aStore()
  const { id } = aChat(store)
  const { runs } = theRuns(store, [])
  const leaving = new AbortController()
  const lending = runs.lendMode(id, 'full', leaving.signal)
  expect(await lending.next()).toEqual({ done: false, value: { approval: 'full' } })
  expect(runs.live(store.sessions.get(id)!).approval).toBe('full')
  leaving.abort()
  expect(await lending.next()).toMatchObject({ done: true })
  expect(runs.live(store.sessions.get(id)!).approval).not.toBe('full')
  await expect(runs.lendMode('ses_x', 'full', leaving.signal).next()).rejects.toMatchObject({
    code: 'not_found',
  })
})
