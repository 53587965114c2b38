import { dirname } from 'node:path'
import { z } from 'zod'
import { isRefusal } from '../lib/expected-errors.ts'
import { missingReason, resolveAgain, resolveFirst, shownPath } from './paths.ts'
import { readText } from './text-file.ts'
import { defineTool, type ToolResult } from './tool.ts'

const PAGE_LINES = 2_000
const PAGE_CHARACTERS = 256_000

export const readFile = defineTool({
  name: 'read_file',
  says: 'Read a text file; offset is the first line.',
  input: z.object({
    path: z.string(),
    offset: z.int().min(1).optional(),
    limit: z.int().min(1).optional(),
  }),
  toolset: 'files',
  risk: 'read',
  async intent(input, context) {
    const target = await resolveFirst(input, context, input.path)
    if (isRefusal(target)) return target
    const { path, kind, inWorkspace } = target
    if (kind === 'missing') return { refused: await missingReason(context, input.path, path) }
    if (kind === 'folder') return { refused: folderReason(input.path) }
    const title = `Read ${shownPath(context, path)}`
    return { title, detail: path, risk: 'read', inWorkspace, folder: dirname(path), path }
  },
  async run(input, context) {
    const target = await resolveAgain(input, context, input.path)
    if (isRefusal(target)) return { ok: false, reason: target.refused }
    const { path, kind } = target
    if (kind === 'missing') return { ok: false, reason: await missingReason(context, input.path, path) }
    if (kind === 'folder') return { ok: false, reason: folderReason(input.path) }
    const file = await readText(path, input.path)
    if (isRefusal(file)) return { ok: false, reason: file.refused }
    return pageOf(file.text, shownPath(context, path), input.offset ?? 1, input.limit ?? PAGE_LINES)
  },
})

const folderReason = (given: string) => `${given} is a folder. Use list_files to see what is in it.`

/** A heading, then the lines without numbers, because small models copy numbers into patches. */
function pageOf(text: string, name: string, offset: number, limit: number): ToolResult {
  if (text === '') return { ok: true, text: `${name}, empty` }
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  if (offset > lines.length) {
    return { ok: false, reason: `${name} has ${lines.length} lines, so there is no line ${offset}.` }
  }
  const page: string[] = []
  let room = PAGE_CHARACTERS
  for (const line of lines.slice(offset - 1, offset - 1 + Math.min(limit, PAGE_LINES))) {
    if (line.length > room && page.length > 0) break
    const rest = line.length - room
    page.push(rest > 0 ? `${line.slice(0, room)} [… ${rest} more characters in this line]` : line)
    room -= line.length + 1
  }
  const last = offset - 1 + page.length
  const more = last < lines.length ? [`[more from line ${last + 1}: read again with offset ${last + 1}]`] : []
  const heading = `${name}, lines ${offset}-${last} of ${lines.length}`
  return { ok: true, text: [heading, ...page, ...more].join('\n') }
}
