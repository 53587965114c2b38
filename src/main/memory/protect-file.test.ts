import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aStore } from '../../../testing/db/a-store.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { openMemory } from './open-memory.ts'
import type { ChangedBy } from './plan-change.ts'

const agent: ChangedBy = { actor: 'agent', sessionId: 's', messageId: 1, reviewId: null }
const you: ChangedBy = { ...agent, actor: 'you' }
/** More than the limit of either file, without a line with “§” in it. */
const APPENDED = `Uses npm.\n${'Written by another program. '.repeat(12)}`.trim()

/** A notebook whose files another program has written. */
function aNotebook(files: Record<string, string>) {
  const store = aStore()
  const folder = join(store.home, 'memories')
  mkdirSync(folder, { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  for (const [name, text] of Object.entries(files)) write(name, text)
  let seconds = 1_700_000_000
  const open = () =>
    openMemory({
      home: store.home,
      store: store.memory,
      limits: () => ({ user: 100, memory: 200 }),
      now: () => (seconds += 1) * 1_000,
      count: text => text.length,
      onChange: () => {},
    })
  const memory = open()
  return {
    memory,
    open,
    store,
    write,
    names: () => readdirSync(folder).toSorted(),
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    idOf: (part: string) => memory.view().entries.find(entry => entry.text.includes(part))!.id,
    [Symbol.dispose]: () => store[Symbol.dispose](),
  }
}

test.for(['MEMORY.md', 'USER.md'])(
  'what another program appended to %s without separators is not replaced, and a copy is kept',
  name => {
    using notebook = aNotebook({ [name]: APPENDED })
    const { memory, names, read, idOf } = notebook
    for (const change of [
      { kind: 'edit', id: idOf('npm'), text: 'Uses bun.' },
      { kind: 'remove', id: idOf('npm') },
    ] as const) {
      const expected = {
        refused: expect.stringMatching(/an entry of \d+ characters.*A copy is in .*\.bak\./) as string,
      }
      expect(memory.check([change], agent)).toMatchObject(expected)
      expect(memory.change([change], agent)).toMatchObject(expected)
    }
    expect(read(name)).toBe(APPENDED)
    const copies = names().filter(each => each !== name)
    expect(copies).toEqual([expect.stringMatching(new RegExp(`^${name}\\.bak\\.\\d{10}$`)) as string])
    expect(read(copies[0]!)).toBe(APPENDED)

    // The user may split it, and then agents may change it again.
    expect(isRefusal(memory.change([{ kind: 'edit', id: idOf('npm'), text: 'Uses npm.' }], you))).toBe(false)
    expect(isRefusal(memory.change([{ kind: 'edit', id: idOf('npm'), text: 'Uses bun.' }], agent))).toBe(
      false,
    )
    expect(read(name)).toBe('Uses bun.\n')
  },
)

test('of several versions of a protected file the five newest copies are kept', () => {
  using notebook = aNotebook({})
  const { memory, write, names, idOf } = notebook
  for (let version = 1; version <= 7; version++) {
    write('MEMORY.md', `${APPENDED} Version ${version}.`)
    memory.change([{ kind: 'remove', id: idOf(`Version ${version}`) }], agent)
  }
  expect(names()).toHaveLength(6)
})

test('of equal entries on disk the first one stays, and the file loses the others with the next change', () => {
  using notebook = aNotebook({ 'MEMORY.md': 'same\n§\nother\n§\nsame\n' })
  const { memory, read } = notebook
  const texts = () => memory.view().entries.map(entry => entry.text)
  expect(texts()).toEqual(['same', 'other'])
  memory.change([{ kind: 'add', target: 'memory', project: null, text: 'new' }], agent)
  expect(read('MEMORY.md')).toBe('same\n§\nother\n§\nnew\n')
  notebook.write('MEMORY.md', 'same\n§\nnew\n§\nnew\n§\nsame\n')
  expect(texts()).toEqual(['same', 'new'])
})

test('equal entries that an older version kept are joined, and no other program is blamed', () => {
  using notebook = aNotebook({ 'MEMORY.md': 'same\n§\nother\n' })
  const { memory, open, store } = notebook
  const [first] = memory.view().entries
  store.memory.commit({ entries: [{ ...first!, id: `${first!.id}-twin` }], revisions: [], files: [] })
  expect(memory.view().entries).toHaveLength(3)
  const again = open()
  expect(again.view().entries.map(entry => entry.id)).toEqual([first!.id, memory.view().entries[1]!.id])
  expect(again.view().outside).toEqual([])
})

test('a file over its limit is kept, and the view names it', () => {
  const long = ['a', 'b', 'c'].map(letter => letter.repeat(90))
  using notebook = aNotebook({ 'MEMORY.md': long.join('\n§\n'), 'USER.md': 'Likes tea.' })
  const { memory, names } = notebook
  const [oversized, ...others] = memory.view().oversized
  expect(others).toEqual([])
  expect(oversized).toEqual({
    path: expect.stringMatching(/MEMORY\.md$/) as string,
    used: 276,
    limit: 200,
    longest: 90,
  })
  expect(memory.forChat('/desk').notes.map(entry => entry.text)).toEqual(long)
  expect(names()).toEqual(['MEMORY.md', 'USER.md'])
})
