import { expect, test } from 'vitest'
import { prerequisitesOf, relatedOf } from './prerequisites.ts'
import { readSkillText } from './read-skill.ts'

const moreOf = (front: string) =>
  readSkillText(`---\nname: x\ndescription: X.\n${front}\n---\n\nSteps.\n`, '').more
const needs = (front: string) =>
  prerequisitesOf(moreOf(front)).map(({ kind, name, help }) => [kind, name, help])

test('keys and programs are found in the spellings of other agents', () => {
  expect(
    needs(
      'required_environment_variables:\n  - name: TENOR_API_KEY\n    prompt: The key\n    help: It is free.\n  - OTHER_KEY',
    ),
  ).toEqual([
    ['key', 'TENOR_API_KEY', 'It is free.'],
    ['key', 'OTHER_KEY', ''],
  ])
  expect(needs('prerequisites:\n  env_vars: [A_KEY]\n  commands: [curl, jq]')).toEqual([
    ['key', 'A_KEY', ''],
    ['program', 'curl', ''],
    ['program', 'jq', ''],
  ])
  expect(needs('metadata: {"openclaw": {"requires": {"bins": ["gh"], "env": ["B_KEY"]}}}')).toEqual([
    ['key', 'B_KEY', ''],
    ['program', 'gh', ''],
  ])
})

test('what is said twice counts once, and what is no name is left out', () => {
  expect(
    needs(
      'required_environment_variables: [A_KEY, "A KEY=1", "$(id)"]\nprerequisites:\n  env_vars: [A_KEY]\n  commands: [../x, -rf]',
    ),
  ).toEqual([['key', 'A_KEY', '']])
  expect(needs('required_environment_variables:\n  - 7\n  - [x]\nprerequisites: none')).toEqual([])
})

test('related skills are found in the metadata of a product', () => {
  expect(relatedOf(moreOf('metadata:\n  hermes:\n    related_skills: [haiku, tanka]'))).toEqual([
    'haiku',
    'tanka',
  ])
  expect(relatedOf(moreOf('related_skills: haiku tanka'))).toEqual(['haiku', 'tanka'])
  expect(relatedOf({})).toEqual([])
})
