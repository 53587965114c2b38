import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { coalesceText } from './coalesce-text.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the first piece is sent at once, and what follows within a frame is sent together', () => {
  const sent: string[] = []
  const text = coalesceText(piece => sent.push(piece))
  text.push('a')
  text.push('b')
  text.push('c')
  expect(sent).toEqual(['a'])
  vi.advanceTimersByTime(16)
  expect(sent).toEqual(['a', 'bc'])
  vi.advanceTimersByTime(100)
  text.push('d')
  expect(sent).toEqual(['a', 'bc', 'd'])
})

test('a flush sends the rest once', () => {
  const sent: string[] = []
  const text = coalesceText(piece => sent.push(piece))
  text.push('a')
  text.push('b')
  text.flush()
  text.flush()
  vi.advanceTimersByTime(100)
  expect(sent).toEqual(['a', 'b'])
})
