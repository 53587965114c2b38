import { lstatSync, realpathSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { fileErrorCode, reasonOf, isRefusal, type Refusal } from '../lib/expected-errors.ts'
import { writeAtomic } from '../lib/durable-files.ts'
import { diffTexts } from './diff.ts'
import { resolveAgain, resolveFirst, shownPath, type Target } from './paths.ts'
import { readText, sizeInWords } from './text-file.ts'
import { defineTool, type ToolResult } from './tool.ts'

export const writeFile = defineTool({
  name: 'write_file',
  says: 'Create a text file or replace all of it.',
  input: z.object({ path: z.string(), content: z.string() }),
  toolset: 'files',
  risk: 'write',
  async intent(input, context) {
    const target = await resolveFirst(input, context, input.path, { forWrite: true })
    if (isRefusal(target)) return target
    const old = await textBefore(target, input.path)
    if (isRefusal(old)) return old
    const { path, kind, inWorkspace } = target
    const nothing = kind === 'missing' ? '(an empty file)' : '(nothing changes)'
    return {
      title: `${kind === 'missing' ? 'Create' : 'Replace'} ${shownPath(context, path)}`,
      detail: diffTexts(old.text, input.content) || nothing,
      risk: 'write',
      inWorkspace,
      folder: dirname(path),
      path,
    }
  },
  async run(input, context) {
    const target = await resolveAgain(input, context, input.path, { forWrite: true })
    if (isRefusal(target)) return { ok: false, reason: target.refused }
    const old = await textBefore(target, input.path)
    if (isRefusal(old)) return { ok: false, reason: old.refused }
    const name = shownPath(context, target.path)
    const failed = await replaceFile(target.path, input.content, name)
    if (failed) return failed
    const size = sizeInWords(Buffer.byteLength(input.content))
    return { ok: true, text: `${target.kind === 'missing' ? 'Created' : 'Replaced'} ${name} (${size}).` }
  },
})

/**
 * Write content to a real path and create its folders. Returns the error, if any. Checks for links again
 * right before writing, because a background program may have created one since the path was resolved.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  name: string,
): Promise<ToolResult | undefined> {
  try {
    await mkdir(dirname(path), { recursive: true })
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
    if (isLink || realpathSync.native(dirname(path)) !== dirname(path)) {
      return { ok: false, reason: `${name} became a link while it was written. Look at it again first.` }
    }
    writeAtomic(path, content)
    return undefined
  } catch (error) {
    const code = fileErrorCode(error)
    return { ok: false, reason: `${name} cannot be written: ${reasonOf(code)}.` }
  }
}

/**
 * The text to be replaced. Only text files may be replaced, so that a mistyped name never overwrites a
 * picture or a program.
 */
async function textBefore(target: Target, given: string): Promise<{ text: string } | Refusal> {
  if (target.kind === 'missing') return { text: '' }
  if (target.kind === 'folder') return { refused: `${given} is a folder, so it cannot be written as a file.` }
  return readText(target.path, given)
}
