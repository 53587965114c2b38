import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { NewRunEvent, RunEvent } from '../../shared/contract/runs/run.ts'
import { openRunLog } from './run-log.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A log that writes to a list instead of a disk; `publish` receives what a watcher would. */
function aLog() {
  const disk: RunEvent[] = []
  const published: RunEvent[] = []
  let isFull = false
  const append = (_runId: string, event: NewRunEvent): RunEvent => {
    if (isFull) throw new Error('The disk is full.')
    const stored = { ...event, seq: disk.length + 1, at: 0 }
    disk.push(stored)
    return stored
  }
  const emit = openRunLog({ append }, 'run_1', event => {
    expect(disk).toContain(event)
    published.push(event)
  })
  return { emit, disk, seen: () => published.map(inShort), fill: (full: boolean) => (isFull = full) }
}

const inShort = (event: RunEvent): string => {
  if ('text' in event) return `${event.type} ${event.text}`
  return event.type === 'progress' ? `${event.phase} ${event.done}` : event.type
}

const text = (text: string): NewRunEvent => ({ type: 'text_delta', text })
const reading = (done: number): NewRunEvent => ({ type: 'progress', phase: 'reading', done, total: 100 })
const end: NewRunEvent = { type: 'turn_end', reason: 'done' }

test('the first text is sent at once, and what follows within a frame is one event', () => {
  const { emit, seen } = aLog()
  for (const piece of ['a', 'b', 'c', 'd']) emit(text(piece))
  expect(seen()).toEqual(['text_delta a'])
  vi.advanceTimersByTime(16)
  expect(seen()).toEqual(['text_delta a', 'text_delta bcd'])
})

test('text slower than one piece per frame is never delayed', () => {
  const { emit, seen } = aLog()
  for (const piece of ['a', 'b', 'c']) {
    emit(text(piece))
    expect(seen().at(-1)).toBe(`text_delta ${piece}`)
    vi.advanceTimersByTime(17)
  }
  expect(vi.getTimerCount()).toBe(0)
})

test('another event is sent after the text held back before it', () => {
  const { emit, seen } = aLog()
  emit(text('a'))
  emit(text('b'))
  emit(end)
  expect(seen()).toEqual(['text_delta a', 'text_delta b', 'turn_end'])
  expect(vi.getTimerCount()).toBe(0)
})

test('text and thoughts stay separate and in order', () => {
  const { emit, seen } = aLog()
  emit({ type: 'reasoning_delta', text: 'x' })
  emit({ type: 'reasoning_delta', text: 'y' })
  emit(text('a'))
  emit(text('b'))
  emit({ type: 'reasoning_delta', text: 'z' })
  emit(end)
  expect(seen()).toEqual([
    'reasoning_delta x',
    'reasoning_delta y',
    'text_delta a',
    'text_delta b',
    'reasoning_delta z',
    'turn_end',
  ])
})

test('output of two parallel tools is not mixed', () => {
  const { emit, disk } = aLog()
  const output = (callId: string, text: string) => emit({ type: 'tool_output', callId, text })
  for (const [callId, piece] of [
    ['1', 'a'],
    ['1', 'b'],
    ['1', 'c'],
    ['2', 'd'],
    ['1', 'e'],
  ] as const)
    output(callId, piece)
  emit(end)
  expect(disk.flatMap(event => (event.type === 'tool_output' ? [event.callId + event.text] : []))).toEqual([
    '1a',
    '1bc',
    '2d',
    '1e',
  ])
})

test('only the latest progress is sent, and text does not wait for it', () => {
  const { emit, seen } = aLog()
  for (let done = 0; done <= 90; done += 10) emit(reading(done))
  expect(seen()).toEqual(['reading 0'])
  vi.advanceTimersByTime(100)
  expect(seen()).toEqual(['reading 0', 'reading 90'])
  emit(reading(100))
  emit(text('a'))
  expect(seen().slice(2)).toEqual(['reading 100', 'text_delta a'])
})

test('loading and reading have separate progress', () => {
  const { emit, seen } = aLog()
  emit({ type: 'progress', phase: 'loading', done: 0, total: 1 })
  emit({ type: 'progress', phase: 'loading', done: 1, total: 1 })
  emit(reading(5))
  emit(end)
  expect(seen()).toEqual(['loading 0', 'loading 1', 'reading 5', 'turn_end'])
})

test('a disk error between two events is reported with the next one', () => {
  const { emit, seen, fill } = aLog()
  emit(text('a'))
  emit(text('b'))
  fill(true)
  vi.advanceTimersByTime(20)
  expect(() => emit(text('c'))).toThrow('The disk is full.')
  fill(false)
  emit(end)
  expect(seen()).toEqual(['text_delta a', 'turn_end'])
})
