import { expect, test } from 'vitest'
import { EXAMPLES } from '../guide/request-examples.ts'
import type { Scene } from '../guide/guide-scene.ts'
import type { Encode } from '../guide/second-opinion.ts'
import { isDecidable } from './decidable.ts'
import { decideMessage, splitRequest } from './decide-message.ts'
import { isGrounded } from './grounded.ts'

const here = { files: ['notes.md', 'recipes/lentil-soup.md', 'todo.txt'], folders: ['recipes'] }
const tools = Object.keys(EXAMPLES).filter(name => name !== 'none')
const sceneWith = (on: readonly string[]): Scene => ({
  ...here,
  entries: [],
  skills: [],
  known: { now: new Date(0), zone: 'UTC', folder: '/srv/work', entries: [], said: [], tools: on },
})
const never = new AbortController().signal
/** An encoder for which every text is near the examples of one tool. */
const nearTo =
  (tool: string): Encode =>
  async ([, ...examples]) => [
    Float32Array.of(1, 0),
    ...examples.map(text => (EXAMPLES[tool]!.includes(text) ? Float32Array.of(1, 0) : Float32Array.of(0, 1))),
  ]
const decide = (text: string, encode?: Encode, on = tools) =>
  decideMessage(text, sceneWith(on), encode, never)

test('what a message says plainly is decided with its arguments', async () => {
  expect(await decide('read notes.md')).toEqual({ tool: 'read_file', arguments: { path: 'notes.md' } })
  expect(await decide('which files are in this folder?')).toMatchObject({ tool: 'list_files' })
  expect(await decide('Remember that my dog is called Rocky')).toMatchObject({ tool: 'memory' })
})

test('what no rule knows is decided by what it means, and arguments are left to the model', async () => {
  const text = 'I wonder about the paint of the shed'
  expect(await decide(text)).toBeUndefined()
  expect(await decide(text, nearTo('none'))).toBeUndefined()
  expect(await decide(text, nearTo('write_file'))).toEqual({ tool: 'write_file' })
  expect(await decide(text, nearTo('list_files'))).toEqual({ tool: 'list_files', arguments: {} })
  expect(await decide(text, async () => undefined)).toBeUndefined()
})

test('a message that wants a tool that is off wants none', async () => {
  for (const [text, off] of [
    ['read notes.md', 'read_file'],
    ['run git status', 'terminal'],
    ['Remember that I use pnpm', 'memory'],
  ])
    expect(
      await decide(
        text!,
        nearTo('none'),
        tools.filter(name => name !== off),
      ),
      text,
    ).toBeUndefined()
  expect(await decide('read notes.md', undefined, [])).toBeUndefined()
})

test.for([
  'and the other one?',
  'now delete it',
  'what about the second file?',
  'again',
  'yes, do that',
  'Lies notes.md',
  'Montre-moi notes.md',
  '¿Qué archivos hay aquí?',
  'Какие файлы здесь?',
  'このフォルダのファイルを見せて',
  '',
  'read '.repeat(200),
])('“%s” is not decided', text => expect(isDecidable(text)).toBe(false))

test.for([
  'read notes.md and show it',
  'what is in this folder?',
  'is there a file about soup?',
  'My name is Mira, please remember it',
  'ls',
  'find "Käsekuchen" in recipes',
])('“%s” is', text => expect(isDecidable(text)).toBe(true))

test.for([
  ['read notes.md', { path: 'notes.md' }, true],
  ['read my notes', { path: 'notes.md' }, true],
  ['the soup recipe', { path: 'recipes/lentil-soup.md' }, true],
  ['read my notes', { path: 'todo.txt' }, false],
  ['read my notes', { path: 'other/notes.md' }, false],
  ['delete everything old', { command: 'rm -rf /srv/work' }, false],
  ['how much disk space is left', { command: 'df -h' }, true],
  ['show the first ten lines of notes.md', { command: 'head -n 10 notes.md' }, true],
  ['show some lines of notes.md', { command: 'head -n 12 notes.md' }, false],
  ['my landlord is Mr Novak', { content: "User's landlord is Mr Novak" }, true],
  ['my landlord is nice', { content: "User's landlord is Mr Novak" }, false],
  ['show notes.md', { path: 'notes.md', limit: 40 }, false],
] as const)('“%s” with %j: %s', ([text, given, is]) => expect(isGrounded(given, text, here)).toBe(is))

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
