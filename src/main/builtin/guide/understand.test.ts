import { expect, test } from 'vitest'
import { aScene, callDone, answerSaid, userSaid } from '../../../../testing/builtin/a-scene.ts'
import { understandRequest } from './understand.ts'

const meaningOf = (request: string, history = [] as Parameters<typeof understandRequest>[2]) => {
  const meaning = understandRequest(request, aScene(), history)
  if (meaning?.kind !== 'call') return meaning?.kind
  return [meaning.call.name, ...Object.values(meaning.call.arguments)]
}

test.for([
  ['list the files here', ['list_files']],
  ['which files do I have?', ['list_files']],
  ['by the way, I live in Oslo. list my files', ['list_files']],
  ["What's in the reports folder?", ['list_files', 'reports']],
  ['could you read my todo list to me?', ['read_file', 'todo.md']],
  ['show line 2 of budget.csv', ['read_file', 'budget.csv', 2, 1]],
  ['what did I write in march.md?', ['read_file', 'reports/march.md']],
  ['what is the biggest file?', ['list_files']],
  ['which file here is the largest?', ['list_files']],
  ['find files with the ending .md', ['terminal', "find . -type f -name '*.md'"]],
  ['list all python files', ['terminal', "find . -type f -name '*.py'"]],
  ['find every line with TODO', ['search_files', 'TODO']],
  ['which file mentions Anna?', ['search_files', 'Anna']],
  ['find all lines with a.b in my files', ['search_files', String.raw`a\.b`]],
  ['look for "port" in config.ini', ['search_files', 'port', 'config.ini']],
  ['write "hello world" to hello.txt', ['write_file', 'hello.txt', 'hello world']],
  ['create a file called ideas.md with the text buy a boat', ['write_file', 'ideas.md', 'buy a boat']],
  ['make an empty file draft.txt', ['write_file', 'draft.txt', '']],
  ['add "stamps" to todo.md', ['read_file', 'todo.md']],
  ['in todo.md, change milk to oat milk', ['patch_file', 'todo.md', 'milk', 'oat milk']],
  ['run `git status`', ['terminal', 'git status']],
  ['delete notes.txt', ['terminal', 'rm notes.txt']],
  ['rename notes.txt to my journal.txt', ['terminal', 'mv notes.txt journal.txt']],
  ['how much disk space do I have left?', ['terminal', 'df -h .']],
  ['what did we talk about yesterday?', ['session_search']],
  ['search our old chats for the recipe', ['session_search', 'recipe']],
  ['which skills do you have?', ['skills_list']],
  ['use the skill weekly review', ['skill_view', 'weekly-review']],
] as const)('%s', ([request, wanted]) => {
  expect(meaningOf(request)).toEqual(wanted)
})

test.for([
  ['remember that my cat is called Minka', ['memory', 'user', 'add', "User's cat is called Minka"]],
  ["I'm allergic to nuts, remember that", ['memory', 'user', 'add', 'User is allergic to nuts']],
  [
    'keep in mind: the server restarts on Sundays',
    ['memory', 'memory', 'add', 'The server restarts on Sundays'],
  ],
  [
    'Correction: my dog is called Luna',
    ['memory', 'user', 'replace', "User's dog is called Luna", "User's dog is called Rocky"],
  ],
  ['forget my dog', ['memory', 'user', 'remove', "User's dog is called Rocky"]],
] as const)('%s', ([request, wanted]) => {
  expect(meaningOf(request)).toEqual(wanted)
})

test('what is to be forgotten is never guessed: nothing found is said, and several are asked about', () => {
  expect(understandRequest('forget my address', aScene(), [])).toMatchObject({ kind: 'say' })
  const entries = [
    { text: 'User likes tea', target: 'user' },
    { text: 'User buys tea on Mondays', target: 'memory' },
  ] as const
  expect(understandRequest('forget the tea', aScene({ entries }), [])).toMatchObject({
    kind: 'ask',
    choices: [{ label: 'User likes tea' }, { call: { arguments: { target: 'memory' } } }],
  })
})

test.for([
  'hello',
  'what is the capital of France?',
  'write a poem about the sea',
  'translate good morning into Spanish',
  'how many days does a week have?',
  'correct this sentence: he go to school',
  'what is my dog called?',
  'find me a good film',
  'what do you remember about me?',
])('is not for a tool by the rules: %s', request => {
  expect(meaningOf(request)).toBeUndefined()
})

const readTodo = callDone('read_file', { path: 'todo.md' }, 'todo.md, lines 1-2 of 2\n- milk\n- bank')
const listed = callDone(
  'list_files',
  {},
  'The workspace, 3 entries\nreports/\nbudget.csv (30 bytes)\ntodo.md (9 bytes)',
)

test.for([
  ['and the second line?', readTodo, ['read_file', 'todo.md', 2, 1]],
  ['no, I meant notes.txt', readTodo, ['read_file', 'notes.txt']],
  ['what about budget.csv?', readTodo, ['read_file', 'budget.csv']],
  ['delete it', readTodo, ['terminal', 'rm todo.md']],
  ['again', callDone('terminal', { command: 'date' }, 'exit code 0'), ['terminal', 'date']],
  ['and bread?', callDone('search_files', { pattern: 'milk' }, 'No matches.'), ['search_files', 'bread']],
  ['read the second one', listed, ['read_file', 'budget.csv']],
  ['the first one', listed, ['list_files', 'reports']],
  [
    'forget that',
    callDone('memory', { target: 'user', action: 'add', content: 'User lives in Graz' }, 'Entry added.'),
    ['memory', 'user', 'remove', 'User lives in Graz'],
  ],
] as const)('goes on from what was done: %s', ([request, done, wanted]) => {
  expect(meaningOf(request, [userSaid('before'), ...done, answerSaid('It is done.')])).toEqual(wanted)
})

test.for([
  ['undo that', ['patch_file', 'todo.md', 'tea', 'milk']],
  ['change it back', ['patch_file', 'todo.md', 'tea', 'milk']],
  ['what did you just do?', 'say'],
  // The change was made, so “I leave it” would be wrong.
  ['no', undefined],
] as const)('after a change: %s', ([request, wanted]) => {
  const given = { path: 'todo.md', old_string: 'milk', new_string: 'tea' }
  const history = [
    userSaid('before'),
    ...callDone('patch_file', given, 'Changed todo.md.'),
    answerSaid('I did.'),
  ]
  expect(meaningOf(request, history)).toEqual(wanted)
})

test('a search goes on in the file that was read', () => {
  const history = [userSaid('before'), ...readTodo, answerSaid('It is done.')]
  expect(meaningOf('is the bank in there?', history)).toEqual(['search_files', 'bank', 'todo.md'])
})

test('“it is …” corrects the entry that it is about', () => {
  const given = { target: 'user', action: 'add', content: "User's dog is called Rocky" }
  const history = [
    userSaid('before'),
    ...callDone('memory', given, 'Entry added.'),
    answerSaid('I will remember.'),
  ]
  expect(meaningOf('no, it is Luna', history)?.slice(0, 4)).toEqual([
    'memory',
    'user',
    'replace',
    "User's dog is called Luna",
  ])
})

test('a yes to a name that was suggested takes that name', () => {
  const missed = callDone('read_file', { path: 'note.txt' }, 'Error: note.txt does not exist.', false)
  const history = [
    userSaid('read note.txt'),
    ...missed,
    answerSaid('There is no note.txt. Did you mean notes.txt?'),
  ]
  expect(meaningOf('yes', history)).toEqual(['read_file', 'notes.txt'])
  expect(meaningOf('no', history)).toBe('say')
})
