import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readFileStart } from '../../lib/disk/read-file-start.ts'
import { fileErrorCode, type Refusal } from '../../lib/expected-errors.ts'
import { resourcePath } from '../../lib/disk/shipped-files.ts'
import { unsafeReason } from '../../untrusted/unsafe-text.ts'

/** A named text for prompts, from a file. `problem` continues “Its file …”; such a text is empty. */
export type NamedText = { name: string; text: string; own: boolean; problem: string | null }

type Kind = {
  /** The folder, both in the home and among the shipped resources. */
  folder: string
  /** File names that count. The first group is the name of the text. */
  name: RegExp
  /** Maximum characters of a text, and maximum number of files to read. */
  limit: number
  most: number
  /** The problem of a `.md` file with any other name; without it, such files are skipped. */
  whyOtherName?: string
}

/**
 * The texts of a kind by name: those shipped with Talaria, and those in the home, which override shipped
 * files of the same name. They enter prompts, so they are checked like texts of strangers.
 */
export async function readNamedTexts(home: string, kind: Kind): Promise<NamedText[]> {
  const shipped = await readFolder(resourcePath(kind.folder), false, kind)
  const own = await readFolder(join(home, kind.folder), true, kind)
  const byName = new Map([...shipped, ...own].map(each => [each.name, each]))
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

async function readFolder(folder: string, own: boolean, kind: Kind): Promise<NamedText[]> {
  const files = await readdir(folder).catch((error: unknown) => {
    fileErrorCode(error)
    return []
  })
  const sorted = files.toSorted((a, b) => (a < b ? -1 : 1))
  const read = await Promise.all(
    sorted
      .filter(file => kind.name.test(file))
      .slice(0, kind.most)
      .map(async file => {
        const text = await readText(join(folder, file), kind.limit)
        const problem = problemOf(text, kind.limit)
        return {
          name: file.replace(kind.name, '$1').toLowerCase(),
          text: problem === null && typeof text === 'string' ? text : '',
          own,
          problem,
        }
      }),
  )
  if (kind.whyOtherName === undefined) return read
  const others = sorted.filter(file => !kind.name.test(file) && /\.md$/i.test(file)).slice(0, kind.most)
  const { whyOtherName: problem } = kind
  return [...read, ...others.map(file => ({ name: file.slice(0, 100), text: '', own, problem }))]
}

/** Read the text of a file. Links are refused, because a link could lead to any of the user's files. */
async function readText(path: string, limit: number): Promise<string | Refusal> {
  try {
    if ((await lstat(path)).isSymbolicLink()) return { refused: 'is a link' }
  } catch (error) {
    fileErrorCode(error)
  }
  return (await readFileStart(path, limit))?.trim() ?? { refused: 'cannot be read as text' }
}

/** Why a text cannot be used, as a phrase that continues “Its file …”. */
function problemOf(text: string | Refusal, limit: number): string | null {
  if (typeof text !== 'string') return text.refused
  if (text === '') return 'is empty'
  if (text.includes('\uFFFD')) return 'cannot be read as text'
  if (text.length > limit) return `is longer than ${limit.toLocaleString('en-US')} characters`
  if (/(?![\t\n\r])\p{Cc}/u.test(text)) return 'holds invisible characters'
  return unsafeReason(text) ?? null
}
