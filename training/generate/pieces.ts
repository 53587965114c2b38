import { formats } from '../../src/main/models/formats/format-table.ts'
import { writeCalls } from '../../src/main/models/formats/write-calls.ts'
import { oneLine } from '../../src/main/skills/prompt-index.ts'
import { readSkillText } from '../../src/main/skills/files/read-skill.ts'
import { createDesk } from './desk/desk.ts'
import { fixedAnswers } from './fixed-answers.ts'
import { readBundled, sha256, texts, type Product } from './product.ts'
import { promptOf } from './prompt-of.ts'
import { reviewText, summaryText, triageText } from './questions.ts'

/** What a tokenizer takes as one piece each, and what tells a training from a product that has changed since. */
export type Pieces = { pieces: string[]; promptHash: string; toolsHash: string }

const MARKS = ['<tool_call>', '</tool_call>']
const KINDS = [['memory', 'skills'], ['memory'], ['skills']] as const
/** A text that stands for any other; no prompt holds it. */
const HOLE = '\u0001'
const bundled = readBundled()

/** All texts that never change: lines of the prompts, the frame of each call, the beginnings of results, whole answers. */
export function piecesOf(product: Product): Pieces {
  const prompts = promptLines(product)
  const all = [
    ...MARKS,
    ...prompts,
    ...skillLines(),
    ...callParts(),
    ...resultParts(product),
    ...fixedAnswers,
  ]
  // A piece that begins with a space would differ from the same text behind a quote or a line break.
  const pieces = all
    .map(piece => piece.replace(/^ +/, ''))
    .filter(piece => piece.length > 2 && !piece.includes(HOLE))
  return {
    pieces: [...new Set(pieces)],
    promptHash: sha256(prompts.join('\n')),
    toolsHash: sha256(JSON.stringify(product.tools)),
  }
}

/** Lines of the chat's prompt and of the product's questions behind a conversation, cut where something is filled in. */
function promptLines({ tools }: Product): string[] {
  const around = { tools, workspace: HOLE, today: new Date(2026, 0, 1), contextTokens: 100_000 }
  const noTools = promptOf(createDesk(), { ...around, tools: [] })
  const plain = promptOf({ ...createDesk(), skills: bundled }, around)
  const full = [
    noTools,
    plain,
    'More skills: ',
    '## About the user (',
    '## Your notes (',
    '## Your notes about this folder',
    '% full)',
  ]
  const questions = KINDS.flatMap(kinds => [
    triageText({ kinds, rules: [{ text: HOLE }] }),
    reviewText({ kinds, rules: [] }, HOLE),
  ])
  const summaries = [true, false].map(hasEarlier => summaryText({ words: 0, focus: HOLE, hasEarlier }))
  const { summary: frame } = texts.conversation
  const framed = frame.opening + HOLE + frame.ending
  const headings = texts.questions.summary.headings.map(section => `## ${section}`)
  const lines = [...full, ...questions, ...summaries, framed, ...headings].flatMap(text => text.split('\n'))
  const cut = lines.flatMap(line =>
    line.split(HOLE).flatMap(part => part.split(/\b0(?= words)|\d{4}-\d\d-\d\d/)),
  )
  return [...new Set(cut)].filter(line => line !== '' && !MARKS.includes(line) && !line.startsWith('{"name"'))
}

/** Lines of the skills that ship: in the list of them, and in their steps. */
const skillLines = (): string[] =>
  bundled.flatMap(({ name, description, text }) => [
    `- ${name}: ${oneLine(description, 160)}`,
    ...readSkillText(text, name)
      .body.split('\n')
      .filter(line => line.length > 12),
    name,
  ])

const TARGETS = ['user', 'memory', 'project']
/** The arguments that are given together. */
const SHAPES: readonly [name: string, given: Record<string, unknown>][] = [
  ['terminal', { command: HOLE }],
  ['read_file', { path: HOLE }],
  ['read_file', { path: HOLE, limit: 1 }],
  ['write_file', { path: HOLE, content: HOLE }],
  ['patch_file', { path: HOLE, old_string: HOLE, new_string: HOLE }],
  ['list_files', {}],
  ['list_files', { path: HOLE }],
  ['search_files', { pattern: HOLE }],
  ['search_files', { pattern: HOLE, path: HOLE }],
  ['search_files', { pattern: HOLE, glob: `*.${HOLE}` }],
  ...TARGETS.flatMap((target): [string, Record<string, unknown>][] => [
    ['memory', { target, action: 'add', content: HOLE }],
    ['memory', { target, action: 'replace', content: HOLE, old_text: HOLE }],
    ['memory', { target, action: 'remove', old_text: HOLE }],
  ]),
  ['session_search', {}],
  ['session_search', { query: HOLE }],
  ['skills_list', {}],
  ['skill_view', { name: HOLE }],
  ['skill_manage', { action: 'create', name: HOLE, description: HOLE, content: HOLE }],
  ['skill_manage', { action: 'patch', name: HOLE, old_string: HOLE, new_string: HOLE }],
  ['skill_manage', { action: 'delete', name: HOLE }],
]

/** What stands around the texts of a call. Marks are cut off, because the engine reads them by themselves. */
function callParts(): string[] {
  const written = SHAPES.map(([name, given]) => writeCalls(formats.hermes, [{ name, arguments: given }]).text)
  const between = written.map(text => text.replaceAll(new RegExp(MARKS.join('|'), 'g'), ''))
  return between.flatMap(text =>
    text.split(JSON.stringify(HOLE).slice(1, -1)).flatMap(part => part.split(HOLE)),
  )
}

/** How results begin, and those that are always the same. */
const resultParts = ({ tools }: Product): string[] => [
  ...tools.map(tool => `[Tool Result: ${tool.name}] `),
  ...[
    'Entry added.',
    'Entry replaced.',
    'Entry removed.',
    'Entry already exists.',
    'Skill created.',
    'Skill patched.',
    'Skill deleted.',
  ].map(message => `{"success": true, "message": ${JSON.stringify(message)}}`),
  'exit code ',
  '(no output)',
  'Error: ',
  'The workspace, ',
  'The workspace is empty',
  'does not exist. Near it: ',
  'does not exist. List the folder to see what does.',
  'Nothing was found in earlier chats. Other words may help: names, numbers, the thing itself.',
  'The user denied this call. Do not try it again in another way; go on without it or ask.',
  'The user denied this call and says: “',
]
