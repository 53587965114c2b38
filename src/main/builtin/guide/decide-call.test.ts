import { expect, test } from 'vitest'
import { aScene } from '../../../../testing/builtin/a-scene.ts'
import { decideCall } from './decide-call.ts'
import { EXAMPLES } from './request-examples.ts'
import { mendCall } from './mend-call.ts'
import type { Encode } from './second-opinion.ts'

const { signal } = new AbortController()

/** An encoder for which a request means one tool: it is near that tool's examples. */
const means =
  (tool: string): Encode =>
  async texts =>
    texts.map((text, at) =>
      Float32Array.of(...(at === 0 || EXAMPLES[tool]?.includes(text) ? [1, 0] : [0, 1])),
    )

const decide = (
  request: string,
  wrote: { name: string; arguments: Record<string, unknown> } | undefined,
  encode?: Encode,
) =>
  decideCall(
    {
      request,
      scene: aScene(),
      likely: undefined,
      wrote: wrote ? [{ call: { id: '1', ...wrote } }] : [],
      encode,
    },
    signal,
  )

const move = { name: 'terminal', arguments: { command: 'mv notes.txt minutes.txt' } }

test('a command that the model made of plain words is not even asked about', async () => {
  const rm = { name: 'terminal', arguments: { command: 'rm line' } }
  expect(await decide('and the second line', rm, means('terminal'))).toBeUndefined()
})

test('a call runs when a second opinion agrees', async () => {
  expect(await decide('give notes.txt the name minutes.txt', move, means('terminal'))).toMatchObject({
    kind: 'call',
    call: move,
  })
})

test('what changes something is asked about when the second opinion differs, and when there is none', async () => {
  for (const encode of [means('read_file'), undefined])
    expect(await decide('give notes.txt the name minutes.txt', move, encode)).toMatchObject({
      kind: 'ask',
      question: 'Shall I run `mv notes.txt minutes.txt`?',
      choices: [{ label: 'Run `mv notes.txt minutes.txt`', call: move }],
    })
})

test('what may not be kept is not asked about: the tool refuses it, and says why', async () => {
  const save = (content: string) => ({
    name: 'memory',
    arguments: { action: 'add', target: 'user', content },
  })
  const kept = save('My cat is called Minka')
  expect(await decide('My cat is called Minka, keep it', kept, means('read_file'))).toMatchObject({
    kind: 'ask',
  })
  const secret = save('My password is hunter2-Blau')
  expect(await decide('My password is hunter2-Blau, keep it', secret, means('read_file'))).toMatchObject({
    kind: 'call',
    call: secret,
  })
})

test('what only looks at what the request names is not asked about', async () => {
  const call = { name: 'read_file', arguments: { path: 'notes.txt' } }
  expect(await decide('notes.txt, go on', call, means('patch_file'))).toMatchObject({ kind: 'call', call })
})

test('a call with arguments out of nowhere is dropped', async () => {
  const du = { name: 'terminal', arguments: { command: 'du -sh movies' } }
  expect(await decide('how many days has a week?', du, means('none'))).toBeUndefined()
  expect(await decide('how many days has a week?', du)).toBeUndefined()
})

test('the skill that a request names is changed without a question', async () => {
  const change = { action: 'patch', name: 'pack-bag', old_string: '3. feed the cat', new_string: 'x' }
  const wrote = { id: 'c', name: 'skill_manage', arguments: change }
  const decided = (request: string) =>
    decideCall(
      {
        request,
        scene: aScene({ skills: ['pack-bag'] }),
        likely: undefined,
        wrote: [{ call: wrote }],
        encode: undefined,
      },
      AbortSignal.timeout(5_000),
    )
  expect(await decided('Add a step to pack-bag: water the plants')).toMatchObject({ kind: 'call' })
  expect(await decided('Add a step: water the plants')).not.toMatchObject({ kind: 'call' })
})

test('a request that seems to want a tool is asked about when the model wants none', async () => {
  expect(await decide('the things around here, an overview', undefined, means('list_files'))).toMatchObject({
    kind: 'ask',
    choices: [{ label: 'List the files here' }],
  })
  expect(await decide('tell me a joke', undefined, means('none'))).toBeUndefined()
})

test.for([
  ['a path', 'open notes.txt', 'read_file', { path: 'note.txt' }, { path: 'notes.txt' }],
  ['a file by its words', 'let me see the to do', 'read_file', { path: 'to.txt' }, { path: 'todo.md' }],
  ['a folder', 'read reports/', 'read_file', { path: 'reports' }, { path: 'reports' }],
  [
    'a fact',
    'I have two sisters',
    'memory',
    { target: 'user', action: 'add', content: 'User sails 28 10' },
    { target: 'user', action: 'add', content: 'User has two sisters' },
  ],
  [
    'an entry',
    'my dog is Luna now',
    'memory',
    { target: 'user', action: 'replace', content: "User's dog is Luna", old_text: 'dog' },
    {
      target: 'user',
      action: 'replace',
      content: "User's dog is Luna",
      old_text: "User's dog is called Rocky",
    },
  ],
] as const)('the words of the person win over those of the model: %s', ([, request, name, given, wanted]) => {
  expect(mendCall({ name, arguments: given }, request, aScene()).call.arguments).toEqual(wanted)
})
