import { expect, test } from 'vitest'
import { callTitle } from './tool-calls.ts'

test.for([
  ['terminal', { command: 'ls -la' }, 'Run ls -la'],
  ['terminal', { command: 'echo one\necho two' }, 'Run echo one echo two'],
  ['terminal', {}, 'Run a command'],
  ['terminal', { action: 'start', command: 'npm run dev' }, 'Start npm run dev'],
  ['terminal', { action: 'read', id: 'p1' }, 'Read the output of p1'],
  ['terminal', { action: 'stop', id: 'p1' }, 'Stop p1'],
  ['terminal', { action: 'list' }, 'List the background processes'],
  ['read_file', { path: 'notes.md' }, 'Read notes.md'],
  ['search_files', { pattern: 'TODO' }, 'Search for TODO'],
  ['skill_view', { name: 'tidy-csv' }, 'Read the skill tidy-csv'],
  ['skill_manage', { action: 'create', name: 'tidy-csv' }, 'Write the skill tidy-csv'],
  ['skill_manage', { action: 'delete', name: 'tidy-csv' }, 'Delete the skill tidy-csv'],
  ['skill_manage', { action: 'patch', name: 'tidy-csv' }, 'Change the skill tidy-csv'],
  ['skills_list', {}, 'List the skills'],
  ['weather', { city: 'Bern' }, 'Tool: weather'],
] as const)('a call of %s with %o is titled %s', ([name, args, expected]) => {
  expect(callTitle({ id: 'c', name, arguments: args })).toBe(expected)
})

test('a long command is shortened in the title', () => {
  expect(
    callTitle({ id: 'c', name: 'terminal', arguments: { command: 'x'.repeat(500) } }).length,
  ).toBeLessThan(90)
})
