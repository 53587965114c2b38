import { dirname } from 'node:path'
import { z } from 'zod'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { plainPath } from '../../files/paths/plain-path.ts'
import { mayHoldKeys } from '../../files/paths/credential-paths.ts'
import {
  missingReason,
  resolveAgain,
  resolveFirst,
  shownPath,
  type Target,
  type Where,
} from '../../files/paths/resolve-path.ts'
import { watchObeyed, whoObeysTarget } from './obeyed-file.ts'
import type { NamedFile, PatchedFile } from './file-jobs.ts'
import { defineTool } from '../registry/tool.ts'
import { replaceKept, runFileJob, type Waiting } from './run-file-job.ts'
import { byCount } from '../../../shared/text/amounts.ts'
import { tellPatching } from '../tell/tell-changes.ts'

const Input = z.object({
  path: z.string(),
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
})
type Input = z.output<typeof Input>

export const patchFile = defineTool({
  name: 'patch_file',
  tell: tellPatching,
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
    const obeyed = whoObeysTarget(context, target)
    const detail = change.keeps === '' ? change.diff : `${change.diff}\n\n${change.keeps}`
    return { title, detail, risk: 'write', inWorkspace, folder: dirname(path), path, obeyed }
  },
  async run(input, context) {
    const target = await resolveAgain(input, context, input.path, { forWrite: true })
    if (isRefusal(target)) return { ok: false, reason: target.refused }
    const change = await prepare(input, target, context)
    if (isRefusal(change)) return { ok: false, reason: change.refused }
    const file = namedFile(target, context)
    const told = (await watchObeyed(context, target))(change.bytes)
    const failed = await replaceKept(context, file, change.bytes)
    if (failed) return failed
    const places = byCount(change.count, '', ` in ${change.count} places`)
    const keeps = change.keeps === '' ? '' : ` ${change.keeps}`
    return {
      ok: true,
      text: `Changed ${file.name}${places}.${keeps}${told.text}\n${change.diff}`,
      files: [plainPath(input.path).text],
      ...(told.obeyed && { obeyed: told.obeyed }),
    }
  },
})

async function prepare(input: Input, target: Target, where: Where & Waiting): Promise<PatchedFile | Refusal> {
  if (target.kind === 'missing') return { refused: await missingReason(where, target.given, target.path) }
  if (target.kind === 'folder') return { refused: `${target.given} is a folder, not a file.` }
  const { old_string: old, new_string: fresh, replace_all: all = false } = input
  const patched = await runFileJob('patch', namedFile(target, where), [{ old, new: fresh, all }], where)
  if (!isRefusal(patched)) return patched
  const { refused, near } = patched
  // Similar lines in an `.env` may be keys, and the user has not yet approved reading it.
  return { refused: near === undefined || mayHoldKeys(target.path) ? refused : `${refused} ${near}` }
}

const namedFile = ({ path, given }: Target, where: Where): NamedFile => ({
  path,
  given,
  name: shownPath(where, path),
})
