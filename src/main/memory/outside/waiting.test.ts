import { mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aNotebook, add, agent, done, you } from '../../../../testing/memory/a-notebook.ts'
import { isRefusal, namesIn } from '../../lib/expected-errors.ts'
import { memoryBlock } from '../memory-block.ts'
import type { Memory } from '../open-memory.ts'

let place: ReturnType<typeof aNotebook>
let memory: Memory
let clock: number

beforeEach(() => {
  place = aNotebook()
  clock = Date.now()
  memory = place.open({ now: () => clock })
})
afterEach(() => place[Symbol.dispose]())

const path = (name = 'USER.md') => join(place.home, 'memories', name)
const put = (text: string | Buffer, name?: string) => writeFileSync(path(name), text)
const texts = () => memory.view().entries.map(entry => entry.text)
const prompt = () => memoryBlock(memory.forChat('/tmp'))
const waits = () => memory.view().waiting.map(({ kind, fresh }) => ({ kind, fresh }))
const only = () => memory.view().waiting[0]!
const settle = (keep: 'mine' | 'theirs' | 'both' | 'these', entries: string[] = []) =>
  memory.settle({ id: only().id, seen: only().seen, keep, entries })
const removals = () =>
  place.store.memory.history({ limit: 50 }).revisions.filter(each => each.op === 'remove').length

const CONFLICT = [
  'Likes tea.',
  '§',
  '<<<<<<< HEAD',
  'Works with Ada.',
  '=======',
  'Works with Tom.',
  '>>>>>>> laptop',
  '',
].join('\n')

describe('a merge conflict', () => {
  beforeEach(() => {
    done(memory.change([add('Likes tea.'), add('Works with Ada.')], you))
    put(CONFLICT)
  })

  test('is not taken over: what was last good stays in use, both sides are shown, and it is told once', () => {
    const before = place.told()
    expect(texts()).toEqual(['Likes tea.', 'Works with Ada.'])
    expect(prompt()).not.toMatch(/Tom|<<<|>>>|HEAD/)
    expect(only()).toMatchObject({
      kind: 'conflict',
      fresh: false,
      mine: { label: 'HEAD', entries: ['Likes tea.', 'Works with Ada.'] },
      theirs: { label: 'laptop', entries: ['Likes tea.', 'Works with Tom.'] },
    })
    expect(removals()).toBe(0)
    expect(memory.view().outside).toEqual([])
    expect(place.told() - before).toBe(1)
  })

  test('mine is the side that is most like what is in use, as after a rebase', () => {
    put(CONFLICT.replace('Ada', 'X').replace('Tom', 'Ada').replace('X', 'Tom'))
    expect(only().mine).toEqual({ label: 'laptop', entries: ['Likes tea.', 'Works with Ada.'] })
  })

  test.for([
    ['mine', [], ['Likes tea.', 'Works with Ada.']],
    ['theirs', [], ['Likes tea.', 'Works with Tom.']],
    ['both', [], ['Likes tea.', 'Works with Ada.', 'Works with Tom.']],
    ['these', ['Works with Ada and Tom.'], ['Works with Ada and Tom.']],
  ] as const)('the person chooses %s', ([keep, entries, expected]) => {
    expect(isRefusal(settle(keep, [...entries]))).toBe(false)
    expect(texts()).toEqual(expected)
    expect(place.file()).toBe(`${expected.join('\n§\n')}\n`)
    expect([waits(), memory.view().outside]).toEqual([[], []])
    const copy =
      namesIn(path('..')).length > 0 &&
      namesIn(join(place.home, 'memories')).find(name => name.includes('.bak.'))
    expect(place.file(String(copy))).toBe(CONFLICT)
  })

  test('keeps each of several new entries of the other side, also in the file after the next change', () => {
    put(CONFLICT.replace('Works with Tom.', 'Works with Tom.\n§\nOwns a boat.\n§\nOwns a bike.'))
    expect(isRefusal(settle('both'))).toBe(false)
    const all = ['Likes tea.', 'Works with Ada.', 'Works with Tom.', 'Owns a boat.', 'Owns a bike.']
    expect(texts()).toEqual(all)
    expect(new Set(memory.view().entries.map(({ id }) => id)).size).toBe(all.length)
    done(memory.change([add('A cat.')], you))
    expect(place.file()).toBe(`${[...all, 'A cat.'].join('\n§\n')}\n`)
  })

  test('of both sides what is said in the same words is kept once, and what looks like a key is no word to a model', () => {
    put(CONFLICT.replace('Works with Tom.', 'The user works with Ada.\n§\nMy password is Sommer2026!x'))
    expect(isRefusal(settle('both'))).toBe(false)
    expect(texts()).toEqual(['Likes tea.', 'Works with Ada.', 'My password is Sommer2026!x'])
    expect(prompt()).not.toContain('Sommer')
    expect(memory.view().entries[2]?.blocked).toBe('looks like a password or a key')
  })

  test('is left alone by changes, which say why', () => {
    expect(memory.change([add('Has a dog.')], agent)).toEqual({
      refused: expect.stringMatching(
        /two versions that a program could not merge.*talaria memory settle/,
      ) as string,
    })
    expect(place.file()).toBe(CONFLICT)
    done(memory.change([add('The build is make.', 'memory')], agent))
  })

  test('that changed since it was shown is not settled', () => {
    const { id, seen } = only()
    put(CONFLICT.replace('Tom', 'Tim'))
    expect(memory.settle({ id, seen, keep: 'theirs', entries: [] })).toMatchObject({ conflict: true })
    expect(texts()).toEqual(['Likes tea.', 'Works with Ada.'])
    expect(settle('these', ['<<<<<<< HEAD\nx'])).toMatchObject({
      refused: expect.stringContaining('merge conflict') as string,
    })
  })

  test('that the person mends in the file is taken over as any edit', () => {
    expect(waits()).toHaveLength(1)
    put('Likes tea.\n§\nWorks with Ada and Tom.\n')
    expect(texts()).toEqual(['Likes tea.', 'Works with Ada and Tom.'])
    expect(waits()).toEqual([])
  })

  test('outlives a restart', () => {
    memory = place.open({ now: () => clock })
    expect(texts()).toEqual(['Likes tea.', 'Works with Ada.'])
    expect(waits()).toEqual([{ kind: 'conflict', fresh: false }])
  })

  test('in the first file that was ever read has no last good state, and nothing of it is used', () => {
    put(CONFLICT, 'MEMORY.md')
    expect(prompt()).not.toMatch(/Tom|<<<|>>>/)
    expect(memory.view().waiting).toHaveLength(2)
  })
})

test('an entry with lines of a conflict from before is withheld, and none is saved', () => {
  const marks = '<<<<<<< HEAD\nWorks with Ada.\n=======\nWorks with Tom.\n>>>>>>> x'
  done(memory.change([add('Works with Ada.')], you))
  const [entry] = place.store.memory.entries()
  place.store.memory.commit({ entries: [{ ...entry!, text: marks }], revisions: [], files: [] })
  expect(memory.view().entries).toMatchObject([{ blocked: 'holds lines of a merge conflict' }])
  expect(prompt()).not.toContain('Tom')
  expect(memory.change([add(marks)], agent)).toMatchObject({
    refused: expect.stringContaining('merge conflict') as string,
  })
})

/** Ways in which a file becomes empty or goes missing. */
const AWAY: [name: string, kind: 'empty' | 'missing', act: () => void][] = [
  ['is truncated', 'empty', () => put('')],
  ['contains only blank space', 'empty', () => put(' \n\t\n\n')],
  ['holds only a byte order mark', 'empty', () => put('\uFEFF')],
  ['holds only separators', 'empty', () => put('§\n§\n')],
  ['holds only line feeds of Windows', 'empty', () => put('\r\n\r\n')],
  ['holds only the marks of UTF-16', 'empty', () => put(Buffer.from([0xff, 0xfe]))],
  ['is removed', 'missing', () => unlinkSync(path())],
  ['is moved away', 'missing', () => renameSync(path(), path('old-file'))],
  ['goes with its folder', 'missing', () => rmSync(join(place.home, 'memories'), { recursive: true })],
  ['is replaced by a placeholder of iCloud', 'missing', () => renameSync(path(), path('.USER.md.icloud'))],
]

describe.each(AWAY)('a file that %s', (_, kind, act) => {
  const lock = () => {
    const [first] = done(memory.change([add('Likes tea.'), add('Has a dog.')], agent))
    done(memory.change([{ kind: 'lock', id: first!.entryId, locked: true }], you))
    memory.used(memory.view().entries)
    const was = memory.view().entries
    return { was, content: place.file() }
  }

  test('is waited for: nothing is archived, and what comes back is what was there', () => {
    const { was, content } = lock()
    act()
    expect(memory.view().entries).toEqual(was)
    expect(prompt()).toContain('Likes tea.')
    expect(waits()).toEqual([{ kind, fresh: true }])
    clock += 20 * 60_000
    expect(waits()).toEqual([{ kind, fresh: false }])
    mkdirSync(join(place.home, 'memories'), { recursive: true })
    put(content)
    expect(memory.view().entries).toEqual(was)
    expect([removals(), waits(), memory.view().outside]).toEqual([0, [], []])
  })

  test('is asked about after a while, and then kept or forgotten', () => {
    const { content } = lock()
    act()
    expect(memory.change([add('Has a cat.')], agent)).toMatchObject({ refused: expect.any(String) as string })
    clock += 60_000
    done(settle('mine'))
    expect(place.file()).toBe(content)
    put('')
    clock += 60_000
    const forgotten = done(settle('theirs'))
    expect([texts(), forgotten.length]).toEqual([[], 2])
    done(
      memory.undo(
        forgotten.map(each => each.id),
        you,
      ),
    )
    expect(place.file()).toBe(content)
  })
})

test('entries that another program removed and put back are the same ones, and the rest stays', () => {
  const [tea] = done(memory.change([add('Likes tea.'), add('Has a dog.')], agent))
  done(memory.change([{ kind: 'lock', id: tea!.entryId, locked: true }], you))
  const before = memory.view().entries
  put('Has a dog.\n')
  expect(texts()).toEqual(['Has a dog.'])
  put('Likes tea.\n§\nHas a dog.\n')
  const [back] = memory.view().entries
  const { updatedAt: _now, ...same } = before[0]!
  expect(back).toMatchObject(same)
  expect(place.store.memory.history({ limit: 1 }).revisions).toMatchObject([
    { op: 'restore', actor: 'file', entryId: tea!.entryId },
  ])
})

test('a program that writes a file again and again makes one card and few revisions, and its last word counts', () => {
  done(memory.change([add('Likes tea.')], you))
  const from = place.store.memory.history({ limit: 1 }).revisions[0]!.id
  const told = place.told()
  for (let second = 0; second < 40; second++) {
    put(`Likes tea.\n§\nThe time is ${second}.\n`)
    clock = Date.now()
    memory.sync()
  }
  const { waiting, outside } = memory.view()
  expect([waiting.length, outside.length]).toEqual([1, 0])
  expect(waiting[0]).toMatchObject({
    kind: 'restless',
    theirs: { entries: ['Likes tea.', 'The time is 39.'] },
  })
  expect(
    place.store.memory.history({ limit: 50 }).revisions.filter(each => each.id > from).length,
  ).toBeLessThan(6)
  expect(place.told() - told).toBeLessThan(6)
  expect(prompt()).toContain('The time is 1.')
  clock = Date.now() + 150_000
  expect(texts()).toEqual(['Likes tea.', 'The time is 39.'])
  expect(memory.view().waiting).toEqual([])
  expect(memory.view().outside).toMatchObject([
    { before: 'Likes tea.\n', after: 'Likes tea.\n§\nThe time is 39.\n' },
  ])
})

test('a clock that jumps keeps what waits waiting, and asks again', () => {
  done(memory.change([add('Likes tea.')], you))
  put('')
  expect(waits()).toEqual([{ kind: 'empty', fresh: true }])
  clock -= 10 * 365 * 86_400_000
  expect(waits()).toEqual([{ kind: 'empty', fresh: true }])
  clock = Date.UTC(2099, 0)
  expect(waits()).toEqual([{ kind: 'empty', fresh: false }])
  expect(texts()).toEqual(['Likes tea.'])
})
