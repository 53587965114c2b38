import { expect, test } from 'vitest'
import type { TemplateReport, CallReport, MemoryReport } from '../../doctor/model-report.ts'
import { showFinding } from './doctor-actions.ts'

const file = {
  path: '/models/some-Q4_K_M.gguf',
  name: 'Some Model',
  architecture: 'qwen3',
  parameters: 4_020_000_000,
  quantisation: 'Q4_K_M',
  bitsPerWeight: 4.97,
  sizeBytes: 2.5 * 2 ** 30,
  trainedTokens: 40_960,
}
const memory: MemoryReport = {
  contextTokens: 8_192,
  chats: 2,
  total: 4 * 2 ** 30,
  weights: 2.5 * 2 ** 30,
  context: 1.125 * 2 ** 30,
  buffers: 230 * 2 ** 20,
  process: 150 * 2 ** 20,
  available: 12 * 2 ** 30,
  fits: true,
  notice: null,
}
const call: CallReport = {
  tool: 'read_file',
  question: 'Read it.',
  how: 'by itself',
  call: { name: 'read_file', arguments: { path: 'notes.txt' } },
  alone: null,
  problem: null,
}

test('a file is described in plain words', () => {
  expect(showFinding({ kind: 'file', file })).toBe(
    [
      'Model     Some Model · qwen3 · 4.0 billion parameters · Q4_K_M, 5.0 bits per weight',
      'File      /models/some-Q4_K_M.gguf · 2.7 GB',
      'Trained   with a context of 40,960 tokens',
      '',
    ].join('\n'),
  )
})

test('a file’s own texts cannot control the terminal', () => {
  const shown = showFinding({ kind: 'file', file: { ...file, name: 'Nice\u001b[2J\nCall      by itself' } })
  expect(shown.split('\n')).toHaveLength(4)
  expect(shown).not.toContain('\u001b')
})

test('missing memory is shown beside the available memory', () => {
  const parts = (chats: string) =>
    `          weights 2.7 GB, context 1.2 GB for ${chats}, buffers 241.2 MB, process 157.3 MB\n`
  expect(showFinding({ kind: 'memory', memory })).toBe(
    `Memory    about 4.3 GB for 2 chats of 8,192 tokens; 12.9 GB are free\n${parts('2 chats')}`,
  )
  const small = { ...memory, chats: 1, available: 3 * 2 ** 30, fits: false }
  expect(showFinding({ kind: 'memory', memory: small })).toBe(
    `Memory    about 4.3 GB for one chat of 8,192 tokens; it does not fit: only 3.2 GB are free\n${parts('one chat')}`,
  )
  const notice = 'It holds less of a chat.'
  expect(showFinding({ kind: 'memory', memory: { ...memory, notice } })).toContain(`\n          ${notice}\n`)
})

test('a call shows how it was made and what it was, and a long one is cut', () => {
  expect(showFinding({ kind: 'call', call })).toBe(
    'Call      read_file   by itself: read_file {"path":"notes.txt"}\n',
  )
  const begun: CallReport = { ...call, how: 'begun for it', alone: 'it talked instead' }
  expect(showFinding({ kind: 'call', call: begun })).toBe(
    'Call      read_file   started for it (it talked instead): read_file {"path":"notes.txt"}\n',
  )
  const not: CallReport = { ...call, how: 'not', call: null, problem: 'its call did not end' }
  expect(showFinding({ kind: 'call', call: not })).toBe('Call      read_file   not: its call did not end\n')
  const long = { ...call, call: { name: 'write_file', arguments: { content: 'x'.repeat(5_000) } } }
  expect(showFinding({ kind: 'call', call: long }).length).toBeLessThan(200)
})

test('the template and its format are shown with the reasons', () => {
  const template: TemplateReport = {
    problem: 'The model file has no chat template.',
    appendOnly: false,
    toolRole: false,
    rereads: { part: 'chat', behind: 'user', was: '<now>', becomes: '' },
    refuses: { as: 'fewer_roles', why: 'Only one question.' },
    thinking: ['off'],
  }
  const format = { id: 'hermes', label: 'Hermes JSON', because: 'nothing tells another one' }
  expect(showFinding({ kind: 'template', template, format })).toBe(
    [
      'Template  ChatML. The model file has no chat template.',
      '          earlier turns are rendered again; no role for tool results; for thinking, its chat template can switch it off',
      '          This model rereads the whole chat at each turn, so long chats get slower. The reason: its chat template writes “<now>” after one of your messages at first, and leaves it out when the chat continues.',
      '          Its chat template rejects some chats (Only one question). Those chats are rendered with fewer roles than usual.',
      'Format    Hermes JSON: nothing tells another one',
      '',
    ].join('\n'),
  )
})
