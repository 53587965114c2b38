import { dirname } from 'node:path'
import { z } from 'zod'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { diffTexts } from '../../files/diff-texts.ts'
import { watchObeyed, whoObeysTarget } from './obeyed-file.ts'
import { plainPath } from '../../files/paths/plain-path.ts'
import {
  resolveAgain,
  resolveFirst,
  shownPath,
  type Target,
  type Where,
} from '../../files/paths/resolve-path.ts'
import { sizeInWords } from '../../files/read-text-file.ts'
import type { NamedFile } from './file-jobs.ts'
import { defineTool } from '../registry/tool.ts'
import { replaceKept, runFileJob } from './run-file-job.ts'
import { tellWriting } from '../tell/tell-changes.ts'

export const writeFile = defineTool({
  name: 'write_file',
  tell: tellWriting,
  says: 'Create a text file or replace all of it.',
  input: z.object({ path: z.string(), content: z.string() }),
  toolset: 'files',
  risk: 'write',
  async intent(input, context) {
    const target = await resolveFirst(input, context, input.path, { forWrite: true })
    if (isRefusal(target)) return target
    const { path, kind, inWorkspace } = target
    const file = namedFile(target, context)
    if (isRefusal(file)) return file
    const change: { diff: string; keeps?: string } | Refusal =
      kind === 'missing'
        ? { diff: diffTexts('', input.content) }
        : await runFileJob('rewrite', file, [input.content], context)
    if (isRefusal(change)) return change
    const nothing = kind === 'missing' ? '(an empty file)' : '(nothing changes)'
    const keeps = change.keeps ? `\n\n${change.keeps}` : ''
    return {
      title: `${kind === 'missing' ? 'Create' : 'Replace'} ${file.name}`,
      detail: (change.diff || nothing) + keeps,
      risk: 'write',
      inWorkspace,
      folder: dirname(path),
      path,
      obeyed: whoObeysTarget(context, target),
    }
  },
  async run(input, context) {
    const target = await resolveAgain(input, context, input.path, { forWrite: true })
    if (isRefusal(target)) return { ok: false, reason: target.refused }
    const file = namedFile(target, context)
    if (isRefusal(file)) return { ok: false, reason: file.refused }
    const isNew = target.kind === 'missing'
    const rewritten = isNew ? undefined : await runFileJob('rewrite', file, [input.content], context)
    if (isRefusal(rewritten)) return { ok: false, reason: rewritten.refused }
    // Bytes transferred to a thread are gone here, so count them first.
    const bytes = rewritten?.bytes.byteLength ?? Buffer.byteLength(input.content)
    const tell = await watchObeyed(context, target)
    const told = tell(rewritten ? rewritten.bytes : input.content)
    const failed = await replaceKept(context, file, rewritten?.bytes ?? input.content)
    if (failed) return failed
    const keeps = rewritten?.keeps ? ` ${rewritten.keeps}` : ''
    return {
      ok: true,
      text: `${isNew ? 'Created' : 'Replaced'} ${file.name} (${sizeInWords(bytes)}).${keeps}${told.text}`,
      files: [plainPath(input.path).text],
      ...(told.obeyed && { obeyed: told.obeyed }),
    }
  },
})

/** The file that a call would write. */
function namedFile({ path, kind, given }: Target, where: Where): NamedFile | Refusal {
  if (kind === 'folder') return { refused: `${given} is a folder, so it cannot be written as a file.` }
  return { path, given, name: shownPath(where, path) }
}
