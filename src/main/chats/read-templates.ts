import { join } from 'node:path'
import type { Template } from '../../shared/contract/chats/templates.ts'
import { variablesOf } from '../../shared/text/fill-template.ts'
import { readNamedTexts } from '../runs/prompt/named-texts.ts'

/** A template is a message that somebody does not want to write again. */
const LIMIT = 8_000
const MOST = 200
/** More than fit a form. */
const MOST_VARIABLES = 20
const FOLDER = 'templates'

/**
 * The prompt templates: those that ship with Talaria, and `templates/NAME.md` in the home, where a file of the same name counts
 * instead. Every file of one's own that cannot be used is named with the reason.
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

/** What is typed after a slash already, in the window or in a terminal. */
const COMMANDS = new Set(
  `approve branches clear compact context exit help learn memory model new personality plan quit retry schedule skills templates
  undo`.split(/\s+/),
)
