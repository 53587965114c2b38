import { expect, test } from 'vitest'
import type { Fit, FoundFile, Model, ModelFile } from '../../shared/contract/model.ts'
import { showFit, showFound, showModels, sizeOf } from './show-models.ts'

const file: ModelFile = {
  path: '/m/gemma.gguf',
  folder: '~/m',
  owned: true,
  parts: 2,
  architecture: 'gemma3',
  parameters: 4e9,
  quantisation: 'Q4_K_M',
  bitsPerWeight: 4.8,
  trainedTokens: 131_072,
  licence: '',
  hasTemplate: true,
  dialect: { id: 'gemma3', name: 'Gemma 3 tool code', from: 'template' },
  vision: '/m/mmproj.gguf',
}
const model: Model = {
  id: 'file:/m/gemma.gguf',
  name: 'gemma',
  kind: 'file',
  detail: '',
  sizeBytes: 2_489_757_856,
  contextTokens: 131_072,
  demo: false,
  problem: null,
  file,
  server: null,
  options: {},
}
const fit: Fit = {
  label: 'memory',
  contextTokens: 8_192,
  mostContextTokens: 32_768,
  weightsBytes: 2.5e9,
  contextBytes: 1e9,
  buffersBytes: 3e8,
  processBytes: 2e8,
  neededBytes: 4e9,
  totalBytes: 16e9,
  othersBytes: 6e9,
  freedBytes: 0,
  availableBytes: 10e9,
  missingBytes: 0,
  uncertain: '',
}

test('sizes are told in decimal units', () => {
  expect([0, 999, 1_000, 3_756_864, 4.14e9].map(sizeOf)).toEqual(['0 B', '999 B', '1 kB', '3.8 MB', '4.1 GB'])
})

test('a model is shown with its facts, the default with a star, a broken one with its problem', () => {
  const gone: Model = {
    ...model,
    id: 'file:/x',
    name: 'gone\u001b[31m',
    sizeBytes: null,
    problem: 'It is empty.',
  }
  expect(showModels([model, gone], model.id).split('\n')).toEqual([
    '* gemma  file:/m/gemma.gguf',
    '    2.5 GB · Q4_K_M · gemma3 · tools: Gemma 3 tool code · sees images · 2 files · Talaria’s own · context 131,072 · ~/m',
    '  gone\\u{1b}[31m  file:/x',
    expect.stringMatching(/^ {4}Q4_K_M/),
    '    It cannot be used now: It is empty.',
  ])
})

test('the fit is a verdict with its figures', () => {
  expect(showFit('gemma', fit)).toBe(
    'gemma fits into memory. It needs about 4 GB of the 10 GB that are free, with a context of 8,192 tokens.\n' +
      '  weights 2.5 GB, context 1 GB, work 300 MB, program 200 MB\n' +
      '  The largest context that fits has 32,768 tokens.',
  )
  const big: Fit = { ...fit, label: 'too_big', missingBytes: 5e8, mostContextTokens: 0, freedBytes: 1e9 }
  expect(showFit('gemma', { ...big, uncertain: 'It is a close call.' })).toMatch(
    /^gemma is too big now: 500 MB are missing\.[^]*Not even a small context fits\.[^]*1 GB of it are freed[^]*\n {2}It is a close call\.$/,
  )
  expect(showFit('gemma', { ...fit, label: 'unknown', uncertain: 'The file says nothing.' })).toBe(
    'Whether gemma fits cannot be told.\n  The file says nothing.',
  )
})

test('files that were found say what they are, and whether they are known', () => {
  const found: FoundFile = {
    path: '/s/a.gguf',
    name: 'a',
    sizeBytes: 1e9,
    parts: 1,
    app: 'Jan',
    knownAs: null,
    copyOf: 'file:/m/a.gguf',
    problem: null,
    file: { ...file, parts: 1, vision: '', owned: false },
    fit,
  }
  const broken = { ...found, app: '', copyOf: null, file: null, fit: null, problem: 'It is cut short.' }
  expect(showFound([found, { ...found, knownAs: 'x' }, broken]).split('\n')).toEqual([
    '  a  Jan',
    '    1 GB · Q4_K_M · gemma3 · tools: Gemma 3 tool code · fits into memory',
    '    /s/a.gguf',
    '    A copy of file:/m/a.gguf.',
    '  a  Jan',
    expect.any(String),
    '    /s/a.gguf',
    '    It is in the list already.',
    '  a',
    '    1 GB',
    '    /s/a.gguf',
    '    It cannot be used: It is cut short.',
  ])
  expect(showFound([])).toBe('There is no model.')
})
