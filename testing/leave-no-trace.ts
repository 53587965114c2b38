import { afterAll, beforeAll, expect } from 'vitest'

// Test files share the process of their worker, which saves loading everything for each file. So no file may
// leave the process changed.
const processNow = () => ({
  folder: process.cwd(),
  mask: process.umask(),
  environment: { ...process.env },
})

let before: ReturnType<typeof processNow>

beforeAll(() => {
  before = processNow()
})

afterAll(() => {
  expect(processNow(), 'the process as the next file finds it').toEqual(before)
})
