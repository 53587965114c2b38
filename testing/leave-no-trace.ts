import { afterAll, beforeAll, expect } from 'vitest'

// The files of a worker share its process, which saves loading everything for each. So none may leave it changed.
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
