import { expect, test } from 'vitest'
import { isPublished, publisherOf, readPublisher } from './trusted-publishers.ts'

const LIST = ['github.com/anthropics/skills', 'https://git.example.org/team/', 'github.com/openai']
const from = (address: string, within = '') => publisherOf({ kind: 'git', address, within }, LIST)

test('an import from a listed owner, repository or folder is of a trusted publisher', () => {
  expect(from('https://github.com/anthropics/skills')).toBe('github.com/anthropics/skills')
  expect(from('https://github.com/anthropics/skills.git#main', 'pdf')).toBe('github.com/anthropics/skills')
  expect(from('https://GitHub.com/openai/skills', 'x')).toBe('github.com/openai')
  expect(from('git@github.com:openai/skills.git')).toBe('github.com/openai')
  expect(from('ssh://git@git.example.org/team/tools')).toBe('https://git.example.org/team/')
  const folder = ['github.com/anthropics/skills/documents']
  const address = 'https://github.com/anthropics/skills'
  expect(publisherOf({ kind: 'git', address, within: 'documents/pdf' }, folder)).toBe(folder[0])
  expect(publisherOf({ kind: 'git', address, within: 'documents-2' }, folder)).toBeNull()
})

test.for([
  'https://github.com.evil.example/openai/skills',
  'https://evil.example/github.com/openai/skills',
  'https://github.com@evil.example/openai/skills',
  'https://openai@github.com/openai/skills',
  'ssh://openai@github.com/openai/skills',
  'evil@github.com:openai/skills',
  'https://github.com:8443/openai/skills',
  'http://github.com/openai/skills',
  'https://github.com/openai-skills/x',
  'https://github.com/OpenAI/skills',
  'https://github.com/anthropics/skills2',
  'https://github.com/evil/../openai/skills',
  'https://github.com/%6fpenai/skills',
  'https://github.com\\openai/skills',
  'https://g\u0456thub.com/openai/skills',
  'https://sub.github.com/openai/skills',
  'file:///github.com/openai/skills',
  'github.com/openai/skills',
  '',
])('a look-alike is somebody else: %s', address => {
  expect(from(address)).toBeNull()
})

test('a folder, a zip and a pasted text have no publisher', () => {
  for (const kind of ['folder', 'zip', 'text'] as const)
    expect(publisherOf({ kind, address: 'https://github.com/openai/skills', within: '' }, LIST)).toBeNull()
})

test('an entry names an owner below a host, and nothing that could be read in two ways', () => {
  expect(readPublisher('GitHub.com/anthropics/skills.git')).toEqual({
    host: 'github.com',
    path: ['anthropics', 'skills'],
  })
  for (const entry of [
    'github.com',
    'openai',
    'http://github.com/a',
    'a@github.com/b',
    'github.com/a/../b',
    'x y.z/a',
  ])
    expect(readPublisher(entry), entry).toBeUndefined()
})

test('git follows no redirect away from the address of a trusted publisher', () => {
  expect(isPublished('https://github.com/openai/skills', LIST)).toBe(true)
  expect(isPublished('https://github.com/anthropics/skills', ['github.com/anthropics/skills/pdf'])).toBe(true)
  expect(isPublished('https://github.com/evil/skills', LIST)).toBe(false)
  expect(isPublished('https://github.com/evil/skills', [])).toBe(false)
})
