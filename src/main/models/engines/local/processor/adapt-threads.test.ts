import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fixedThreads, adaptThreads } from './adapt-threads.ts'
import { watchCores } from './spare-cores.ts'
import { fixedMs, machineWith, simulate } from '../../../../../../testing/models/simulated-machine.ts'
import type { TokenMs } from '../../../../../../testing/models/simulated-machine.ts'
import { numbersUpTo } from './thread-search.ts'
import type { Work } from './thread-search.ts'

const seeds = [1, 2, 3, 4, 5]
/** Each seed, on a computer that reports idle cores and on one that hides them. */
const computers = seeds.flatMap(seed => [{ seed }, { seed, hidesIdle: true }])
const works = ['reading', 'writing'] as const
const idle = machineWith({ cores: 2 })
const besideOne = machineWith({ cores: 2, busy: 1 })
const besideTwo = machineWith({ cores: 2, busy: 2 })

/** The achieved times relative to the best fixed number of threads. */
function ratios(tokenMs: TokenMs, most: number, did: Record<Work, number>) {
  const best = (work: Work) => Math.min(...numbersUpTo(most).map(threads => fixedMs(tokenMs, work, threads)))
  return { reading: best('reading') / did.reading, writing: best('writing') / did.writing }
}

test.for([
  ['idle, two cores', 2, 0],
  ['two cores beside one program', 2, 1],
  ['two cores beside two programs', 2, 2],
  ['two cores beside four programs', 2, 4],
  ['a single core', 1, 0],
  ['a single core beside a program', 1, 1],
  ['eight idle cores', 8, 0],
  ['eight cores beside one program', 8, 1],
  ['eight cores beside four programs', 8, 4],
  ['sixteen cores beside twelve programs', 16, 12],
] as const)('%s: nearly as fast as the best fixed number', async ([, cores, busy]) => {
  const tokenMs = machineWith({ cores, busy })
  for (const how of computers) {
    const machine = simulate(cores, how)
    machine.becomes(machineWith({ cores }))
    await machine.chat(5_000)
    machine.becomes(tokenMs)
    await machine.chat(20_000)
    const reached = ratios(tokenMs, cores, await machine.chat(120_000))
    expect(reached.reading).toBeGreaterThan(0.88)
    expect(reached.writing).toBeGreaterThan(0.88)
  }
})

test.for([
  ['one program', besideOne],
  ['two programs', besideTwo],
] as const)('beside %s that starts during a reply, fewer threads write within a second', async ([, busy]) => {
  for (const how of computers) {
    const machine = simulate(2, how)
    machine.becomes(idle)
    await machine.chat(5_000)
    await machine.write(20)
    machine.becomes(busy)
    const startedAt = machine.now
    while (machine.threads === 2) await machine.write(1)
    expect(machine.now - startedAt).toBeLessThan(1_000)
    while (machine.engine.count('writing') === 2) await machine.write(1)
    expect(machine.now - startedAt).toBeLessThan(2_000)
  }
})

test('a program that starts between two messages is detected in the first chunk read', async () => {
  const machine = simulate(2)
  machine.becomes(idle)
  await machine.chat(5_000)
  machine.becomes((work, threads) => (threads === 2 ? 90 : work === 'reading' ? 4 : 20))
  await machine.read(64)
  expect(machine.engine.count('writing')).toBe(1)
  await machine.write(10, 64)
  await machine.read(64)
  expect(machine.engine.count('reading')).toBe(1)
})

test('if a late chunk takes as long with fewer threads, all of them are used again', async () => {
  const machine = simulate(2)
  machine.becomes(idle)
  await machine.chat(5_000)
  machine.becomes(() => 20)
  await machine.read(64)
  expect(machine.engine.count('writing')).toBe(1)
  await machine.read(64, 64)
  expect([machine.engine.count('reading'), machine.engine.count('writing')]).toEqual([2, 2])
})

test('a single late chunk reduces the threads for a few seconds only', async () => {
  const machine = simulate(2)
  machine.becomes(idle)
  await machine.chat(5_000)
  machine.becomes(() => 20)
  await machine.read(64)
  machine.becomes(idle)
  await machine.read(64, 64)
  expect([machine.engine.count('reading'), machine.engine.count('writing')]).toEqual([1, 1])
  const startedAt = machine.now
  while (machine.engine.count('writing') === 1) await machine.write(1)
  expect(machine.now - startedAt).toBeLessThan(4_500)
  expect(machine.engine.count('reading')).toBe(2)
})

test('a model loaded on a busy computer writes with fewer threads within a second', async () => {
  for (const how of computers) {
    const machine = simulate(2, how)
    machine.becomes(besideOne)
    while (machine.engine.count('writing') === 2) await machine.write(1)
    expect(machine.now).toBeLessThan(1_500)
  }
})

test('when other programs end, all threads are used again during the reply', async () => {
  for (const how of computers) {
    const machine = simulate(2, how)
    machine.becomes(idle)
    await machine.chat(5_000)
    machine.becomes(besideTwo)
    await machine.chat(30_000)
    expect(machine.engine.count('writing')).toBe(1)
    machine.becomes(idle)
    const endedAt = machine.now
    while (machine.engine.count('writing') === 1) await machine.write(1)
    expect(machine.now - endedAt).toBeLessThan(20_500)
    // Reading follows at once, and verifies with its own measurements.
    expect(machine.engine.count('reading')).toBe(2)
  }
})

test('if no core is idle, more threads are not tried; once one is idle, they soon are', async () => {
  for (const seed of seeds) {
    const machine = simulate(2, { seed })
    machine.becomes(idle)
    await machine.chat(5_000)
    machine.becomes(besideOne)
    await machine.chat(5_000)
    const before = machine.changes.length
    await machine.chat(100_000)
    expect(machine.threads).toBe(1)
    expect(machine.changes.length).toBe(before)
    machine.becomes(idle)
    const endedAt = machine.now
    while (machine.engine.count('writing') === 1) await machine.write(1)
    expect(machine.now - endedAt).toBeLessThan(2_000)
  }
})

test('an idle core that brings no gain is not tried over and over', async () => {
  const machine = simulate(2)
  machine.becomes((_, threads) => (threads === 2 ? 40 : 20))
  await machine.chat(200_000)
  expect(machine.changes.length).toBeLessThanOrEqual(70)
})

test('after a pause all threads are tried again, and the usual times are still known', async () => {
  const machine = simulate(2)
  machine.becomes(idle)
  await machine.chat(5_000)
  machine.becomes(besideOne)
  await machine.chat(10_000)
  expect(machine.engine.count('writing')).toBe(1)
  machine.rest(20_000)
  await machine.write(1)
  expect(machine.threads).toBe(1)
  machine.rest(31_000)
  await machine.write(1)
  expect(machine.threads).toBe(2)
  await machine.write(12)
  expect(machine.engine.count('writing')).toBe(1)
})

test('a single late token changes nothing', async () => {
  const machine = simulate(4)
  machine.becomes(machineWith({ cores: 4 }))
  await machine.write(100)
  const before = machine.changes.length
  for (let times = 0; times < 20; times++) {
    machine.becomes(() => 90)
    await machine.write(1)
    machine.becomes(machineWith({ cores: 4 }))
    await machine.write(10)
  }
  expect(machine.changes.length).toBe(before)
})

test('a single token that takes seconds is enough to reduce the threads', async () => {
  const machine = simulate(8)
  machine.becomes(machineWith({ cores: 8 }))
  await machine.write(100)
  machine.becomes((_, threads) => (threads > 4 ? 2_500 : 12))
  await machine.write(1)
  const startedAt = machine.now
  await machine.write(3)
  expect(machine.now - startedAt).toBe(36)
  expect(machine.engine.count('writing')).toBe(4)
})

test.for([
  ['idle', idle, 8],
  ['beside one program', besideOne, 70],
  ['beside two programs', besideTwo, 70],
] as const)('%s, the number of threads does not oscillate', async ([, tokenMs, most]) => {
  for (const how of computers) {
    const machine = simulate(2, how)
    machine.becomes(tokenMs)
    await machine.chat(200_000)
    expect(machine.changes.length).toBeLessThanOrEqual(most)
  }
})

test('beside a program that comes and goes, each switch costs only a few changes', async () => {
  for (const how of computers) {
    const machine = simulate(2, how)
    for (let times = 0; times < 20; times++) {
      machine.becomes(times % 2 === 0 ? idle : besideOne)
      await machine.chat(3_000)
    }
    expect(machine.changes.length).toBeLessThanOrEqual(20 * 4)
  }
})

test('a long chat that slows down gradually keeps its threads', async () => {
  const machine = simulate(8)
  const eight = machineWith({ cores: 8 })
  for (let position = 0; position < 16_000; position += 192) {
    machine.becomes((work, threads, random) => eight(work, threads, random) * (1 + position / 3_000))
    await machine.read(128, position)
    await machine.write(64, position + 128)
  }
  expect([machine.engine.count('reading'), machine.engine.count('writing')]).toEqual([8, 8])
  const trials = machine.changes.filter(({ threads }) => threads < 8)
  expect(trials.length).toBeLessThanOrEqual(12)
})

test('fewer threads write where that is faster, while prompts are read with all of them', async () => {
  const machine = simulate(8)
  machine.becomes((work, threads) => {
    if (work === 'reading') return 8 / threads
    return threads > 4 ? 30 : 60 / threads
  })
  await machine.chat(30_000)
  expect([machine.engine.count('reading'), machine.engine.count('writing')]).toEqual([8, 4])
  // The engine remembers that after a rest.
  machine.rest(60_000)
  await machine.chat(500)
  expect(machine.engine.count('writing')).toBe(4)
})

test('threads without gain are dropped, even if tokens are shorter than the clock’s resolution', async () => {
  const machine = simulate(2)
  machine.becomes((_, threads, random) => (threads === 2 ? 0.9 : 0.4) + random() * 0.3)
  await machine.chat(2_000)
  expect([machine.engine.count('reading'), machine.engine.count('writing')]).toEqual([1, 1])
})

test('short replies are enough to learn from', async () => {
  const machine = simulate(2)
  machine.becomes(machineWith({ cores: 2, oneThread: { reading: 1, writing: 6 } }))
  for (let times = 0; times < 20; times++) {
    await machine.read(64)
    await machine.write(6, 64)
    machine.rest(500)
  }
  const before = machine.changes.length
  for (let times = 0; times < 20; times++) {
    await machine.read(64)
    await machine.write(6, 64)
    machine.rest(500)
  }
  expect(machine.threads).toBe(2)
  expect(machine.changes.length).toBe(before)
})

test('a model that takes seconds per token is handled too', async () => {
  const tokenMs = machineWith({ cores: 4, busy: 2, oneThread: { reading: 300, writing: 3_000 } })
  const machine = simulate(4)
  machine.becomes(tokenMs)
  await machine.write(20)
  const { ms, tokens } = await machine.write(200, 20)
  expect(ms / tokens).toBeLessThan(fixedMs(tokenMs, 'writing', 2) * 1.25)
})

test('steps that give no information use the chosen number and change nothing', async () => {
  const counts: number[] = []
  let clock = 0
  const engine = adaptThreads(
    2,
    count => counts.push(count),
    () => clock,
    watchCores(
      () => clock,
      () => 0,
    ),
  )
  const step = (isTelling: boolean, ms: number) =>
    engine.run('writing', { position: 0, tokens: 1, isTelling }, async () => void (clock += ms))
  for (let times = 0; times < 7; times++) await step(true, 20)
  expect(counts.splice(0)).toEqual([2, 2, 2, 2, 2, 2, 2])
  // A trial of half the threads is running, and must not slow down a call.
  for (let times = 0; times < 5; times++) await step(false, 900)
  expect(counts.splice(0)).toEqual([2, 2, 2, 2, 2])
  for (let times = 0; times < 4; times++) await step(true, 30)
  expect(counts).toEqual([1, 1, 1, 2])
})

test('reading a few tokens is not learned from', async () => {
  const machine = simulate(2)
  machine.becomes(idle)
  await machine.chat(5_000)
  const before = machine.changes.length
  machine.becomes(() => 40)
  for (let times = 0; times < 5; times++) await machine.read(20)
  expect(machine.changes.length).toBe(before)
})

test('a failed step is not learned from, and its error is passed on', async () => {
  const machine = simulate(2)
  const broken = machine.engine.run('writing', { position: 0, tokens: 1, isTelling: true }, async () => {
    machine.rest(5_000)
    throw new Error('no more')
  })
  await expect(broken).rejects.toThrow('no more')
  machine.becomes(idle)
  await machine.write(100)
  expect(machine.engine.count('writing')).toBe(2)
})

test('a number set by the user never changes', async () => {
  const counts: number[] = []
  const threads = fixedThreads(3, count => counts.push(count))
  for (const ms of [1, 5, 1_000]) {
    const step = { position: 0, tokens: 1, isTelling: true }
    expect(await threads.run('writing', step, async () => ms)).toBe(ms)
    expect(threads.count('writing')).toBe(3)
    expect(counts.splice(0)).toEqual([3])
  }
})

test('whatever the times, at least one thread and at most the limit are used', async () => {
  const events = fc.array(
    fc.record({
      work: fc.constantFrom(...works),
      ms: fc.oneof(fc.double({ min: 0, max: 10_000, noNaN: true }), fc.constantFrom(10, 20, 200)),
      tokens: fc.integer({ min: 1, max: 256 }),
      position: fc.nat({ max: 10_000 }),
      isTelling: fc.boolean(),
      restMs: fc.constantFrom(0, 0, 0, 6_000, 60_000),
    }),
    { minLength: 20, maxLength: 200 },
  )
  let checked = 0
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 64 }),
      fc.boolean(),
      events,
      async (most, tellsIdle, steps) => {
        let clock = 0
        const counts: number[] = []
        const engine = adaptThreads(
          most,
          count => counts.push(count),
          () => clock,
          watchCores(
            () => clock,
            () => (tellsIdle ? 1 + clock / 2 : 0),
          ),
        )
        for (const { work, ms, restMs, ...at } of steps) {
          clock += restMs
          await engine.run(work, at, async () => void (clock += ms))
        }
        expect(counts.filter(count => !Number.isInteger(count) || count < 1 || count > most)).toEqual([])
        checked += counts.length
      },
    ),
  )
  expect(checked).toBeGreaterThan(500)
})

test('the numbers to try end with all but one and all', () => {
  expect(numbersUpTo(1)).toEqual([1])
  expect(numbersUpTo(2)).toEqual([1, 2])
  expect(numbersUpTo(8)).toEqual([1, 2, 3, 4, 6, 7, 8])
  expect(numbersUpTo(16)).toEqual([1, 2, 3, 4, 6, 8, 12, 15, 16])
})
