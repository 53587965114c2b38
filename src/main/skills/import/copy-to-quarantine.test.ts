import { expect, test } from 'vitest'
import { skillFolders } from './copy-to-quarantine.ts'

const found = (...paths: string[]) =>
  Object.fromEntries(
    skillFolders(paths.map(path => ({ path, bytes: 1, isProgram: false }))).map(({ path, files }) => [
      path,
      files.map(file => file.path),
    ]),
  )

test('a folder with a SKILL.md is a skill, at any depth, and nothing below it is another', () => {
  expect(
    found('README.md', 'a/SKILL.md', 'a/sub/SKILL.md', 'a/x.md', 'cat/b/skill.md', 'cat/note.md', 'ab/c.md'),
  ).toEqual({ a: ['a/SKILL.md', 'a/sub/SKILL.md', 'a/x.md'], 'cat/b': ['cat/b/skill.md'] })
})

test('if the root is a skill, everything belongs to it', () => {
  expect(found('SKILL.md', 'a/SKILL.md')).toEqual({ '': ['SKILL.md', 'a/SKILL.md'] })
})

test('Skill.MD makes a skill, and not-SKILL.md and SKILL.mdx do not', () => {
  expect(found('a/Skill.MD', 'b/not-SKILL.md', 'c/SKILL.mdx')).toEqual({ a: ['a/Skill.MD'] })
})
