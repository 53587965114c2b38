import { expect, test } from 'vitest'
import { aStore } from '../../../../testing/db/a-store.ts'
import { aSchedule, aScheduler, DAY, DONE, HOUR, rowsOf } from '../../../../testing/schedules/a-scheduler.ts'

const SUNDAY = Date.parse('2026-11-22T12:00:00Z')
const EIGHT = '2026-11-23T07:00'

test('what is due runs once, however often somebody looks', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY)
  const clock = aScheduler(store, SUNDAY)
  await clock.at(`${EIGHT}:00Z`)
  await clock.at(`${EIGHT}:30Z`)
  await clock.at('2026-11-23T09:00:00Z')
  expect(rowsOf(store)).toEqual([`${EIGHT} planned done`])
  expect(clock.seen.ended).toEqual(['schedule_1 done'])
  expect(clock.seen.awake).toBe(0)
})

test.for([0.5, 1, 9, 30])('after %d hours of sleep across its time it is made up for once', async hours => {
  using store = aStore()
  aSchedule(store, SUNDAY)
  const before = Date.parse('2026-11-23T06:59:30Z')
  const clock = aScheduler(store, SUNDAY)
  await clock.at(before)
  await clock.at(before + hours * HOUR)
  await clock.at(before + hours * HOUR + 30_000)
  const missed = hours === 30 ? ['2026-11-24T07:00 late done'] : [`${EIGHT} late done`]
  expect(rowsOf(store)).toEqual([...(hours === 30 ? [`${EIGHT} planned skipped asleep`] : []), ...missed])
})

test('after nine days the latest time is made up for, the others of the week say that it slept, and older ones are mentioned', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY)
  const clock = aScheduler(store, SUNDAY)
  await clock.at(SUNDAY + 9 * DAY)
  expect(rowsOf(store)).toEqual([
    '2026-11-25T07:00 planned skipped asleep and earlier',
    '2026-11-26T07:00 planned skipped asleep',
    '2026-11-27T07:00 planned skipped asleep',
    '2026-11-28T07:00 planned skipped asleep',
    '2026-11-29T07:00 planned skipped asleep',
    '2026-11-30T07:00 planned skipped asleep',
    '2026-12-01T07:00 late done',
  ])
})

test('what was missed before the start was missed because Talaria was off', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY)
  const clock = aScheduler(store, SUNDAY + 2 * DAY)
  await clock.at(SUNDAY + 2 * DAY)
  expect(rowsOf(store)).toEqual([`${EIGHT} planned skipped off`, '2026-11-24T07:00 late done'])
})

test('a schedule that makes nothing up only says what was missed', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY, { choices: { missed: 'none' } })
  const clock = aScheduler(store, SUNDAY)
  await clock.at('2026-11-23T11:00:00Z')
  await clock.at('2026-11-24T07:00:20Z')
  expect(rowsOf(store)).toEqual([`${EIGHT} planned skipped asleep`, '2026-11-24T07:00 planned done'])
})

test('one that happens once and was missed by more than a week has a row, and does not run', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY, { rule: { kind: 'wall', wall: '2026-11-23T08:00:00' } })
  const clock = aScheduler(store, SUNDAY + 12 * DAY)
  await clock.at(SUNDAY + 12 * DAY)
  await clock.at(SUNDAY + 12 * DAY + 60_000)
  expect(rowsOf(store)).toEqual([`${EIGHT} planned skipped off`])
})

test('several that are overdue run one after another, the earliest first', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY, { id: 'nine', rule: { kind: 'calendar', patterns: ['0 9 * * *'] } })
  aSchedule(store, SUNDAY, { id: 'eight' })
  const busy: string[] = []
  let most = 0
  const clock = aScheduler(store, SUNDAY, {
    async perform({ schedule }) {
      busy.push(schedule.id)
      most = Math.max(most, busy.length)
      await Promise.resolve()
      clock.seen.told.push(busy.pop()!)
      return DONE
    },
  })
  await clock.at('2026-11-23T10:00:00Z')
  expect([most, ...clock.seen.told]).toEqual([1, 'eight', 'nine'])
})

test('while a run goes on, its next time is skipped with a row, and the one after runs', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY, { rule: { kind: 'calendar', patterns: ['0 * * * *'] } })
  const first = Promise.withResolvers<void>()
  const clock = aScheduler(store, SUNDAY, {
    async perform() {
      await first.promise
      return DONE
    },
  })
  clock.set(SUNDAY + HOUR)
  clock.tick()
  clock.set(SUNDAY + 2 * HOUR)
  clock.tick()
  expect(() => clock.run('schedule_1', 'now')).toThrow('already running')
  first.resolve()
  await clock.idle()
  await clock.at(SUNDAY + 3 * HOUR)
  expect(rowsOf(store)).toEqual([
    '2026-11-22T13:00 planned done',
    '2026-11-22T14:00 planned skipped still_running',
    '2026-11-22T15:00 planned done',
  ])
})

test('after a clock that was set back two hours, nothing runs twice', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY, { rule: { kind: 'calendar', patterns: ['0 * * * *'] } })
  const clock = aScheduler(store, SUNDAY)
  for (const hour of [1, 2, 3]) await clock.at(SUNDAY + hour * HOUR)
  for (const hour of [1.01, 2, 3, 4]) await clock.at(SUNDAY + hour * HOUR)
  expect(clock.seen.performed).toEqual([1, 2, 3, 4].map(hour => SUNDAY + hour * HOUR))
})

test('a clock that is a year ahead and comes back stops nothing for a year', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY)
  const clock = aScheduler(store, SUNDAY)
  await clock.at(SUNDAY + 365 * DAY)
  await clock.at(SUNDAY + 60_000)
  await clock.at(`${EIGHT}:00Z`)
  const ran = rowsOf(store).filter(row => row.includes('done'))
  expect(ran).toEqual(['2027-11-22T07:00 late done', `${EIGHT} planned done`])
})

test('a run whose process died is unknown and not repeated, and frees its schedule', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY)
  const dead = aScheduler(store, SUNDAY, { perform: () => new Promise(() => {}) })
  dead.set(`${EIGHT}:00Z`)
  dead.tick()
  await expect.poll(() => dead.seen.performed).toHaveLength(1)
  const clock = aScheduler(store, Date.parse(`${EIGHT}:40Z`))
  await clock.at(`${EIGHT}:50Z`)
  await clock.at('2026-11-24T07:00:10Z')
  expect(rowsOf(store)).toEqual([`${EIGHT} planned unknown`, '2026-11-24T07:00 planned done'])
})

test('a claim of a process that died before it began is found again, and runs once', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY)
  const dead = aScheduler(store, SUNDAY, { obstacle: () => new Promise(() => {}) })
  dead.set(`${EIGHT}:00Z`)
  dead.tick()
  expect(rowsOf(store)).toEqual([`${EIGHT} planned claimed`])
  const clock = aScheduler(store, Date.parse('2026-11-23T07:30:00Z'))
  await clock.at('2026-11-23T07:30:00Z')
  expect(rowsOf(store)).toEqual([`${EIGHT} late done`])
})

test('what cannot start says why, and three times in a row pause the schedule with a notice', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY)
  const gone = { reason: 'folder_gone', text: 'Its folder is gone.' } as const
  const clock = aScheduler(store, SUNDAY, { obstacle: async () => gone })
  for (const day of [1, 2, 3, 4, 5]) await clock.at(SUNDAY + day * DAY)
  expect(rowsOf(store)).toHaveLength(3)
  expect(rowsOf(store)[0]).toContain('skipped folder_gone')
  expect(clock.seen.told).toEqual(['The schedule “Notes” is paused, because it failed three times in a row.'])
  expect(store.schedules.get('schedule_1')?.paused).toContain('three times in a row')
})

test('failures that others interrupt do not add up, and what the computer did is none', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY)
  const ends = ['failed', 'failed', 'done', 'failed', 'failed', 'skipped', 'done'] as const
  const clock = aScheduler(store, SUNDAY, {
    async perform() {
      const state = ends[clock.seen.performed.length - 1]!
      return { state, reason: state === 'failed' ? 'failed' : state === 'skipped' ? 'asleep' : '', text: '' }
    },
  })
  for (const day of ends.keys()) await clock.at(SUNDAY + (day + 1) * DAY)
  expect(clock.seen.told).toEqual([])
  expect(store.schedules.get('schedule_1')).toMatchObject({ paused: null, failures: 0 })
})

test.for(['stopped', 'removed'] as const)('a run that is stopped because it was %s says so', async reason => {
  using store = aStore()
  aSchedule(store, SUNDAY)
  const clock = aScheduler(store, SUNDAY, {
    perform: (_work, signal) =>
      new Promise(resolve => {
        signal.addEventListener('abort', () => resolve(DONE))
      }),
  })
  clock.set(`${EIGHT}:00Z`)
  clock.tick()
  await expect.poll(() => clock.seen.performed).toHaveLength(1)
  clock.stop('schedule_1', reason)
  await clock.idle()
  expect(rowsOf(store)).toEqual([`${EIGHT} planned failed ${reason}`])
  expect(store.schedules.get('schedule_1')?.failures).toBe(0)
})

test('a run during which Talaria is quit says so, and is not repeated', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY)
  const clock = aScheduler(store, SUNDAY, {
    perform: (_work, signal) =>
      new Promise(resolve => {
        signal.addEventListener('abort', () => resolve(DONE))
      }),
  })
  clock.set(`${EIGHT}:00Z`)
  clock.tick()
  await expect.poll(() => clock.seen.performed).toHaveLength(1)
  await clock.close()
  const next = aScheduler(store, Date.parse('2026-11-23T08:00:00Z'))
  await next.at('2026-11-23T08:00:00Z')
  expect(rowsOf(store)).toEqual([`${EIGHT} planned failed quit`])
})

test('an end that a full disk refuses is written later, and nothing runs meanwhile or twice', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY)
  const { changeRun } = store.schedules
  let isFull = false
  store.schedules.changeRun = (id, change) => {
    if (isFull && change.state !== 'running') throw new Error('database or disk is full')
    return changeRun(id, change)
  }
  const clock = aScheduler(store, SUNDAY, {
    async perform() {
      isFull = true
      return DONE
    },
  })
  await clock.at(`${EIGHT}:00Z`)
  await clock.at(`${EIGHT}:30Z`)
  expect(rowsOf(store)).toEqual([`${EIGHT} planned running`])
  expect(clock.seen.errors.length).toBeGreaterThan(0)
  isFull = false
  await clock.at('2026-11-23T07:01:00Z')
  expect(rowsOf(store)).toEqual([`${EIGHT} planned done`])
  expect(clock.seen.performed).toHaveLength(1)
})

test('a disk that is full when something is due delays it, with one run in the end', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY)
  const { addRun } = store.schedules
  store.schedules.addRun = () => {
    throw new Error('database or disk is full')
  }
  const clock = aScheduler(store, SUNDAY)
  await clock.at(`${EIGHT}:00Z`)
  store.schedules.addRun = addRun
  await clock.at(`${EIGHT}:30Z`)
  expect(rowsOf(store)).toEqual([`${EIGHT} planned done`])
})

test('a paused schedule does nothing', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY, { paused: 'You paused it.' })
  const clock = aScheduler(store, SUNDAY)
  await clock.at(SUNDAY + 3 * DAY)
  expect(rowsOf(store)).toEqual([])
})

test('a person who travels is told once that schedules keep their zone', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY)
  let zone = 'Europe/Berlin'
  const clock = aScheduler(store, SUNDAY, { zone: () => zone })
  await clock.at(SUNDAY + 1000)
  zone = 'Asia/Kolkata'
  await clock.at(SUNDAY + 2000)
  await clock.at(SUNDAY + 3000)
  expect(clock.seen.told).toEqual([
    'This computer is now in the time zone Asia/Kolkata. Your schedules still follow Europe/Berlin.',
  ])
  await clock.at(`${EIGHT}:00Z`)
  expect(rowsOf(store)).toEqual([`${EIGHT} planned done`])
})

test('the newest hundred runs are kept, and the chats of the others are forgotten', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY, { rule: { kind: 'calendar', patterns: ['0 * * * *'] } })
  const clock = aScheduler(store, SUNDAY, {
    async perform({ run, began }) {
      began(`chat ${run.id}`)
      return DONE
    },
  })
  for (let hour = 1; hour <= 103; hour++) await clock.at(SUNDAY + hour * HOUR)
  expect(rowsOf(store)).toHaveLength(100)
  expect(clock.seen.dropped).toEqual(['chat 1', 'chat 2', 'chat 3'])
})

test('what is run by hand runs beside its times, also when it is paused', async () => {
  using store = aStore()
  aSchedule(store, SUNDAY, { paused: 'You paused it.' })
  const clock = aScheduler(store, SUNDAY)
  clock.run('schedule_1', 'now')
  await clock.idle()
  expect(rowsOf(store)).toEqual(['2026-11-22T12:00 now done'])
  expect(() => clock.run('schedule_2', 'now')).toThrow('no longer exists')
})
