import { dirname } from 'node:path'
import { z } from 'zod'
import { isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { diffTexts } from './diff.ts'
import { resolveAgain, resolveFirst, shownPath, type Target, type Where } from './paths.ts'
import { sizeInWords } from './text-file.ts'
import type { NamedFile } from './text-work.ts'
import { defineTool } from './tool.ts'
import { replaceKept, workOnText } from './work-on-text.ts'

export const writeFile = defineTool({
  name: 'write_file',
  says: 'Create a text file or replace all of it.',
  input: z.object({ path: z.string(), content: z.string() }),
  toolset: 'files',
  risk: 'write',
  async intent(input, context) {
    const target = await resolveFirst(input, context, input.path, { forWrite: true })
    if (isRefusal(target)) return target
    const { path, kind, inWorkspace } = target
    const file = namedFile(input.path, target, context)
    if (isRefusal(file)) return file
    const change =
      kind === 'missing'
        ? { diff: diffTexts('', input.content) }
        : await workOnText('compare', file, input.content)
    if (isRefusal(change)) return change
    const nothing = kind === 'missing' ? '(an empty file)' : '(nothing changes)'
    return {
      title: `${kind === 'missing' ? 'Create' : 'Replace'} ${file.name}`,
      detail: change.diff || nothing,
      risk: 'write',
      inWorkspace,
      folder: dirname(path),
      path,
    }
  },
  async run(input, context) {
    const target = await resolveAgain(input, context, input.path, { forWrite: true })
    if (isRefusal(target)) return { ok: false, reason: target.refused }
    const file = namedFile(input.path, target, context)
    if (isRefusal(file)) return { ok: false, reason: file.refused }
    const isNew = target.kind === 'missing'
    const refused = isNew ? undefined : await workOnText('refuseReplacing', file)
    if (refused) return { ok: false, reason: refused.refused }
    const failed = await replaceKept(context, file, input.content)
    if (failed) return failed
    const size = sizeInWords(Buffer.byteLength(input.content))
    return { ok: true, text: `${isNew ? 'Created' : 'Replaced'} ${file.name} (${size}).` }
  },
})

/** The file that a call would write. */
function namedFile(given: string, { path, kind }: Target, where: Where): NamedFile | Refusal {
  if (kind === 'folder') return { refused: `${given} is a folder, so it cannot be written as a file.` }
  return { path, given, name: shownPath(where, path) }
}
