import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aNotebook, add, done, you } from '../../../../testing/memory/a-notebook.ts'
import { memoryBlock } from '../memory-block.ts'
import type { Memory } from '../open-memory.ts'
import { examineNotes } from './examine-notes.ts'

let place: ReturnType<typeof aNotebook>
let memory: Memory

beforeEach(() => {
  place = aNotebook()
  memory = place.open()
  done(memory.change([add('Likes tea.')], you))
})
afterEach(() => place[Symbol.dispose]())

const path = (...names: string[]) => join(place.home, 'memories', ...names)
const put = (name: string, text: string | Buffer) => writeFileSync(path(name), text)
const texts = () => memory.view().entries.map(entry => entry.text)
const settle = (at: number, keep: 'mine' | 'theirs' | 'both' | 'these', entries: string[] = []) => {
  const { id, seen } = memory.view().waiting[at]!
  return memory.settle({ id, seen, keep, entries })
}

test('a copy is named with what is new in it, is not used, and is not asked about again once it is settled', () => {
  put('USER 2.md', 'Likes tea.\n§\nMoved to Bern.\n')
  expect(memory.view().waiting).toMatchObject([
    {
      kind: 'copy',
      path: path('USER 2.md'),
      by: 'iCloud Drive or the Finder',
      mine: { entries: ['Likes tea.'] },
      theirs: { entries: ['Likes tea.', 'Moved to Bern.'] },
    },
  ])
  expect(memoryBlock(memory.forChat('/tmp'))).not.toContain('Bern')
  done(settle(0, 'both'))
  expect(texts()).toEqual(['Likes tea.', 'Moved to Bern.'])
  expect(place.file('USER 2.md')).toBe('Likes tea.\n§\nMoved to Bern.\n')
  expect(memory.view().waiting).toEqual([])
  memory = place.open()
  expect(memory.view().waiting).toEqual([])
  put('USER 2.md', 'Moved to Biel.\n')
  expect(memory.view().waiting).toHaveLength(1)
  done(settle(0, 'mine'))
  expect([texts(), memory.view().waiting]).toEqual([['Likes tea.', 'Moved to Bern.'], []])
})

test('single entries of a copy are taken over, and taken back as any change', () => {
  put('USER (conflicted copy 2026-03-01).md', 'Moved to Bern.\n§\nHas a dog.\n§\nHas a car.\n')
  const changed = done(settle(0, 'these', ['Likes tea.', 'Has a dog.']))
  expect(texts()).toEqual(['Likes tea.', 'Has a dog.'])
  done(
    memory.undo(
      changed.map(each => each.id),
      you,
    ),
  )
  expect(texts()).toEqual(['Likes tea.'])
})

test('copies in other folders, of other kinds and by other programs are found', () => {
  mkdirSync(join(place.home, 'memories 2'))
  writeFileSync(join(place.home, 'memories 2', 'USER.md'), 'Moved to Bern.\n')
  const { id } = memory.project('/desk/garden')
  mkdirSync(path('projects', id), { recursive: true })
  writeFileSync(path('projects', id, 'MEMORY (1).md'), 'Bed 3.\n')
  put('MEMORY-LAPTOP.md', 'The build is make.\n')
  put('.USER 3.md.icloud', Buffer.from('bplist00'))
  put('USER.sync-conflict-20260301-101112-ABCDEFG.md', '<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> x\n')
  const found = memory.view().waiting.map(({ target, project, by, reason, theirs }) => ({
    place: `${target} ${project === null ? '' : 'project'}`.trim(),
    by,
    reason,
    texts: theirs.entries,
  }))
  expect(found).toEqual([
    { place: 'user', by: 'iCloud Drive', reason: 'it is in iCloud and not on this computer', texts: [] },
    { place: 'memory', by: 'OneDrive', reason: null, texts: ['The build is make.'] },
    { place: 'user', by: 'Syncthing', reason: null, texts: ['A', 'B'] },
    { place: 'memory project', by: 'Google Drive or a browser', reason: null, texts: ['Bed 3.'] },
    { place: 'user', by: null, reason: null, texts: ['Moved to Bern.'] },
  ])
})

test('a copy that is too long, a folder or not text is named, and nothing of it is read', () => {
  put('USER 2.md', 'x'.repeat(300_000))
  mkdirSync(path('USER 3.md'))
  put('USER 4.md', Buffer.from([0, 1, 2, 3, 0, 200]))
  symlinkSync('/dev/zero', path('USER 5.md'))
  const reasons = memory.view().waiting.map(({ reason, theirs }) => [reason, theirs.entries])
  expect(reasons).toEqual([
    ['it is far too long for notes (300 kB)', []],
    ['it is a folder', []],
    [expect.stringContaining('not UTF-8'), []],
    ['it is no file, but a pipe, a device or the like', []],
  ])
})

test('a copy waits until the file itself is settled', () => {
  put('USER 2.md', 'Moved to Bern.\n')
  put('USER.md', '<<<<<<< HEAD\nLikes tea.\n=======\nLikes coffee.\n>>>>>>> x\n')
  expect(settle(1, 'both')).toMatchObject({
    refused: expect.stringMatching(/^Settle .*USER\.md first/) as string,
  })
  done(settle(0, 'both'))
  done(settle(0, 'both'))
  expect(texts()).toEqual(['Likes tea.', 'Likes coffee.', 'Moved to Bern.'])
})

test('the doctor names conflicts, copies, empty and unreadable files, and is content without', () => {
  expect(examineNotes(place.home)).toEqual({ count: 1, troubles: [] })
  put('USER 2.md', 'Moved to Bern.\n')
  put('USER.md', '<<<<<<< HEAD\nLikes tea.\n=======\nLikes coffee.\n>>>>>>> x\n')
  put('MEMORY.md', ' \n')
  const said = () => examineNotes(place.home).troubles.map(({ text }) => text.replace(`${path()}/`, ''))
  expect(said()).toEqual([
    'USER.md contains lines of a merge conflict.',
    'MEMORY.md contains only blank space.',
    'USER 2.md is probably a copy that iCloud Drive or the Finder left. Talaria does not use it.',
  ])
  unlinkSync(path('USER.md'))
  put('.USER.md.icloud', '')
  put('MEMORY.md', Buffer.from([0xff, 0xfe, 0x41]))
  expect(said().slice(0, 2)).toEqual([
    'USER.md is in iCloud and not on this computer.',
    expect.stringMatching(/^MEMORY\.md cannot be read: it is not UTF-8 text/),
  ])
})
