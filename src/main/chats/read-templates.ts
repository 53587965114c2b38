import { join } from 'node:path'
import type { Template } from '../../shared/contract/chats/templates.ts'
import { variablesOf } from '../../shared/text/fill-template.ts'
import { readNamedTexts } from '../runs/prompt/named-texts.ts'

/** Maximum length of a template, which is a message to reuse, in characters. */
const LIMIT = 8_000
const MOST = 200
/** Maximum number of variables; more do not fit into a form. */
const MOST_VARIABLES = 20
const FOLDER = 'templates'

/**
 * Read the prompt templates: those that ship with Talaria, and `templates/NAME.md` in the home, which
 * override them by name. Each of the user's files that cannot be used is listed with the reason.
 */
export async function readTemplates(home: string): Promise<{ templates: Template[]; folder: string }> {
  const texts = await readNamedTexts(home, {
    folder: FOLDER,
    name: /^([a-z0-9][a-z0-9_-]{0,31})\.md$/i,
    limit: LIMIT,
    most: MOST,
    whyOtherName: 'has a name that cannot be typed after a slash: use letters, digits, - and _, at most 32',
  })
  const templates = texts.map(each => {
    const variables = variablesOf(each.text)
    const tooMany = variables.length > MOST_VARIABLES
    const isTaken = COMMANDS.has(each.name)
    const problem =
      each.problem ??
      (isTaken ? 'has the name of a command' : tooMany ? `has more than ${MOST_VARIABLES} variables` : null)
    return problem === null ? { ...each, variables } : { ...each, problem, text: '', variables: [] }
  })
  return { templates, folder: join(home, FOLDER) }
}

/** Names already used after a slash, in the window or in a terminal. */
const COMMANDS = new Set(
  `approve branches clear compact context exit help learn memory model new personality plan quit retry schedule skills templates
  undo`.split(/\s+/),
)
