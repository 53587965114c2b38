import { lstatSync } from 'node:fs'
import { z } from 'zod'
import { isRefusal } from '../../lib/expected-errors.ts'
import { leaveOut, shortName, type LeftOut } from '../search/left-out-files.ts'
import { missingReason, resolveAgain, resolveFirst, shownPath } from '../../files/paths/resolve-path.ts'
import { sizeInWords } from '../../files/read-text-file.ts'
import { defineTool } from '../registry/tool.ts'
import { walkFolder, type WalkReason } from '../../files/walk-folder.ts'
import { byCount } from '../../../shared/text/amounts.ts'
import { tellListing } from '../tell/tell-files.ts'

const MOST_SHOWN = 400
const MOST_WALKED = 20_000

export const listFiles = defineTool({
  name: 'list_files',
  tell: tellListing,
  says: 'List a folder; depth is how many levels.',
  input: z.object({ path: z.string().optional(), depth: z.int().min(1).max(20).optional() }),
  toolset: 'files',
  risk: 'read',
  async intent(input, context) {
    const target = await resolveFirst(input, context, input.path || '.', { guess: 'folder' })
    if (isRefusal(target)) return target
    const { path, kind, inWorkspace } = target
    if (kind === 'missing') return { refused: await missingReason(context, target.given, path) }
    if (kind === 'file') return { refused: fileReason(target.given) }
    const shown = shownPath(context, path)
    const name = shown === '.' ? 'the workspace' : shown
    return { title: `List ${name}`, detail: path, risk: 'read', inWorkspace, folder: path, path }
  },
  async run(input, context) {
    const target = await resolveAgain(input, context, input.path || '.', { guess: 'folder' })
    if (isRefusal(target)) return { ok: false, reason: target.refused }
    const { path, kind } = target
    if (kind === 'missing') return { ok: false, reason: await missingReason(context, target.given, path) }
    if (kind === 'file') return { ok: false, reason: fileReason(target.given) }
    return { ok: true, text: list(path, shownPath(context, path), input.depth ?? 1) }
  },
})

const fileReason = (given: string) => `${given} is a file. Use read_file to read it.`

function list(folder: string, name: string, depth: number): string {
  const leftOut: LeftOut = {}
  let count = 0
  const lines: string[] = []
  const onLeftOut = (each: string, reason: WalkReason, isFolder: boolean) => {
    // A folder at the last level is listed as an entry, so it does not count as left out.
    if (reason !== 'deep' && reason !== 'git')
      leaveOut(leftOut, reason, isFolder && each !== '.' ? `${each}/` : each)
  }
  for (const { path, name: shown, kind } of walkFolder(folder, { depth, hidden: true, onLeftOut })) {
    if (count >= MOST_WALKED) break
    count += 1
    if (lines.length >= MOST_SHOWN) continue
    if (kind === 'folder') lines.push(`${shown}/`)
    else if (kind === 'link') lines.push(`${shown} (link)`)
    else lines.push(`${shown} (${sizeOf(path)})`)
  }
  const many = count >= MOST_WALKED ? `at least ${count}` : `${count}`
  const place = name === '.' ? 'The workspace' : `${name}/`
  const notes = [
    ...(count > lines.length ? [`[only the first ${lines.length} are shown; list a folder below]`] : []),
    ...notesOf(leftOut),
  ]
  const heading =
    count === 0 && notes.length === 0
      ? `${place} is empty`
      : `${place}, ${many} ${byCount(count, 'entry', 'entries')}`
  return [heading, ...lines, ...notes].join('\n')
}

function notesOf({ ignored, modules, unreadable }: LeftOut): string[] {
  return [
    ...(ignored ? [`[${ignored.count} more left out by .gitignore]`] : []),
    ...(modules
      ? [`[not entered: ${modules.names.map(each => shortName(each)).join(', ')}; list it by its path]`]
      : []),
    ...(unreadable
      ? [`[could not be read: ${unreadable.names.map(each => shortName(each)).join(', ')}]`]
      : []),
  ]
}

function sizeOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats ? sizeInWords(stats.size) : 'gone'
}
