import { dirname } from 'node:path'
import { z } from 'zod'
import { isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { isEnvironmentFile } from './credential-paths.ts'
import { diffTexts } from './diff.ts'
import { patchText } from './patch-text.ts'
import { missingReason, resolveAgain, resolveFirst, shownPath, type Target, type Where } from './paths.ts'
import { encodeText, readText } from './text-file.ts'
import { defineTool } from './tool.ts'
import { replaceFile } from './write-file.ts'

const Input = z.object({
  path: z.string(),
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
})
type Input = z.output<typeof Input>

export const patchFile = defineTool({
  name: 'patch_file',
  says: 'Replace a passage of a file; old_string must occur once.',
  input: Input,
  toolset: 'files',
  risk: 'write',
  async intent(input, context) {
    const target = await resolveFirst(input, context, input.path, { forWrite: true })
    if (isRefusal(target)) return target
    // Refuse a patch that does not apply before asking the user.
    const change = await prepare(input, target, context)
    if (isRefusal(change)) return change
    const { path, inWorkspace } = target
    const title = `Change ${shownPath(context, path)}`
    return { title, detail: change.diff, risk: 'write', inWorkspace, folder: dirname(path), path }
  },
  async run(input, context) {
    const target = await resolveAgain(input, context, input.path, { forWrite: true })
    if (isRefusal(target)) return { ok: false, reason: target.refused }
    const change = await prepare(input, target, context)
    if (isRefusal(change)) return { ok: false, reason: change.refused }
    const name = shownPath(context, target.path)
    const failed = await replaceFile(target.path, change.bytes, name)
    if (failed) return failed
    const places = change.count === 1 ? '' : ` in ${change.count} places`
    return { ok: true, text: `Changed ${name}${places}.\n${change.diff}` }
  },
})

async function prepare(
  input: Input,
  target: Target,
  where: Where,
): Promise<{ bytes: Buffer; diff: string; count: number } | Refusal> {
  if (target.kind === 'missing') return { refused: await missingReason(where, input.path, target.path) }
  if (target.kind === 'folder') return { refused: `${input.path} is a folder, not a file.` }
  const file = await readText(target.path, input.path)
  if (isRefusal(file)) return file
  if (!file.exact) return { refused: `${input.path} is not UTF-8 text, so a patch would damage it.` }
  const patched = patchText(file.text, {
    old: input.old_string,
    new: input.new_string,
    all: input.replace_all ?? false,
  })
  if (isRefusal(patched)) {
    const { refused, near } = patched
    // Similar lines in an `.env` may be keys, and the user has not approved reading it yet.
    return { refused: near === undefined || isEnvironmentFile(target.path) ? refused : `${refused} ${near}` }
  }
  const { text, count } = patched
  return { bytes: encodeText({ ...file, text }), diff: diffTexts(file.text, text), count }
}
