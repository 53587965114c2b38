import type { Area } from '../../shared/contract/areas.ts'
import { expect, test } from 'vitest'
import type { AppEvent } from '../../shared/contract/app.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import { aTransfer } from '../test/a-computer.ts'
import { applyAppEvent, incomingShare, initialHostState } from './host-state.ts'

const session = { id: 'c1', title: 'One' } as Session
const notice = { id: 'n1', level: 'warning', text: 'The settings could not be read.', fix: '' } as const
const after = (...events: AppEvent[]) => events.reduce(applyAppEvent, initialHostState)

test('a hello event replaces the whole state', () => {
  const hello = {
    type: 'hello',
    version: '1',
    hosting: 'headless',
    platform: 'linux',
    home: '/h',
    workspace: '/w',
    defaultModelId: 'builtin',
    settings: {
      theme: 'dark',
      codeTheme: 'window',
      textSize: 'normal',
      sendWith: 'mod_enter',
      keys: {},
      expert: true,
    },
    engine: { ...initialHostState.engine, phase: 'ready' },
    notices: [notice],
    locked: true,
    setupDone: false,
  } satisfies AppEvent
  expect(after(hello)).toMatchObject({
    hello: { version: '1' },
    settings: {
      theme: 'dark',
      codeTheme: 'window',
      textSize: 'normal',
      sendWith: 'mod_enter',
      keys: {},
      expert: true,
    },
    engine: { phase: 'ready' },
    notices: [notice],
    defaultModelId: 'builtin',
    locked: true,
    setupDone: false,
  })
})

test('a chat is added, changed and removed', () => {
  const renamed = { ...session, title: 'Two' }
  expect(after({ type: 'session', session }).sessions).toEqual({ c1: session })
  expect(after({ type: 'session', session }, { type: 'session', session: renamed }).sessions).toEqual({
    c1: renamed,
  })
  expect(after({ type: 'session', session }, { type: 'session_removed', id: 'c1' }).sessions).toEqual({})
})

test('a repeated notice is shown once', () => {
  expect(after({ type: 'notice', notice }, { type: 'notice', notice }).notices).toEqual([notice])
  expect(after({ type: 'notice', notice }, { type: 'notice_ended', id: notice.id }).notices).toEqual([])
})

const changed = (...areas: Area[]): AppEvent => ({ type: 'changed', areas })

test('what changed last is known, and after a new hello everything may have changed', () => {
  expect(after(changed('memory'), changed('skills')).changed).toEqual(['skills'])
  const hello = { type: 'hello' } as AppEvent
  expect(after(hello).changed).toContain('memory')
})

test('events of the lock and of setup update the offline lock and the first run', () => {
  const lock = (locked: boolean): AppEvent => ({ type: 'lock', locked })
  expect(after(lock(false), lock(true))).toMatchObject({ locked: true })
  expect(after({ type: 'setup', done: false }).setupDone).toBe(false)
  expect(initialHostState).toMatchObject({ locked: false, setupDone: true })
})

test('an unknown event of a newer host changes nothing', () => {
  expect(after({ type: 'weather' } as unknown as AppEvent)).toBe(initialHostState)
})

test('the total progress counts only active transfers', () => {
  expect(incomingShare([])).toBeNull()
  expect(incomingShare([aTransfer({ state: 'paused' }), aTransfer({ state: 'done' })])).toBeNull()
  const half = aTransfer({ doneBytes: 50, totalBytes: 100 })
  const waiting = aTransfer({ state: 'waiting', doneBytes: 0, totalBytes: 100 })
  expect(incomingShare([half, waiting, aTransfer({ totalBytes: null })])).toBe(0.25)
  expect(incomingShare([aTransfer({ totalBytes: null })])).toBe(0)
})
