import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  alternatingTemplate,
  chatmlTemplate,
  familyTemplates,
  thinkingTemplate,
  toolsTemplate,
} from '../../testing/gguf/templates.ts'
import { Conversations } from './conversations.ts'
import { describeOne } from './describe.ts'

const folder = new URL('../../testing/golden/prompts/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

// `make-prompt-goldens.py` wrote the prompts with Jinja2, for each template and conversation, set up as in
// transformers.
const rows = JSON.parse(read('goldens.json')) as {
  template: string
  conversation: string
  right?: string
  refused?: string
}[]
const conversations = Conversations.parse(JSON.parse(read('conversations.json')))
const families = JSON.parse(read('families.json')) as Record<string, string>
const files: Record<string, string> = Object.fromEntries(
  readdirSync(folder)
    .filter(name => name.endsWith('.jinja'))
    .map(name => [name.slice(0, -'.jinja'.length), read(name)]),
)
const templates: Record<string, string> = {
  ...families,
  ...files,
  'windows-line-ends': files['ordinary-tags']?.replaceAll('\n', '\r\n') ?? '',
}

const withCalls = ['call', 'two calls', 'after a call', 'three rounds']
const withSystem = ['question', 'chat', 'odd texts', 'call', 'two calls', 'three rounds']

/** The prompts that differ from those of Jinja2 on purpose. */
const intended: { because: string; templates: readonly string[]; conversations: readonly string[] }[] = [
  {
    because:
      'The template leaves calls out, and a model must see its own calls. So they are text, and their results are messages.',
    templates: ['blank-line-before-the-start', 'content-in-parts', 'dates-in-english', 'texts-are-trimmed'],
    conversations: withCalls,
  },
  {
    because: 'Blanks at the ends of texts are kept: they belong to what a person or a tool wrote.',
    templates: ['llama3', 'gemma3', 'gemma4', 'mistral', 'texts-are-trimmed'],
    conversations: ['odd texts'],
  },
  {
    because:
      'The system text stays with the first question. Moving on to the last one, it would have the whole chat read anew.',
    templates: ['mistral'],
    conversations: ['chat'],
  },
  {
    because: 'The tools are in the system text, so an empty list of tools would contradict it.',
    templates: ['empty-tool-list', 'tools-in-a-turn-of-their-own'],
    conversations: withSystem,
  },
  {
    because:
      'Results have the marks of the training, which this template writes only when it is given tools.',
    templates: ['frames-only-with-tools'],
    conversations: withCalls,
  },
  {
    because:
      'A result carries the id that its call has in the prompt, which the template makes up on its own.',
    templates: ['ids-by-place'],
    conversations: withCalls,
  },
]

const written: Record<string, Record<string, string>> = {}
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 8, 9, 5, 7) })
  for (const [name, source] of Object.entries(templates))
    written[name] = describeOne(name, source, conversations, []).prompts
})
afterAll(() => void vi.useRealTimers())

const place = (template: string, conversation: string) => `${template}: ${conversation}`
const onPurpose = new Set(
  intended.flatMap(each =>
    each.templates.flatMap(template => each.conversations.map(conversation => place(template, conversation))),
  ),
)

test('every prompt is that of Jinja2, but for the named differences', () => {
  const compared = rows.filter(({ right }) => right !== undefined)
  const same = compared.filter(row => !onPurpose.has(place(row.template, row.conversation)))
  const own = same.map(row => ({ ...row, right: written[row.template]?.[row.conversation] }))
  expect(own).toEqual(same)
  expect(same.length).toBeGreaterThan(180)
})

test('each named difference is one', () => {
  const differ = rows.filter(
    ({ template, conversation, right }) => right !== undefined && written[template]?.[conversation] !== right,
  )
  expect(new Set(differ.map(row => place(row.template, row.conversation)))).toEqual(onPurpose)
})

test('what Jinja2 refuses is written all the same, with every text in order', () => {
  const refused = rows.filter(row => row.refused !== undefined)
  expect(refused.length).toBeGreaterThan(8)
  for (const { template, conversation } of refused) {
    const told = conversations.find(({ name }) => name === conversation)
    const texts = [told?.system ?? '', ...(told?.messages ?? []).map(({ text }) => text)]
    const prompt = written[template]?.[conversation] ?? ''
    let at = 0
    for (const text of texts) {
      const found = prompt.indexOf(text, at)
      expect([template, conversation, text, found >= at]).toEqual([template, conversation, text, true])
      at = found + text.length
    }
  }
})

test('the goldens are of the templates and conversations of today', () => {
  expect(families).toEqual({
    ...familyTemplates,
    chatmlTemplate,
    toolsTemplate,
    alternatingTemplate,
    thinkingTemplate,
  })
  expect(new Set(rows.map(({ template }) => template))).toEqual(new Set(Object.keys(templates)))
  expect(new Set(rows.map(({ conversation }) => conversation))).toEqual(
    new Set(conversations.map(({ name }) => name)),
  )
})
