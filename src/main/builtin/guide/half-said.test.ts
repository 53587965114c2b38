import { expect, test } from 'vitest'
import { aScene } from '../../../../testing/builtin/a-scene.ts'
import { understandRequest } from './understand.ts'

// Kinds of requests that a first run of `evals/small/fresh.jsonl` missed, with other names.

const scene = aScene({
  files: [
    'todo.md',
    'notes.md',
    'server-log.txt',
    'letters/bank.txt',
    'letters/ada.md',
    'cakes/plum-cake.md',
  ],
  folders: ['letters', 'cakes'],
  entries: [],
})

const meaningOf = (request: string, given = scene) => {
  const meaning = understandRequest(request, given, [])
  if (meaning?.kind !== 'call') return meaning?.kind
  return [meaning.call.name, ...Object.values(meaning.call.arguments)]
}

test.for([
  ['Show me the letter to the bank', ['read_file', 'letters/bank.txt']],
  ['How do I make the plum cake?', ['read_file', 'cakes/plum-cake.md']],
  ['what did I write to Ada?', ['read_file', 'letters/ada.md']],
  ['the plum cake please', ['read_file', 'cakes/plum-cake.md']],
  ["what's in letters/bank.txt?", ['read_file', 'letters/bank.txt']],
  ['whats still to do?', ['read_file', 'todo.md']],
  ['read my nots.md', ['read_file', 'notes.md']],
  ['Is there a folder with cakes?', ['list_files', 'cakes']],
  ['What files do I have here?', ['list_files']],
  ['do I have any documents in this folder?', ['list_files']],
  ['hi! can u show me whats in this folder?', ['list_files']],
  ['find "disk full" in the log', ['search_files', 'disk full', 'server-log.txt']],
  ['were there any errors in the server log?', ['search_files', 'error', 'server-log.txt']],
  ['where is the word tomatoes?', ['search_files', 'tomatoes']],
  ['find all TODOs in the code', ['search_files', 'TODO']],
  ['look for every mention of Ada', ['search_files', 'Ada']],
  ['Change Monday to Friday in letters/ada.md', ['patch_file', 'letters/ada.md', 'Monday', 'Friday']],
  ['replace 12 with 13 in the notes', ['patch_file', 'notes.md', '12', '13']],
  ['fix the price in notes.md, it is 5 and not 6', ['patch_file', 'notes.md', '6', '5']],
  ["put 'rent is due on Monday' in rent.txt", ['write_file', 'rent.txt', 'rent is due on Monday']],
  ['make a packing list with: socks, shoes', ['write_file', 'packing-list.md', '- socks\n- shoes']],
  ['create hi.py that prints hi', ['write_file', 'hi.py', 'print("hi")\n']],
  ['run tools/sort.py', ['terminal', 'python3 tools/sort.py']],
  ['make a copy of notes.md called old.md', ['terminal', 'cp notes.md old.md']],
  ['who am i here? run whoami', ['terminal', 'whoami']],
  ['which python version is this? python3 --version', ['terminal', 'python3 --version']],
  ['do you have a skill for meeting notes?', ['skills_list']],
  ['remeber that I like tea', ['memory', 'user', 'add', 'User likes tea']],
  [
    'From now on, answer in short sentences',
    ['memory', 'user', 'add', 'Prefers answers in short sentences.'],
  ],
  ['note to self: call the plumber', ['memory', 'memory', 'add', 'Call the plumber']],
] as const)('%s', ([request, wanted]) => {
  expect(meaningOf(request)).toEqual(wanted)
})

test.for([
  'I love plum cake',
  'what is a letter?',
  'write a letter to Ada',
  'Write an email to my boss that I am ill',
  'never mind that',
  'make a list of animals',
])('is not about a file, nor to be kept, by the rules: %s', request => {
  const meaning = understandRequest(request, scene, [])
  expect(meaning?.kind === 'call' && meaning.isSure).toBe(false)
})

test('where several files could be meant the person is asked, and a file that is not there is not deleted', () => {
  expect(meaningOf('show me the letter')).toBe('ask')
  expect(meaningOf('delete gone.txt')).toBe('say')
  expect(meaningOf('read my notes', aScene({ files: [], folders: [] }))).toBe('say')
})
