import { expect, test } from 'vitest'
import { aReply, aResult, aUserMessage } from '../../../test/messages.ts'
import { filesByTurn, newestFiles } from './files-by-turn.ts'
import { chosenLabel, fileLabel, sayTakenBack } from './take-back-words.ts'

const call = (id: string, name: string, path: unknown) => ({ id, name, arguments: { path } })
const wrote = (id: number, callId: string, name: string, files?: string[]) =>
  aResult({ id, callId, name, record: { decision: 'ran', ...(files && { files }) } })

test('the files of a turn are those that its calls wrote, each once', () => {
  const messages = [
    aUserMessage({ id: 1, text: 'Write.' }),
    aReply({
      id: 2,
      calls: [
        call('a', 'write_file', './a.md'),
        call('b', 'patch_file', 'a.md'),
        call('c', 'read_file', 'c.md'),
        call('d', 'write_file', 'd.md'),
        call('e', 'write_file', 7),
      ],
    }),
    wrote(3, 'a', 'write_file', ['./a.md']),
    // An older result does not name its files.
    wrote(4, 'b', 'patch_file'),
    wrote(5, 'c', 'read_file'),
    { ...wrote(6, 'd', 'write_file', ['d.md']), ok: false },
    wrote(7, 'e', 'write_file'),
    aUserMessage({ id: 8, text: 'And now?' }),
    aReply({ id: 9 }),
  ]
  const files = { turn: 1, asked: 'Write.', calls: ['a', 'b'], names: ['a.md'] }
  expect([...filesByTurn(messages)]).toEqual([[1, files]])
  expect(newestFiles(messages)).toEqual(files)
  expect(newestFiles([])).toBeUndefined()
})

test('buttons and notices say what happens to the files', () => {
  const [gone, back] = [
    { name: 'lists/shopping.txt', change: 'remove', to: null },
    { name: 'a\u202e.md', change: 'create', to: 'x' },
  ] as const
  expect([[], [gone], [back], [gone, back]].map(chosenLabel)).toEqual([
    'Keep the files as they are',
    'Delete shopping.txt',
    'Restore a⟨U+202E⟩.md',
    'Undo changes to 2 files',
  ])
  expect(sayTakenBack([gone])).toBe('lists/shopping.txt was deleted.')
  expect(sayTakenBack([back])).toBe('a\u202e.md is as it was before.')
  expect(sayTakenBack([gone, back])).toBe('Changes to 2 files were undone.')
  expect([fileLabel('C:\\a\\b.txt'), fileLabel('/'), fileLabel('x'.repeat(90)).length]).toEqual([
    'b.txt',
    '/',
    30,
  ])
})
