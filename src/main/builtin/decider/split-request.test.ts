import { expect, test } from 'vitest'
import { splitRequest } from './split-request.ts'

test.for([
  ['Read notes.md, then write hello into b.txt', 'Read notes.md', 'write hello into b.txt'],
  ['read a.txt and then list the files', 'read a.txt', 'list the files'],
  ['First read a.txt. Then run date', 'read a.txt', 'run date'],
  ['read a.txt and write “x, then y” to b.txt', 'read a.txt', 'write “x, then y” to b.txt'],
  ['list the files; after that read a.txt, then run date', 'list the files', 'read a.txt, then run date'],
] as const)('“%s” asks for two things', ([text, first, rest]) =>
  expect(splitRequest(text)).toEqual({ first, rest }),
)

test.for([
  'read notes.md',
  'write “eggs, then milk” into list.txt',
  'read notes.md and tell me what matters',
  'search for bread and butter',
  'if it rains, then what?'.slice(0, 12),
  'then',
])('“%s” asks for one', text => expect(splitRequest(text)).toBeUndefined())
