import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { aChat, aStore, user } from '../../../testing/db/a-store.ts'
import type { FileChange } from '../db/chats/file-change-tables.ts'
import { replaceKept } from '../tools/files/run-file-job.ts'
import { contentAfterGoingBack, contentBeforeCalls } from './judge-changes.ts'
import { openChangedFiles } from './open-changed-files.ts'

const everywhere = { isOnPath: () => false }

/** A chat in a folder, whose tools write files with these limits of copies. */
function aFolderOfAChat(limits = { each: 100, bytes: 250, count: 5 }) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-changed-')))
  const folder = join(home, 'workspace')
  const store = aStore()
  const { id: sessionId } = aChat(store)
  store.messages.append(user(sessionId, 'Do it.'))
  const files = openChangedFiles({ home, store: store.fileChanges, now: Date.now, limits })
  const keepCopy = (path: string, content: string | Uint8Array) =>
    files.keep({ sessionId, callId: 'call_1', folder }, path, content)
  return {
    home,
    files,
    store,
    sessionId,
    copies: join(home, 'file-copies', sessionId),
    path: (name: string) => join(folder, name),
    async write(name: string, content: string | Uint8Array) {
      const path = join(folder, name)
      expect(await replaceKept({ keepCopy }, { path, given: name, name }, content)).toBeUndefined()
    },
    list: () => files.list(sessionId, everywhere),
    [Symbol.dispose]() {
      store[Symbol.dispose]()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

test('a large file is changed without a copy, and its entry says so', async () => {
  using made = aFolderOfAChat()
  await made.write('a', 'x'.repeat(101))
  const [first] = made.store.fileChanges.list(made.sessionId)
  await made.write('a', 'small')
  const looking = { isOnPath: ({ id }: FileChange) => id === first!.id }
  expect(await made.files.list(made.sessionId, looking)).toMatchObject([
    { name: 'a', problem: 'It was larger than 100 bytes, so no copy of it was kept.' },
  ])
  expect(existsSync(made.copies)).toBe(false)
})

test('the oldest copies are given up for room, and their files say so', async () => {
  using made = aFolderOfAChat({ each: 100, bytes: 1_000, count: 2 })
  for (const name of ['a', 'b', 'c']) await made.write(name, `old ${name}`)
  const before = made.store.fileChanges.list(made.sessionId)
  for (const name of ['a', 'b', 'c']) await made.write(name, `new ${name}`)
  expect(readdirSync(made.copies)).toHaveLength(2)
  expect(made.store.fileChanges.kept()).toEqual({ count: 2, bytes: 10 })
  const looking = { isOnPath: ({ id }: FileChange) => before.some(each => each.id === id) }
  const files = await made.files.list(made.sessionId, looking)
  expect(files.map(({ name, problem }) => [name, problem])).toEqual([
    ['a', 'The copy of its earlier content no longer exists.'],
    ['b', null],
    ['c', null],
  ])
})

test('a file that is not text is restored whole, and shown by its size', async () => {
  using made = aFolderOfAChat()
  const picture = Uint8Array.from({ length: 90 }, (_, n) => n % 7)
  await made.write('a.png', picture)
  made.store.messages.append(user(made.sessionId, 'And then?'))
  await made.write('a.png', 'no picture')
  const changes = made.store.fileChanges.list(made.sessionId)
  const [first] = changes
  const looking = { isOnPath: ({ id }: FileChange) => id === first!.id }
  const files = await made.files.list(made.sessionId, looking)
  expect(files).toMatchObject([{ diff: null, note: 'It is not text; the old content has 90 bytes.' }])
  await made.files.restore(made.sessionId, files)
  expect(Uint8Array.from(readFileSync(made.path('a.png')))).toEqual(picture)
})

test('a file of which no copy can be kept stays as it is', async () => {
  using made = aFolderOfAChat()
  await made.write('a', 'one')
  rmSync(join(made.home, 'file-copies'), { recursive: true, force: true })
  writeFileSync(join(made.home, 'file-copies'), 'in the way')
  const by = { sessionId: made.sessionId, callId: 'call_2', folder: made.path('.') }
  const keepCopy = (path: string, content: string | Uint8Array) => made.files.keep(by, path, content)
  const file = { path: made.path('a'), given: 'a', name: 'a' }
  expect(await replaceKept({ keepCopy }, file, 'two')).toMatchObject({
    ok: false,
    reason: expect.stringContaining('Nothing was changed, because no copy of the old content could be kept'),
  })
  expect(readFileSync(made.path('a'), 'utf8')).toBe('one')
})

test('after any changes by branches, by hand and by restoring, a file becomes what its path says, or stays', () => {
  const counted = { restored: 0, kept: 0 }
  const step = fc.record({
    who: fc.constantFrom('here', 'there', 'hand', 'unmade', 'restore'),
    content: fc.constantFrom('a', 'b', 'c', 'd', null),
  })
  fc.assert(
    fc.property(fc.constantFrom('a', null), fc.array(step, { maxLength: 12 }), (start, steps) => {
      let now: string | null = start
      const changes: FileChange[] = []
      const isOnPath = ({ isOnPath: on }: FileChange) => on
      const hands: (string | null)[] = []
      for (const { who, content } of steps) {
        if (who === 'hand') {
          now = content
          hands.push(content)
          continue
        }
        let after: string | null = content
        if (who === 'restore') {
          const fate = contentAfterGoingBack(changes, now, isOnPath)
          if (typeof fate === 'string') continue
          after = fate.target
        }
        const callId = who === 'restore' ? null : 'call'
        const row = {
          id: changes.length,
          beforeHash: now,
          afterHash: after,
          callId,
          isOnPath: who !== 'there',
        }
        changes.push(row as FileChange)
        if (who !== 'unmade') now = after
      }
      const fate = contentAfterGoingBack(changes, now, isOnPath)
      if (typeof fate === 'string') {
        counted.kept++
        return
      }
      counted.restored++
      // The target is a content that the file once had, and restoring it settles the matter.
      expect([start, ...hands, ...changes.map(({ afterHash }) => afterHash)]).toContain(fate.target)
      const restored = { beforeHash: now, afterHash: fate.target, callId: null, isOnPath: true } as FileChange
      expect(contentAfterGoingBack([...changes, restored], fate.target, isOnPath)).toBe('as it should be')
    }),
    { numRuns: 2_000 },
  )
  expect(counted.restored).toBeGreaterThan(100)
  expect(counted.kept).toBeGreaterThan(100)
})

/** Changes of one file, oldest first: the call (null for a restore), the content before and after. */
const changesOf = (...steps: [callId: string | null, from: string | null, to: string | null][]) =>
  steps.map(
    ([callId, beforeHash, afterHash], id) =>
      ({ id, callId, beforeHash, afterHash, isOnPath: true }) as FileChange,
  )
const takingBack = (changes: FileChange[], now: string | null, ...calls: string[]) =>
  contentBeforeCalls(changes, now, ({ callId }) => calls.includes(callId ?? ''))

test('a file becomes what it was before the newest changes in a row that certain calls made', () => {
  const made = changesOf(['a', null, 'A'], ['b', 'A', 'B'], ['c', 'B', 'C'])
  expect(takingBack(made, 'C', 'c')).toEqual({ target: 'B' })
  expect(takingBack(made, 'C', 'b', 'c')).toEqual({ target: 'A' })
  expect(takingBack(made, 'C', 'a', 'c')).toEqual({ target: 'B' })
  expect(takingBack(made, 'C', 'a')).toBe('changed by a later answer')
  expect(takingBack(made, 'mine', 'c')).toBe('changed since')
  expect(takingBack(made, null, 'c')).toBe('changed since')
  expect(takingBack(made, 'C', 'other')).toBe('not theirs')
  const elsewhere = made.map((change, at) => ({ ...change, isOnPath: at < 2 }))
  expect(takingBack(elsewhere, 'C', 'b')).toBe('changed on another branch')
  // Undoing two calls keeps an edit made by hand between them.
  expect(takingBack(changesOf(['a', 'A', 'B'], ['b', 'mine', 'C']), 'C', 'a', 'b')).toEqual({
    target: 'mine',
  })
})

test('what was taken back is as before, makes room for what is below it, and can be taken back again after Redo', () => {
  const made = changesOf(['a', null, 'A'], ['b', 'A', 'B'], [null, 'B', 'A'])
  expect(takingBack(made, 'A', 'b')).toBe('as before')
  expect(takingBack(made, 'A', 'a')).toEqual({ target: null })
  const redone = [...made, ...changesOf([null, 'A', 'B'])]
  expect(takingBack(redone, 'B', 'b')).toEqual({ target: 'A' })
  expect(takingBack(redone, 'B', 'a')).toBe('changed by a later answer')
  // The file was restored or deleted by hand.
  expect(takingBack(changesOf(['a', null, 'A'], ['b', 'A', 'B']), 'A', 'b')).toBe('as before')
  expect(takingBack(changesOf(['a', null, 'A']), null, 'a')).toBe('as before')
  // Both turns were undone together, for example with their branch.
  expect(takingBack(changesOf(['a', null, 'A'], ['b', 'A', 'B'], [null, 'B', null]), null, 'b')).toBe(
    'as before',
  )
})

test('after any changes, taking calls back leads to a content that the file had, settles it, and Redo reopens it', () => {
  const counted = { taken: 0, kept: 0 }
  const step = fc.record({
    who: fc.constantFrom('ours', 'theirs', 'hand', 'back', 'redo'),
    content: fc.constantFrom('a', 'b', 'c', 'd', null),
  })
  const isOurs = ({ callId }: FileChange) => callId === 'ours'
  fc.assert(
    fc.property(fc.constantFrom('a', null), fc.array(step, { maxLength: 12 }), (start, steps) => {
      let now: string | null = start
      const had: (string | null)[] = [start]
      const changes: FileChange[] = []
      const add = (callId: string | null, after: string | null) => {
        const row = { id: changes.length, beforeHash: now, afterHash: after, callId, isOnPath: true }
        changes.push(row as FileChange)
        now = after
        had.push(after)
      }
      for (const { who, content } of steps) {
        if (who === 'hand') had.push((now = content))
        else if (who === 'ours' || who === 'theirs') add(who, content)
        else {
          const last = changes.at(-1)
          const fate = contentBeforeCalls(changes, now, isOurs)
          if (who === 'redo' && last?.callId === null && last.afterHash === now) add(null, last.beforeHash)
          else if (typeof fate !== 'string') add(null, fate.target)
        }
      }
      const fate = contentBeforeCalls(changes, now, isOurs)
      if (typeof fate === 'string') return void counted.kept++
      counted.taken++
      expect(had).toContain(fate.target)
      const left = now
      add(null, fate.target)
      expect(contentBeforeCalls(changes, now, isOurs)).not.toBe('not theirs')
      add(null, left)
      expect(contentBeforeCalls(changes, now, isOurs)).toEqual(fate)
    }),
    { numRuns: 2_000 },
  )
  expect(counted.taken).toBeGreaterThan(100)
  expect(counted.kept).toBeGreaterThan(100)
})
