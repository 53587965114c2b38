import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WindowRequest } from '../../../shared/contract/desktop.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { resetShim, state } from '../../../../testing/host/electron-shim.ts'
import { onPlatform } from '../../../../testing/host/on-platform.ts'
import type { DesktopSettings } from '../../app/host-types.ts'
import { createNotices } from './notices.ts'

beforeEach(() => {
  resetShim()
  onPlatform('linux')
})
afterEach(() => onPlatform())

function aWatcher(changes: Partial<DesktopSettings> = {}) {
  const seen = { isFront: false, opened: [] as WindowRequest[], flashes: 0 }
  const settings = {
    notify_approvals: true,
    notify_answers: true,
    notify_proposals: true,
    notify_titles: false,
    ...changes,
  } as DesktopSettings
  const notices = createNotices({
    settings: () => settings,
    isSeen: () => seen.isFront,
    open: request => seen.opened.push(request),
    flash: () => seen.flashes++,
  })
  return { notices, seen }
}

const chat = (changes: Partial<Session> = {}) =>
  ({ id: 'c1', title: 'Salary', waiting: false, activeRunId: null, ...changes }) as Session
const running = chat({ activeRunId: 'r1' })
const waiting = chat({ activeRunId: 'r1', waiting: true })

const told = () => state.notices.map(({ body }) => body)

test('an approval that waits is told once, without content, and opens its chat', () => {
  const { notices, seen } = aWatcher()
  for (const each of [running, waiting, waiting]) notices.onSession(each)
  const shown = [told(), state.badge, seen.flashes]
  state.notices[0]?.emit('click', {})
  expect([shown, seen.opened]).toEqual([
    [['A chat is waiting for your approval.'], 1, 1],
    [{ type: 'chat', id: 'c1' }],
  ])
})

test('an answer that ended is told, and an approval that was given no longer counts', () => {
  const { notices } = aWatcher()
  for (const each of [running, waiting, running, chat()]) notices.onSession(each)
  expect([told(), state.badge]).toEqual([
    ['A chat is waiting for your approval.', 'An answer is finished.'],
    1,
  ])
})

test('titles are named only if the user wants it', () => {
  const { notices } = aWatcher({ notify_titles: true })
  for (const each of [running, waiting]) notices.onSession(each)
  expect(told()).toEqual(['Salary: A chat is waiting for your approval.'])
})

test('signs of a title that nobody sees are shown', () => {
  const { notices } = aWatcher({ notify_titles: true })
  const title = 'invoice\u202egpj.exe'
  for (const each of [running, waiting]) notices.onSession({ ...each, title })
  expect(told()).toEqual(['invoice⟨U+202E⟩gpj.exe: A chat is waiting for your approval.'])
})

test('nothing is told while the window is in front, and looking at it clears the badge', () => {
  const { notices, seen } = aWatcher()
  for (const each of [running, waiting]) notices.onSession(each)
  seen.isFront = true
  notices.onSeen()
  for (const each of [running, chat()]) notices.onSession(each)
  notices.onProposals(2)
  expect([told().length, state.badge]).toEqual([1, 0])
})

test('proposals that are there at the start are known, new ones are told', () => {
  const { notices, seen } = aWatcher()
  notices.onProposals(3)
  const before = [told(), state.badge]
  notices.onProposals(5)
  state.notices[0]?.emit('click', {})
  notices.onProposals(0)
  expect([before, told(), state.badge, seen.opened]).toEqual([
    [[], 0],
    ['A review of a chat has something for you to decide.'],
    0,
    [{ type: 'page', page: 'activity', tab: null }],
  ])
})

test.for([
  ['notify_approvals', [running, waiting]],
  ['notify_answers', [running, chat()]],
] as const)('with %s off nothing is told', ([name, sessions]) => {
  const { notices } = aWatcher({ [name]: false })
  for (const each of sessions) notices.onSession(each)
  expect([told(), state.badge]).toEqual([[], 0])
})

const run = { type: 'schedule_ended', name: 'Morning notes', sessionId: 'c1', ok: true, content: '' } as const

test('a run of a schedule is told without its name, once, and its notification opens its chat', () => {
  const { notices, seen } = aWatcher()
  // The chat of the run ends too, without a notice of its own.
  notices.onSession(chat({ activeRunId: 'r1', origin: 'schedule' }))
  notices.onSession(chat({ origin: 'schedule' }))
  notices.onSchedule(run)
  state.notices[0]?.emit('click', {})
  expect([told(), state.badge, seen.opened]).toEqual([
    ['A schedule has run.'],
    1,
    [{ type: 'chat', id: 'c1' }],
  ])
})

test('a run that did not happen leads to the page of schedules', () => {
  const { notices, seen } = aWatcher()
  notices.onSchedule({ ...run, sessionId: null, ok: false })
  state.notices[0]?.emit('click', {})
  expect([told(), seen.opened]).toEqual([
    ['A schedule could not run as planned.'],
    [{ type: 'page', page: 'schedules', tab: null }],
  ])
})

test.for([
  [{ notify_titles: true }, '', 'Morning notes: A schedule has run.'],
  [{}, 'Two notes are new.', 'Morning notes: Two notes are new.'],
] as const)('with %j and the content “%s” a run is told as “%s”', ([settings, content, text]) => {
  const { notices } = aWatcher(settings)
  notices.onSchedule({ ...run, content })
  expect(told()).toEqual([text])
})

test('a run is not told while the window is in front', () => {
  const { notices, seen } = aWatcher()
  seen.isFront = true
  notices.onSchedule(run)
  expect([told(), state.badge]).toEqual([[], 0])
})

test('a chat that is removed no longer counts, and one that was running before the start is not told', () => {
  const { notices } = aWatcher()
  notices.onSession(chat())
  notices.onSession(waiting)
  notices.onRemoved('c1')
  expect([told().length, state.badge]).toEqual([1, 0])
})

test('where the system shows no notifications or badge, the window asks for attention', () => {
  onPlatform('win32')
  state.notifications = false
  const { notices, seen } = aWatcher()
  for (const each of [running, waiting]) notices.onSession(each)
  expect([told(), state.badge, seen.flashes]).toEqual([[], 0, 1])
})
