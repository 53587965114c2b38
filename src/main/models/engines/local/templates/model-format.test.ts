import { expect, test } from 'vitest'
import { chatmlTemplate, familyTemplates } from '../../../../../../testing/gguf/templates.ts'
import { resourcePath } from '../../../../lib/disk/shipped-files.ts'
import { isFailure } from '../../../interface/engine.ts'
import { readGguf } from '../gguf/read-gguf.ts'
import { describeTemplate, formatOfModel } from './model-format.ts'

const facts = (chatTemplate: string | undefined, name = 'A model', architecture = 'llama') => ({
  path: `/models/${name}.gguf`,
  name,
  architecture,
  chatTemplate,
})

test.for([
  ['qwen3', 'hermes', true],
  ['llama3', 'llama3', true],
  ['gemma3', 'gemma3', false],
  ['gemma4', 'gemma4', true],
  ['mistral', 'mistral', true],
  ['phi4Mini', 'phi4', true],
  ['deepseekR1', 'deepseek', true],
  ['commandR7b', 'command-r7b', true],
  ['harmony', 'harmony', true],
] as const)('a template like that of %s means the format %s', ([family, format, toolRole]) => {
  expect(formatOfModel(facts(familyTemplates[family]))).toEqual({ format, toolRole })
})

test('for a template without tools the name decides the format, and results go to the user role', () => {
  expect(formatOfModel(facts(chatmlTemplate, 'Llama-3.2-3B-Instruct'))).toEqual({
    format: 'llama3',
    toolRole: false,
  })
})

test('a file without a name inside is known by its file name', () => {
  const unnamed = { ...facts(undefined, 'Mistral-Nemo-Instruct-2407-Q4_K_M'), name: '' }
  expect(formatOfModel(unnamed)).toEqual({ format: 'mistral', toolRole: false })
})

test('a template problem is reported, and the result is cached', () => {
  const broken = facts('{% for x in %}')
  const first = describeTemplate(broken)
  expect(first).toMatchObject({ format: 'hermes', toolRole: false, appendOnly: true })
  expect(first.problem).toContain('The chat template of the model cannot be used: ')
  expect(describeTemplate(broken)).toBe(first)
})

test('the built-in model gets its training format', async () => {
  const demo = await readGguf(resourcePath('models/talaria-mini.gguf'))
  if (isFailure(demo)) throw new Error(demo.text)
  expect(formatOfModel(demo)).toEqual({ format: 'hermes', toolRole: false })
})
