import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { downloaded, model, open, otherModel, reached } from '../../../../testing/models/downloads.ts'
import { LYING_CASES } from '../../../../testing/models/lies.ts'
import { startLyingServer } from '../../../../testing/models/lying-server.ts'

const half = Math.floor(model.length / 2)
const sum = createHash('sha256').update(model).digest('hex')
const kept = { half, all: model.length, none: 0 }

test('there are at least fifty ways to lie, each with a name of its own', () => {
  expect(new Set(LYING_CASES.map(({ what }) => what)).size).toBe(LYING_CASES.length)
  expect(LYING_CASES.length).toBeGreaterThanOrEqual(50)
})

test.for(LYING_CASES)(
  '$what',
  async ({ lies, forever, ends, path = '/m.gguf', name = 'm.gguf', checked, resumes }) => {
    const server = await startLyingServer({ model, other: otherModel }, lies, forever ?? false)
    onTestFinished(server.close)
    const home = open()
    let ended = await downloaded(home, server.origin + path, checked && sum)
    if (ends) {
      expect(ended.state).toBe('failed')
      expect(ended.error).toMatch(ends.error)
      if (ends.fix) expect(ended.fix).toMatch(ends.fix)
      expect(ended.doneBytes).toBe(kept[ends.kept])
      if (ended.doneBytes > 0) {
        const [part] = home.names()
        expect(readFileSync(join(home.folder, part!)).equals(model.subarray(0, ended.doneBytes))).toBe(true)
      }
      server.repent()
      await home.resume(ended.id)
      ended = await reached(home, ended.id, 'done', 'failed')
    }
    expect([ended.state, ended.error, home.names(), home.reports]).toEqual(['done', '', [name], []])
    expect(readFileSync(join(home.folder, name)).equals(model)).toBe(true)
    if (resumes) expect(server.asked.at(-1)?.range).toBe(`bytes=${half}-`)
  },
)
