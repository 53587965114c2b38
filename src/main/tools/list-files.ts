import { lstatSync } from 'node:fs'
import { relative } from 'node:path'
import { z } from 'zod'
import { isRefusal } from '../lib/expected-errors.ts'
import { missingReason, resolveAgain, resolveFirst, shownPath } from './paths.ts'
import { sizeInWords } from './text-file.ts'
import { defineTool } from './tool.ts'
import { withSlashes, walkFolder } from './walk.ts'
import { byCount } from '../../shared/amounts.ts'

const MOST_SHOWN = 400
const MOST_WALKED = 20_000

export const listFiles = defineTool({
  name: 'list_files',
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
  let ignored = 0
  let count = 0
  const lines: string[] = []
  for (const { path, kind } of walkFolder(folder, { depth, hidden: true, onIgnored: () => (ignored += 1) })) {
    if (count >= MOST_WALKED) break
    count += 1
    if (lines.length >= MOST_SHOWN) continue
    const shown = withSlashes(relative(folder, path))
    if (kind === 'folder') lines.push(`${shown}/`)
    else if (kind === 'link') lines.push(`${shown} (link)`)
    else lines.push(`${shown} (${sizeOf(path)})`)
  }
  const many = count >= MOST_WALKED ? `at least ${count}` : `${count}`
  const place = name === '.' ? 'The workspace' : `${name}/`
  const notes = [
    ...(count > lines.length ? [`[only the first ${lines.length} are shown; list a folder below]`] : []),
    ...(ignored > 0 ? [`[${ignored} more left out by .gitignore]`] : []),
  ]
  const heading =
    count === 0 ? `${place} is empty` : `${place}, ${many} ${byCount(count, 'entry', 'entries')}`
  return [heading, ...lines, ...notes].join('\n')
}

function sizeOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats ? sizeInWords(stats.size) : 'gone'
}
