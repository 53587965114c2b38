import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Fault } from '../../shared/rpc.ts'
import { aNotebook, add, agent, done, you } from '../../../testing/memory/a-notebook.ts'
import type { Store } from '../db/store.ts'
import type { Memory } from './open-memory.ts'

const texts = (memory: Memory) => memory.view().entries.map(entry => entry.text)
const noSpace = (code = 'ENOSPC') => Object.assign(new Error('no space'), { code })
const databaseFull = (): never => {
  throw new Fault('not_ready', 'The disk is full.')
}

/** A store that keeps no change while `isFull` says so. */
const fullStore = (own: Store['memory'], isFull: () => boolean): Store['memory'] => ({
  ...own,
  commit: change => (isFull() ? databaseFull() : own.commit(change)),
})

test('a full disk is reported, and existing entries stay', () => {
  using notebook = aNotebook()
  done(notebook.open().change([add('Uses pnpm.')], agent))
  const memory = notebook.open({
    write: () => {
      throw noSpace()
    },
  })
  expect(memory.change([add('Lives in Bern.')], agent)).toMatchObject({
    refused: expect.stringContaining('the disk is full') as string,
  })
  expect(notebook.file()).toBe('Uses pnpm.\n')
  expect(notebook.store.memory.pending()).toBeUndefined()
})

test('when the database is full, the file is put back and the next change is saved', () => {
  using notebook = aNotebook()
  const own = notebook.store.memory
  done(notebook.open().change([add('Uses pnpm.')], agent))
  let isFull = true
  const memory = notebook.open({ store: fullStore(own, () => isFull) })
  expect(memory.change([add('Lives in Bern.')], agent)).toEqual({ refused: 'Not saved: The disk is full.' })
  expect([notebook.file(), texts(memory), own.pending()]).toEqual(['Uses pnpm.\n', ['Uses pnpm.'], undefined])
  isFull = false
  done(memory.change([add('Has a dog.')], agent))
  expect(notebook.file()).toBe('Uses pnpm.\n§\nHas a dog.\n')
})

test('when the file cannot be put back either, the change waits for room and is then in the history', () => {
  using notebook = aNotebook()
  const own = notebook.store.memory
  done(notebook.open().change([add('Uses pnpm.')], agent))
  let isFull = true
  const memory = notebook.open({
    store: fullStore(own, () => isFull),
    write(path, text) {
      if (isFull && !text.includes('Bern')) throw noSpace('EDQUOT')
      writeFileSync(path, text)
    },
  })
  expect(memory.change([add('Lives in Bern.')], agent)).toEqual({
    refused: expect.stringMatching(/has the change already, the history has not/) as string,
  })
  // Until there is space no change is accepted, but known entries stay readable.
  expect(memory.change([add('Has a dog.')], agent)).toEqual({
    refused: expect.stringMatching(/^Not saved: the disk is full/) as string,
  })
  expect(texts(memory)).toEqual(['Uses pnpm.'])
  isFull = false
  expect(texts(memory)).toEqual(['Uses pnpm.', 'Lives in Bern.'])
  expect(memory.history({ limit: 10 }).revisions[0]).toMatchObject({ op: 'add', after: 'Lives in Bern.' })
  expect(own.pending()).toBeUndefined()
})

test('when a change cannot even be begun, nothing is written', () => {
  using notebook = aNotebook()
  const memory = notebook.open({ store: { ...notebook.store.memory, begin: databaseFull } })
  expect(memory.change([add('Uses pnpm.')], agent)).toEqual({ refused: 'Not saved: The disk is full.' })
  expect(existsSync(join(notebook.home, 'memories', 'USER.md'))).toBe(false)
})

test('a crash between writing two files is completed at the next start', () => {
  using notebook = aNotebook()
  const [first] = done(notebook.open().change([add('Uses pnpm.')], agent))
  const move = { kind: 'move', id: first!.entryId, target: 'memory', project: null } as const
  const killed = notebook.open({
    write: (path, text) => {
      if (path.endsWith('MEMORY.md')) throw new Error('killed')
      writeFileSync(path, text)
    },
  })
  expect(() => killed.change([move], you)).toThrow('killed')
  const memory = notebook.open()
  expect([notebook.file(), notebook.file('MEMORY.md')]).toEqual(['', 'Uses pnpm.\n'])
  expect(memory.view().entries).toMatchObject([{ target: 'memory', text: 'Uses pnpm.' }])
})

test('a change that was begun while the home was elsewhere is finished here, and nothing is written there', () => {
  using there = aNotebook()
  using here = aNotebook()
  done(there.open().change([add('Uses pnpm.')], you))
  done(here.open().change([add('Uses pnpm.')], you))
  const path = join(there.home, 'memories', 'USER.md')
  const files = [{ path, before: 'Uses pnpm.\n', after: 'Uses pnpm.\n§\nHas a dog.\n' }]
  here.store.memory.begin(JSON.stringify({ files, entries: [], revisions: [] }))
  here.open()
  expect([there.file(), here.file()]).toEqual(['Uses pnpm.\n', 'Uses pnpm.\n§\nHas a dog.\n'])
})

test('a change that an older version began, whose revisions know of no merges, is completed', () => {
  using notebook = aNotebook()
  const [added] = done(notebook.open().change([add('Uses pnpm.')], you))
  const { id: _id, undoneBy: _undoneBy, mergeId: _mergeId, ...older } = added!
  const revision = { ...older, op: 'edit', before: 'Uses pnpm.', after: 'Uses bun.' } as const
  notebook.store.memory.begin(JSON.stringify({ files: [], entries: [], revisions: [revision] }))
  expect(notebook.open().history({ limit: 1 }).revisions).toMatchObject([
    { after: 'Uses bun.', mergeId: null },
  ])
})
