import { expect, test } from 'vitest'
import { aTransfer } from '../test/a-computer.ts'
import { incomingShare } from './incoming.ts'

test('the share counts what moves, and nothing else', () => {
  expect(incomingShare([])).toBeNull()
  expect(incomingShare([aTransfer({ state: 'paused' }), aTransfer({ state: 'done' })])).toBeNull()
  const half = aTransfer({ doneBytes: 50, totalBytes: 100 })
  const waiting = aTransfer({ state: 'waiting', doneBytes: 0, totalBytes: 100 })
  expect(incomingShare([half, waiting, aTransfer({ totalBytes: null })])).toBe(0.25)
  expect(incomingShare([aTransfer({ totalBytes: null })])).toBe(0)
})
