import { expect, test } from 'vitest'
import { aScene } from '../../../../testing/builtin/a-scene.ts'
import { keepFile } from './keep-file.ts'
import { sureCall } from './guide-scene.ts'

const write = (path: string, content: string) => sureCall('write_file', { path, content })

test('a file that is there is replaced as a whole only after a question', () => {
  const is = keepFile(write('./Notes.txt', 'new'), 'change the notes to new', aScene())
  expect(is).toMatchObject({
    kind: 'ask',
    choices: [
      { label: 'Replace all of notes.txt', call: { name: 'write_file' } },
      { label: 'Add it at the end of notes.txt', call: { name: 'read_file' } },
    ],
  })
})

test('it is never emptied, because its name was given to a new one', () => {
  expect(keepFile(write('notes.txt', ''), 'create notes.txt', aScene())).toMatchObject({ kind: 'say' })
})

test('a new file is written, and one of which all is to be replaced', () => {
  const asNew = write('other.txt', 'new')
  expect(keepFile(asNew, 'write new to other.txt', aScene())).toBe(asNew)
  const whole = write('notes.txt', 'new')
  expect(keepFile(whole, 'overwrite notes.txt with new', aScene())).toBe(whole)
})
