import { createReports } from './untold-reports.ts'
import { expect, test } from 'vitest'
import { aTeam, delegate, run, write } from '../../../testing/delegation/a-team.ts'
import { until } from '../../../testing/until.ts'
import { openDelegation } from './open-delegation.ts'

test('several calls of one reply work side by side on a server, and one after the other on one place', async () => {
  for (const [places, most] of [
    [4, 3],
    [1, 1],
  ] as const) {
    let working = 0
    let seen = 0
    const states = new Map<string, string>()
    await using team = aTeam({
      places,
      chat: [[delegate('One'), delegate('Two'), delegate('Three')], 'Done.'],
      agents: { One: [[run('true')], 'One.'], Two: [[run('true')], 'Two.'], Three: ['Three.'] },
      onAgent({ name, state }) {
        states.set(name, state)
        working = [...states.values()].filter(each => each === 'running').length
        seen = Math.max(seen, working)
      },
    })
    await team.turn()
    expect(seen).toBe(most)
    expect(team.results().map(({ text }) => text.split('\n')[1])).toEqual(['One.', 'Two.', 'Three.'])
  }
})

test('a stop aborts all sub-agents in the same tick, those that wait too, and what they did is told', async () => {
  const order: string[] = []
  await using team = aTeam({
    places: 2,
    chat: [[delegate('One'), delegate('Two'), delegate('Three')], 'Done.'],
    agents: {
      One: [[write('one.txt', '1')], [{ hang: true }]],
      Two: [[write('two.txt', '2')], [{ hang: true }]],
      Three: ['Never.'],
    },
    onAgent({ state, name, steps }) {
      if (state === 'ended') order.push(`${name} ended`)
      const isHanging = [...team.agents.values()].filter(each => each.steps > 0).length === 2
      if (!isHanging || order.includes('stop') || steps === 0) return
      order.push('stop')
      team.stop()
      order.push('stopped')
      queueMicrotask(() => order.push('next microtask'))
    },
    onAbort: goal => void (order.includes('stop') && order.push(`${goal} aborted`)),
  })
  const events = await team.turn()
  expect(events.at(-1)).toMatchObject({ type: 'turn_end', reason: 'stopped' })
  // The earlier requests were aborted with their runs.
  expect([...new Set(order)].slice(0, 5)).toEqual([
    'stop',
    'One aborted',
    'Two aborted',
    'chat aborted',
    'stopped',
  ])
  expect([...team.agents.values()].map(({ name, end }) => `${name} ${end}`).toSorted()).toEqual([
    'worker 1 stopped',
    'worker 2 stopped',
    'worker 3 stopped',
  ])
  expect(team.results().map(({ ok, text }) => [ok, /files changed[^\n]*/.exec(text)?.[0]])).toEqual([
    [false, 'files changed with its tools: one.txt'],
    [false, 'files changed with its tools: two.txt'],
    [false, 'files changed with its tools: none'],
  ])
})

test('on a local model it gives way to answers that the person waits for, on a server there is no need', async () => {
  for (const [modelId, priority] of [
    ['file:/models/m.gguf', 'background'],
    ['server:scripted', undefined],
  ] as const) {
    await using team = aTeam({ modelId, chat: [[delegate('Look')], 'Done.'], agents: { Look: ['Seen.'] } })
    await team.turn()
    const [chat, agent, closing] = team.engine.prompts
    expect([chat!.priority, agent!.priority, closing!.priority]).toEqual([undefined, priority, undefined])
    // The user waits for the answer to a later message.
    const { sessionId } = team.delegation.ofChat(team.chat.id)[0]!
    await Array.fromAsync(team.runs.watch(team.runs.send(sessionId, 'And?').runId, 0, team.signal))
    expect(team.engine.prompts.at(-1)!.priority).toBeUndefined()
  }
})

test('all that work for a chat are stopped in one go, and those of another chat are not', async () => {
  await using team = aTeam({
    places: 1,
    chat: [[delegate('One', { background: true }), delegate('Two', { background: true })], 'They work.'],
    agents: { One: [[{ hang: true }]], Two: ['Never.'] },
  })
  await team.turn()
  expect(team.delegation.stopAll('another chat')).toEqual([])
  expect(team.delegation.ofChat(team.chat.id).map(({ state }) => state)).toEqual(['running', 'waiting'])
  expect(team.delegation.stopAll(team.chat.id)).toEqual(['worker 1', 'worker 2'])
  await until(() => !team.runs.isBusy())
  expect(team.delegation.ofChat(team.chat.id).map(({ end }) => end)).toEqual(['stopped', 'stopped'])
  expect(team.delegation.stopAll(team.chat.id)).toEqual([])
})

test('one whose chat is deleted while it waits never begins', async () => {
  await using team = aTeam({
    places: 1,
    chat: [[delegate('One', { background: true }), delegate('Two', { background: true })], 'They work.'],
    agents: { One: [[{ hang: true }]], Two: ['Never.'] },
  })
  await team.turn()
  const [one, two] = team.delegation.ofChat(team.chat.id)
  team.store.sessions.remove(team.chat.id)
  team.delegation.stop(one!.sessionId)
  await until(() => team.delegation.ofChat(team.chat.id).every(({ state }) => state === 'ended'))
  expect(team.delegation.ofChat(team.chat.id)[1]).toMatchObject({ end: 'stopped', steps: 0 })
  team.store.sessions.restore(team.chat.id)
  expect(team.store.messages.history(two!.sessionId)).toEqual([])
})

test('one that shows nothing for long is stalled, which stops nothing', async () => {
  const states: string[] = []
  await using team = aTeam({
    stallMs: 1,
    chat: [[delegate('Wait')], 'Done.'],
    agents: { Wait: [[{ hang: true }]] },
    onAgent({ state }) {
      if (states.at(-1) !== state) states.push(state)
      if (state === 'stalled') team.stop()
    },
  })
  await team.turn()
  expect(states.slice(0, 3)).toEqual(['waiting', 'running', 'stalled'])
  expect(states.at(-1)).toBe('ended')
})

test('in the background the call returns at once, and one message comes with the next one of the person', async () => {
  const ended = Promise.withResolvers<void>()
  await using team = aTeam({
    chat: [
      [delegate('One', { background: true }), delegate('Two', { background: true })],
      'They work.',
      'I see.',
    ],
    agents: { One: [[write('one.txt', '1')], 'One.'], Two: ['Two.'] },
    onAgent() {
      const all = [...team.agents.values()]
      if (all.length === 2 && all.every(({ state }) => state === 'ended')) ended.resolve()
    },
  })
  await team.turn()
  expect(team.results().map(({ text }) => text.split(' (')[0])).toEqual([
    'The sub-agent worker 1 works in the background',
    'The sub-agent worker 2 works in the background',
  ])
  await ended.promise
  expect(team.runs.isBusy()).toBe(false)
  await team.turn('And?')
  const asked = team.engine.prompts.at(-1)!.messages.findLast(message => message.role === 'user')!.text
  expect(asked).toContain('files changed with its tools: one.txt')
  expect(asked).toContain('The sub-agent worker 2 has ended its turn')
  expect(asked.endsWith('And?')).toBe(true)
  const before = team.engine.prompts.length
  await team.turn('More.')
  expect(team.engine.prompts[before]!.messages.at(-1)!.text).toBe('More.')
})

test('what an end of Talaria cut off is unknown at the next start, with what it did until then', async () => {
  const hangs = Promise.withResolvers<void>()
  await using team = aTeam({
    chat: [[delegate('One', { background: true })], 'It works.', 'I see.'],
    agents: { One: [[write('one.txt', '1')], [{ hang: true }]] },
    onAgent({ steps }) {
      if (steps > 0) hangs.resolve()
    },
  })
  await team.turn()
  await hangs.promise
  team.delegation.close()
  await team.runs.close()
  expect(team.store.delegations.open()).toHaveLength(1)
  const again = openDelegation({
    store: team.store,
    runs: team.runs,
    settings: () => ({ poolSteps: 60, poolTokens: 1_000 }),
    optionsFor: () => ({}),
    laneFor: name => ({ name, places: 1, isLocal: false }),
    onChange: () => {},
    now: Date.now,
    report: error => void team.reported.push(error),
  })
  expect(again.ofChat(team.chat.id)).toMatchObject([{ state: 'ended', end: 'unknown', told: false }])
  const reports = createReports({ store: team.store, onChange: () => {} })
  const untold = reports(team.chat.id)
  expect(untold?.text).toContain('- ended: unknown: Talaria ended before it did')
  expect(untold?.text).toContain('files changed with its tools: one.txt')
  untold?.told()
  expect(reports(team.chat.id)).toBeUndefined()
})

test('a deleted chat takes its sub-agents along, and brings them back', async () => {
  await using team = aTeam({ chat: [[delegate('One')], 'Done.'], agents: { One: ['One.'] } })
  await team.turn()
  const { sessions, purge } = team.store
  const [agent] = team.delegation.ofChat(team.chat.id)
  sessions.remove(team.chat.id)
  expect(sessions.get(agent!.sessionId)).toBeUndefined()
  expect(purge.deleted().map(({ id }) => id)).toEqual([team.chat.id])
  expect(purge.due(Number.MAX_SAFE_INTEGER).toSorted()).toEqual([team.chat.id, agent!.sessionId].toSorted())
  sessions.restore(team.chat.id)
  expect(sessions.get(agent!.sessionId)?.parentId).toBe(team.chat.id)
  sessions.remove(team.chat.id)
  expect(purge.begin([team.chat.id], { asked: true })).toBe(2)
})
