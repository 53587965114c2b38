import { dirname } from 'node:path'
import { z } from 'zod'
import { isRefusal } from '../lib/expected-errors.ts'
import { missingReason, resolveAgain, resolveFirst, shownPath } from './paths.ts'
import { PAGE_LINES } from './text-work.ts'
import { defineTool } from './tool.ts'
import { workOnText } from './work-on-text.ts'

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
    const file = { path, given: input.path, name: shownPath(context, path) }
    return workOnText('page', file, input.offset ?? 1, input.limit ?? PAGE_LINES)
  },
})

const folderReason = (given: string) => `${given} is a folder. Use list_files to see what is in it.`
