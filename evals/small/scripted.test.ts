import { expect, test } from 'vitest'
import { scriptedModel } from '../../testing/gguf/cached.ts'
import { scriptedEngineChild } from '../../testing/golden/scripted-engine-child.ts'
import { explainUnusable } from './ask-host.ts'
import { measureSmall } from './measure.ts'
import { RequestRow } from './row.ts'

const call = (name: string, given: object) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`

const rowOf = (text: string, expected: object | null) =>
  RequestRow.parse({ id: text, text, expect: expected })
const list = rowOf('List my files', { tool: 'list_files' })
const greet = rowOf('Hello there', null)
const write = rowOf('Write it down', { tool: 'write_file', arguments: { path: 'new.txt' } })

/**
 * Measure requests with a model that answers as a function says. `read` is the newest message that it reads.
 */
async function measured(requests: readonly RequestRow[], answer: (read: string) => string) {
  const spawnEngine = scriptedEngineChild(({ messages }) => answer(messages.at(-1)?.text ?? ''))
  return measureSmall(requests, { file: scriptedModel() }, { spawnEngine })
}

test('a real model that always calls is in a loop', { timeout: 300_000 }, async () => {
  const { rows, figures } = await measureSmall([list], {
    file: scriptedModel({ reply: call('list_files', {}) }),
  })
  expect(rows).toMatchObject([{ tool: 'list_files', ran: true, right: 'at once', ended: 'loop' }])
  expect(figures).toMatchObject({ called: 1, calledUnwanted: 0, loop: 1 })
})

test('garbage calls nothing, and of another model it is no nonsense', async () => {
  let written = 0
  const { rows, figures } = await measured([list], () => `\u{1}�ż} ${(written += 7)} <|x|> \u{9f}{"nam`)
  expect(rows).toMatchObject([{ tool: null, ran: false, right: 'no', ended: 'done' }])
  expect(figures).toMatchObject({ called: 0, rightShare: 0, nonsense: 0 })
})

test('calls are counted apart where no tool is wanted', async () => {
  const { rows, figures } = await measured([list, greet], () => call('list_files', {}))
  expect(rows).toMatchObject([
    { right: 'at once', ended: 'loop' },
    { right: 'no', ended: 'loop' },
  ])
  expect(figures).toMatchObject({ called: 1, calledUnwanted: 1, loop: 2 })
})

test.for([
  ['loop', 'I am sorry, but I cannot tell you more about that, because I am a model. '.repeat(40)],
  ['void', ' '],
] as const)('a model that only ever says the same ends in %s', async ([ended, text]) => {
  const { rows } = await measured([list, greet], () => text)
  expect(rows).toMatchObject([
    { tool: null, ran: false, right: 'no', ended },
    { tool: null, ran: false, right: 'at once', ended },
  ])
})

test('a sensible model is right at once, and what would ask is not run', async () => {
  const { rows, figures } = await measured([list, greet, write], read => {
    if (read.includes('recipes/')) return 'These are your files.'
    if (read.includes('The user denied')) return 'Then I leave it.'
    if (read.includes(list.text)) return call('list_files', {})
    return read.includes(write.text)
      ? call('write_file', { path: 'new.txt', content: 'It.' })
      : 'Good day to you.'
  })
  expect(rows).toMatchObject([
    { tool: 'list_files', ran: true, ended: 'done', right: 'at once', answer: 'These are your files.' },
    { tool: null, ended: 'done', right: 'at once', answer: 'Good day to you.' },
    { tool: 'write_file', ran: false, ended: 'asked', right: 'at once', answer: 'Then I leave it.' },
  ])
  expect(figures).toMatchObject({ rightAtOnce: 2, rightShare: 100, calledUnwanted: 0, done: 2, asked: 1 })
})

test('a question is answered once, with the choice that fits, and with the last where none does', async () => {
  const choices = ['All files', 'The notes', 'Neither']
  const ask = async (expected: object | null) => {
    const { rows } = await measured([rowOf('Have a look', expected)], read => {
      if (read.includes('answers: All files')) return call('list_files', {})
      if (read.includes('answers: The notes')) return call('read_file', { path: 'notes.md' })
      if (read.includes('answers: Neither')) return 'Then I do nothing.'
      return read.includes('Choir') || read.includes('recipes/')
        ? 'There it is.'
        : call('ask_user', { question: 'At what?', choices })
    })
    return rows[0]
  }
  const read = { tool: 'read_file', arguments: { path: 'notes.md' } }
  expect(await ask(read)).toMatchObject({
    ...read,
    asked: true,
    ran: true,
    ended: 'done',
    right: 'after a question',
  })
  const neither = { asked: true, tool: null, answer: 'Then I do nothing.', ended: 'done' }
  expect(await ask({ tool: 'memory' })).toMatchObject({ ...neither, right: 'no' })
  expect(await ask(null)).toMatchObject({ ...neither, right: 'after a question' })
})

test('a second question is not answered', async () => {
  const { rows } = await measured([rowOf('Have a look', null)], read =>
    read.includes('does not want to answer')
      ? 'So be it.'
      : call('ask_user', { question: 'At what?', choices: ['a', 'b'] }),
  )
  expect(rows).toMatchObject([{ asked: true, tool: null, ended: 'asked', answer: 'So be it.' }])
})

test('each row has its own folder, unless one is given for all', async () => {
  const listed = async (folder?: string) => {
    const spawnEngine = scriptedEngineChild(({ messages }) => {
      const read = messages.at(-1)?.text ?? ''
      return read.includes(list.text) ? call('list_files', {}) : `I read: ${read}`
    })
    const rows = [list, { ...list, id: 'b', folder: 'empty' as const }]
    const judged = await measureSmall(rows, { file: scriptedModel() }, { spawnEngine, folder })
    return judged.rows.map(({ answer }) =>
      ['recipes/', 'The workspace is empty', 'ask-host.ts'].filter(each => answer.includes(each)),
    )
  }
  expect(await listed()).toEqual([['recipes/'], ['The workspace is empty']])
  expect(await listed('empty')).toEqual([['The workspace is empty'], ['The workspace is empty']])
  expect(await listed(import.meta.dirname)).toEqual([['ask-host.ts'], ['ask-host.ts']])
})

test('a file that is no model is told as the product tells it', { timeout: 120_000 }, async () => {
  expect(await explainUnusable('builtin')).toBeUndefined()
  expect(await explainUnusable({ file: import.meta.filename })).toMatch(/GGUF/)
})
