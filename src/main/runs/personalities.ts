import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Personality } from '../../shared/contract/session.ts'
import { fileErrorCode, type Refusal } from '../lib/expected-errors.ts'
import { resourcePath } from '../lib/shipped-files.ts'
import { nearNames } from '../lib/similarity.ts'
import { unsafeReason } from '../memory/unsafe-text.ts'
import { readFileStart } from '../agent/project-context.ts'

/** “off” is what ends a style. */
const NAME = /^(?!off\.)([a-z0-9][a-z0-9_-]{0,31})\.md$/i
/** A style is a few sentences: it is in every prompt of its chats. */
const LIMIT = 600
const MOST = 50

/**
 * The styles of answering, by name: those that ship with Talaria, and `personalities/NAME.md` in the home, where a file of the
 * same name counts instead. A file that cannot be used has a `problem` and no text. Files with other names are skipped, and so
 * is what goes beyond 50 in a folder.
 */
export async function readPersonalities(home: string): Promise<Personality[]> {
  const shipped = await readFolder(resourcePath('personalities'), false)
  const own = await readFolder(join(home, 'personalities'), true)
  const byName = new Map([...shipped, ...own].map(each => [each.name, each]))
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
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
  return { refused: `There is no style of answering with that name. ${hint}` }
}

async function readFolder(folder: string, own: boolean): Promise<Personality[]> {
  const files = await readdir(folder).catch((error: unknown) => {
    fileErrorCode(error)
    return []
  })
  const named = files.filter(file => NAME.test(file)).toSorted()
  return Promise.all(
    named.slice(0, MOST).map(async file => {
      const text = await readText(join(folder, file))
      const problem = problemOf(text)
      return {
        name: file.replace(NAME, '$1').toLowerCase(),
        text: problem === null && typeof text === 'string' ? text : '',
        own,
        problem,
      }
    }),
  )
}

/** The text of a style; of a link nothing, because it could lead to any of the person's files. */
async function readText(path: string): Promise<string | Refusal> {
  try {
    if ((await lstat(path)).isSymbolicLink()) return { refused: 'is a link' }
  } catch (error) {
    fileErrorCode(error)
  }
  return (await readFileStart(path, LIMIT))?.trim() ?? { refused: 'cannot be read as text' }
}

/** Why a style cannot be used, as a phrase that continues “Its file …”. */
function problemOf(text: string | Refusal): string | null {
  if (typeof text !== 'string') return text.refused
  if (text === '') return 'is empty'
  if (text.includes('\uFFFD')) return 'cannot be read as text'
  if (text.length > LIMIT) return `is longer than ${LIMIT} characters`
  if (/(?![\t\n\r])\p{Cc}/u.test(text)) return 'holds invisible characters'
  return unsafeReason(text) ?? null
}
