import type { Personality } from '../../../shared/contract/chats/session.ts'
import type { Refusal } from '../../lib/expected-errors.ts'
import { nearNames } from '../../lib/words/similarity.ts'
import { readNamedTexts } from './named-texts.ts'

/** “off” is reserved: it ends a style. */
const NAME = /^(?!off\.)([a-z0-9][a-z0-9_-]{0,31})\.md$/i
/** Maximum characters of a style: it is in every prompt of its chats. */
const LIMIT = 600
const MOST = 50

/**
 * The styles of answering, by name: those shipped with Talaria, and `personalities/NAME.md` in the home,
 * which override shipped styles of the same name. An unusable file has a `problem` and no text. Files with
 * other names are skipped, and so are files beyond 50 in a folder.
 */
export async function readPersonalities(home: string): Promise<Personality[]> {
  return readNamedTexts(home, { folder: 'personalities', name: NAME, limit: LIMIT, most: MOST })
}

/** The style of that name, or why it cannot be used. */
export async function findPersonality(home: string, name: string): Promise<Personality | Refusal> {
  const all = await readPersonalities(home)
  const found = all.find(each => each.name === name.toLowerCase())
  if (found && found.problem === null) return found
  if (found) return { refused: `The style “${found.name}” cannot be used: its file ${found.problem}.` }
  const usable = all.filter(each => each.problem === null).map(each => each.name)
  const [near] = nearNames(name, [...usable, 'off'], 1)
  const hint = near === undefined ? `There are: ${usable.join(', ')}.` : `Did you mean “${near}”?`
  return { refused: `There is no answering style with that name. ${hint}` }
}
