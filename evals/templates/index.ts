import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseJson } from '../../src/main/lib/expected-errors.ts'
import { fail, printFigures } from '../command-line.ts'
import { Conversations, usualConversations, type Conversation } from './conversations.ts'
import { describeOne } from './describe.ts'

const USAGE = `Usage: npm run -s eval:templates -- FOLDER [--conversations FILE.json]
FOLDER holds chat templates (.jinja, .jinja2, .txt). The file is a list of {name, system?, messages: [{role, text, calls?, name?}]}.`

/**
 * Says how the product handles every chat template in a folder: one JSON line for each template, with the
 * prompts that it writes, and finally the figures.
 */
function main(args: string[]): void {
  const { folder, conversations } = readArguments(args)
  const rows = templatesIn(folder).map(path =>
    describeOne(basename(path), readFileSync(path, 'utf8'), conversations),
  )
  if (rows.length === 0) fail(`${folder} has no chat templates.`)
  for (const row of rows) console.log(JSON.stringify(row))
  const count = (is: (row: (typeof rows)[number]) => boolean) => rows.filter(is).length
  printFigures('templates', {
    templates: rows.length,
    own: count(({ used }) => used === 'own'),
    toolRole: count(({ toolRole }) => toolRole),
    appendOnly: count(({ appendOnly }) => appendOnly),
    dialectFromTemplate: count(({ from }) => from === 'template'),
  })
}

function templatesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter(name => /\.(jinja2?|txt)$/.test(name))
      .toSorted()
      .map(name => join(folder, name))
  } catch (error) {
    return fail(`${folder} cannot be read: ${(error as Error).message}`)
  }
}

function readArguments(args: string[]): { folder: string; conversations: readonly Conversation[] } {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { conversations: { type: 'string' } },
    })
    const [folder, ...others] = positionals
    if (folder === undefined || others.length > 0) return fail(USAGE)
    const path = values.conversations
    return { folder, conversations: path === undefined ? usualConversations : readConversations(path) }
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
  }
}

function readConversations(path: string): readonly Conversation[] {
  const read = Conversations.safeParse(parseJson(readFileSync(path, 'utf8')))
  if (read.success) return read.data
  const [issue] = read.error.issues
  return fail(
    `${path} has no conversations: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')}`,
  )
}

main(process.argv.slice(2))
