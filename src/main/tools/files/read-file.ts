import { dirname } from 'node:path'
import { z } from 'zod'
import { isPictureFile } from '../../pictures/picture-file.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import type { SpawnReader } from '../../documents/read-document.ts'
import { pageOfDocument } from './read-as-document.ts'
import { PAGE_LINES, type PageWish } from './page-of-text.ts'
import {
  missingReason,
  resolveAgain,
  resolveFirst,
  shownPath,
  shownTarget,
} from '../../files/paths/resolve-path.ts'
import { uncutLength } from '../registry/shorten-result.ts'
import { defineTool, type IntentContext, type ToolContext, type ToolResult } from '../registry/tool.ts'
import { runFileJob } from './run-file-job.ts'
import { tellReading } from '../tell/tell-files.ts'

const input = z.object({
  path: z.string(),
  offset: z.int().min(1).optional(),
  limit: z.int().min(1).optional(),
  column: z.int().min(1).optional().describe('in a long line: its first character to read'),
})
type Given = z.output<typeof input>

const guess = { guess: 'file' } as const

/** `spawn` starts the process that reads documents; by default, a child process of Node. */
type ReadSettings = { result_limit?: number; spawn?: SpawnReader | undefined }

/** The tool that reads text files and documents, in pages of at most `result_limit` characters. */
export const readFileTool = ({ result_limit = Infinity, spawn }: ReadSettings = {}) =>
  defineTool({
    name: 'read_file',
    tell: tellReading,
    says: 'Read text or documents; offset: first line.',
    input,
    toolset: 'files',
    risk: 'read',
    intent: intentOf,
    run: (given, context) => run(given, context, result_limit, spawn),
  })

async function intentOf(given: Given, context: IntentContext) {
  const target = await resolveFirst(given, context, given.path, guess)
  if (isRefusal(target)) return target
  const { path, kind, inWorkspace } = target
  if (kind === 'missing') return { refused: await missingReason(context, target.given, path) }
  if (kind === 'folder') return { refused: folderReason(target.given) }
  const title = `Read ${shownPath(context, path)}`
  return { title, detail: path, risk: 'read' as const, inWorkspace, folder: dirname(path), path }
}

async function run(
  given: Given,
  context: ToolContext,
  limit: number,
  spawn: SpawnReader | undefined,
): Promise<ToolResult> {
  const target = await resolveAgain(given, context, given.path, guess)
  if (isRefusal(target)) return { ok: false, reason: target.refused }
  const { path, kind, lines } = target
  if (kind === 'missing') return { ok: false, reason: await missingReason(context, target.given, path) }
  if (kind === 'folder') return { ok: false, reason: folderReason(target.given) }
  const file = { path, given: target.given, name: shownTarget(context, target) }
  // Lines named in the path count only if the arguments name none.
  const named = given.offset === undefined && given.column === undefined ? lines : undefined
  const namedLimit = named?.to === undefined ? undefined : named.to - named.from + 1
  const wish: PageWish = {
    offset: given.offset ?? named?.from ?? 1,
    limit: given.limit ?? namedLimit ?? PAGE_LINES,
    ...(given.column !== undefined && { column: given.column }),
    ...(context.contextTokens !== undefined && { most: uncutLength(limit, context.contextTokens) }),
  }
  if (await isPictureFile(path)) return { ok: true, text: `${file.name} is a picture.`, pictures: [path] }
  const { signal } = context
  return (await pageOfDocument(file, wish, { signal, spawn })) ?? runFileJob('page', file, [wish], { signal })
}

const folderReason = (given: string) => `${given} is a folder. Use list_files to see what is in it.`
