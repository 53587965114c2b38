import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FileReply } from '../../../../testing/servers/file-server.ts'
import { aServer, downloaded, model, open, reached } from '../../../../testing/models/downloads.ts'

const place = fc.nat(model.length)
const reply: fc.Arbitrary<FileReply> = fc.oneof(
  fc.record({ cutAfter: place }),
  fc.record({ cutAfter: place, ignoreRange: fc.constant(true) }),
  fc.record({ endAfter: place, length: fc.constant(false as const) }),
  fc.record({
    cutAfter: fc.constant(model.length),
    length: fc.integer({ min: model.length, max: model.length * 2 }),
  }),
  fc.record({ status: fc.constantFrom(429, 500, 502, 503, 504, 408) }),
  fc.record({ headers: fc.constant({ 'content-range': 'bytes 5-6/7' }) }),
  fc.record({ headers: fc.constant({ 'accept-ranges': 'none' }), ignoreRange: fc.constant(true) }),
)

test('whatever the server does, a finished download equals the file, and any other can be resumed', async () => {
  const server = await aServer()
  await fc.assert(
    fc.asyncProperty(fc.array(reply, { maxLength: 10 }), async replies => {
      const home = open()
      server.replies.set('/m.gguf', [...replies])
      let ended = await downloaded(home, `${server.origin}/m.gguf`)
      for (let tries = 0; ended.state === 'failed' && tries < 12; tries++) {
        expect(ended.error).not.toBe('')
        expect(home.names().filter(name => !name.endsWith('.part'))).toEqual([])
        await home.resume(ended.id)
        ended = await reached(home, ended.id, 'done', 'failed')
      }
      expect([ended.state, ended.error, home.reports]).toEqual(['done', '', []])
      expect(readFileSync(join(home.folder, 'm.gguf')).equals(model)).toBe(true)
      await home.close()
      rmSync(home.home, { recursive: true })
    }),
    { numRuns: 20 },
  )
})
