import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clockRuns, clockUntil, until } from '../../../testing/until.ts'
import { watchMemory } from './watch-memory.ts'

let home: string
let looks: number
let reports: unknown[]
let watching: { close(): void } | undefined

const begin = (onChange = () => void looks++) => {
  watching = watchMemory(home, onChange, error => void reports.push(error))
}
const at = (...path: string[]) => join(home, 'memories', ...path)
/** Wait for the check that follows `act`. Everything started earlier has been checked by then. */
async function noticed(act: () => void) {
  const before = looks
  act()
  await clockUntil(() => looks > before)
}

// File system events are real; only the clock is faked.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  home = mkdtempSync(join(tmpdir(), 'talaria-watch-'))
  looks = 0
  reports = []
})
afterEach(() => {
  watching?.close()
  vi.useRealTimers()
  rmSync(home, { recursive: true, force: true })
  expect(reports).toEqual([])
})

test('a file that is written, replaced or removed triggers a check', async () => {
  mkdirSync(at())
  begin()
  await noticed(() => writeFileSync(at('USER.md'), 'Lives in Bern.'))
  await noticed(() => {
    writeFileSync(at('USER.md~'), 'Lives in Basel.')
    renameSync(at('USER.md~'), at('USER.md'))
  })
  await noticed(() => writeFileSync(at('USER.md'), 'Lives in Biel.'))
  await noticed(() => rmSync(at('USER.md')))
})

test('many writes in a row trigger one check', async () => {
  mkdirSync(at())
  begin()
  await noticed(() => {
    for (let count = 0; count < 50; count++) writeFileSync(at('USER.md'), `${count}`)
  })
  await clockRuns(5_000)
  expect(looks).toBe(1)
})

test('notes of a folder trigger a check, even if their folder is new', async () => {
  mkdirSync(at())
  begin()
  await noticed(() => mkdirSync(at('projects', 'p1'), { recursive: true }))
  await noticed(() => writeFileSync(at('projects', 'p1', 'MEMORY.md'), 'Bed 3.'))
  await noticed(() => mkdirSync(at('projects', 'p2')))
  await noticed(() => writeFileSync(at('projects', 'p2', 'MEMORY.md'), 'Bed 4.'))
})

test('a folder that is missing, removed or created again stays watched', async () => {
  begin()
  await noticed(() => {
    mkdirSync(at())
    writeFileSync(at('USER.md'), 'Lives in Bern.')
  })
  await noticed(() => rmSync(at(), { recursive: true }))
  await noticed(() => mkdirSync(at()))
  await noticed(() => writeFileSync(at('USER.md'), 'Lives in Basel.'))
})

test('a replaced folder stays watched', async () => {
  mkdirSync(at())
  begin()
  await noticed(() => {
    renameSync(at(), join(home, 'old'))
    mkdirSync(at())
  })
  await noticed(() => writeFileSync(at('USER.md'), 'Lives in Bern.'))
})

test('a failing check is reported, and the next one still runs', async () => {
  mkdirSync(at())
  begin(() => {
    looks++
    throw new Error('no room')
  })
  await noticed(() => writeFileSync(at('USER.md'), 'One.'))
  await noticed(() => writeFileSync(at('USER.md'), 'Two.'))
  expect(reports.splice(0)).toMatchObject([{ message: 'no room' }, { message: 'no room' }])
})

test('after closing nothing is checked', async () => {
  mkdirSync(at())
  begin()
  writeFileSync(at('USER.md'), 'One.')
  await until(() => vi.getTimerCount() > 0)
  watching?.close()
  writeFileSync(at('USER.md'), 'Two.')
  await clockRuns(5_000)
  expect(looks).toBe(0)
})
