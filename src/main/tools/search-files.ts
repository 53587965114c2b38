import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { entryPath } from '../lib/shipped-files.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { missingReason, resolveAgain, resolveFirst, shownPath } from './paths.ts'
import { MOST_MATCHES, type Match, type Search, type SearchEnd, readPattern } from './search-folder.ts'
import type { SearchNews } from './search-worker.ts'
import { defineTool, type ToolResult } from './tool.ts'
import { many } from '../../shared/amounts.ts'

/** The tool that searches the text of files; a search may take `limitMs`. */
export const searchFiles = ({ limitMs = 10_000 } = {}) =>
  defineTool({
    name: 'search_files',
    says: 'Search file contents with a regular expression; glob such as *.md.',
    input: z.object({
      pattern: z.string().min(1).max(2_000),
      path: z.string().optional(),
      glob: z.string().max(500).optional(),
    }),
    toolset: 'files',
    risk: 'read',
    async intent(input, context) {
      const pattern = readPattern(input.pattern)
      if (isRefusal(pattern)) return pattern
      const target = await resolveFirst(input, context, input.path || '.', { guess: 'any' })
      if (isRefusal(target)) return target
      const { path, kind, inWorkspace } = target
      if (kind === 'missing') return { refused: await missingReason(context, target.given, path) }
      const place = path === context.workspace ? '' : ` in ${shownPath(context, path)}`
      return {
        title: `Search for ${input.pattern.slice(0, 80)}${place}`,
        detail: [input.pattern, path, ...(input.glob ? [`only ${input.glob}`] : [])].join('\n'),
        risk: 'read',
        inWorkspace,
        folder: kind === 'file' ? dirname(path) : path,
        path,
      }
    },
    async run(input, context) {
      const target = await resolveAgain(input, context, input.path || '.', { guess: 'any' })
      if (isRefusal(target)) return { ok: false, reason: target.refused }
      const { path, kind } = target
      if (kind === 'missing') return { ok: false, reason: await missingReason(context, target.given, path) }
      const isFile = kind === 'file'
      const search = { target: path, isFile, pattern: input.pattern, glob: input.glob ?? '' }
      const base = shownPath(context, isFile ? dirname(path) : path)
      const found = await searchInThread(search, limitMs, context.signal)
      return report(found, base === '.' ? '' : `${base}/`, limitMs)
    },
  })

type Outcome =
  | { how: 'done'; end: SearchEnd }
  | { how: 'late' }
  | { how: 'stopped' }
  | { how: 'failed'; reason: string }
type Found = {
  matches: Match[]
  /** The last file that the search entered. */
  at: string
  outcome: Outcome
}

/**
 * Search in a thread, which is terminated on time-out or when the user stops it, even within a regular
 * expression.
 */
async function searchInThread(search: Search, limitMs: number, signal: AbortSignal): Promise<Found> {
  if (signal.aborted) return { matches: [], at: '', outcome: { how: 'stopped' } }
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const matches: Match[] = []
  let at = ''
  const worker = new Worker(entryPath('search-worker'), { workerData: search, env: {}, execArgv: [] })
  const stop = () => resolve({ how: 'stopped' })
  const timer = setTimeout(() => resolve({ how: 'late' }), limitMs)
  signal.addEventListener('abort', stop)
  worker.on('message', (news: SearchNews) => {
    if (news.type === 'match') matches.push(news.match)
    else if (news.type === 'enter') at = news.file
    else resolve({ how: 'done', end: news.end })
  })
  worker.on('error', error => resolve({ how: 'failed', reason: String(error) }))
  worker.on('exit', () => resolve({ how: 'failed', reason: 'it ended early' }))
  const outcome = await promise
  clearTimeout(timer)
  signal.removeEventListener('abort', stop)
  void worker.terminate()
  return { matches, at, outcome }
}

function report({ matches, at, outcome }: Found, base: string, limitMs: number): ToolResult {
  if (outcome.how === 'failed') return { ok: false, reason: `The search failed: ${outcome.reason}.` }
  if (outcome.how === 'stopped') return { ok: false, reason: 'The search was stopped by the user.' }
  const lines = matches.map(({ file, line, text }) => `${base}${file}:${line}: ${text}`)
  if (outcome.how === 'late') {
    const where = at === '' ? '' : ` while it read ${base}${at}`
    const note = `The search was ended after ${limitMs / 1_000} s${where}. Use a simpler pattern, a path or a glob.`
    if (lines.length === 0) return { ok: false, reason: note }
    return { ok: true, text: [...lines, `[${note}]`].join('\n') }
  }
  const { matches: total, files, searched, skipped, more } = outcome.end
  const left = skipped > 0 ? `; ${skipped} left out (not text, or too big)` : ''
  if (total === 0) return { ok: true, text: `No matches in ${many(searched, 'file', 'files')}${left}.` }
  const sum = `${more ? 'more than ' : ''}${many(total, 'match', 'matches')} in ${many(files, 'file', 'files')}${left}`
  const cut =
    total > lines.length
      ? `; ${lines.length} shown (at most ${MOST_MATCHES}), narrow the search for more`
      : ''
  return { ok: true, text: [...lines, `[${sum}${cut}]`].join('\n') }
}
