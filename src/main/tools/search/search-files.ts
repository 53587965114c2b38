import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { entryPath } from '../../lib/disk/shipped-files.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { readGlobs, type GlobList } from './read-globs.ts'
import { howToSearch, leftOutText, shortName, type LeftOut } from './left-out-files.ts'
import { missingReason, resolveAgain, resolveFirst, shownPath } from '../../files/paths/resolve-path.ts'
import { readPattern } from './patterns/search-pattern.ts'
import { MOST_FILES, MOST_MATCHES, type Match, type Search, type SearchEnd } from './search-folder.ts'
import type { SearchNews } from './search-worker.ts'
import { defineTool, type IntentContext, type Tool, type ToolResult } from '../registry/tool.ts'
import { withSlashes } from '../../files/walk-folder.ts'
import { many } from '../../../shared/text/amounts.ts'
import { tellSearch } from '../tell/tell-search.ts'

const input = z.object({
  pattern: z.string().min(1).max(2_000),
  path: z.string().optional(),
  // Models also write several globs as a list.
  glob: z
    .preprocess(given => (Array.isArray(given) ? JSON.stringify(given) : given), z.string().max(500))
    .optional(),
})
type Given = z.output<typeof input>

/** The tool that searches the text of files. A search takes at most `limitMs`. */
export const searchFiles = ({ limitMs = 10_000 } = {}): Tool =>
  defineTool({
    name: 'search_files',
    tell: tellSearch,
    says: 'Search file contents with a regular expression; glob such as *.md.',
    input,
    toolset: 'files',
    risk: 'read',
    async intent(given, context) {
      const pattern = readPattern(given.pattern)
      if (isRefusal(pattern)) return pattern
      const target = await resolveFirst(given, context, given.path || '.', { guess: 'any' })
      if (isRefusal(target)) return target
      const { path, kind, inWorkspace } = target
      if (kind === 'missing') return { refused: await missingReason(context, target.given, path) }
      const globs = globsOf(given, context, path, kind)
      if (isRefusal(globs)) return globs
      const place = path === context.workspace ? '' : ` in ${shownPath(context, path)}`
      return {
        title: `Search for ${given.pattern.slice(0, 80)}${place}`,
        detail: [given.pattern, path, ...(given.glob ? [`only ${given.glob}`] : [])].join('\n'),
        risk: 'read',
        inWorkspace,
        folder: kind === 'file' ? dirname(path) : path,
        path,
      }
    },
    async run(given, context) {
      const target = await resolveAgain(given, context, given.path || '.', { guess: 'any' })
      if (isRefusal(target)) return { ok: false, reason: target.refused }
      const { path, kind } = target
      if (kind === 'missing') return { ok: false, reason: await missingReason(context, target.given, path) }
      const globs = globsOf(given, context, path, kind)
      if (isRefusal(globs)) return { ok: false, reason: globs.refused }
      const search = { target: path, isFile: kind === 'file', pattern: given.pattern, globs }
      const base = shownPath(context, kind === 'file' ? dirname(path) : path)
      const found = await searchInThread(search, limitMs, context.signal)
      return report(found, { base: base === '.' ? '' : `${base}/`, limitMs, glob: given.glob ?? '' })
    },
  })

/** The globs of a call. A file named by the call is searched whatever the glob says. */
function globsOf(
  { glob }: Given,
  context: IntentContext,
  path: string,
  kind: 'file' | 'folder',
): GlobList[] | Refusal {
  if (glob === undefined || kind === 'file') return []
  const shown = shownPath(context, path)
  const above = [
    ...new Set([
      `${withSlashes(path)}/`,
      `${withSlashes(context.workspace)}/`,
      ...(shown === '.' ? [] : [`${shown}/`]),
    ]),
  ]
  return readGlobs(glob, above)
}

type Outcome =
  | { how: 'done'; end: SearchEnd }
  | { how: 'late' }
  | { how: 'stopped' }
  | { how: 'failed'; reason: string }
type Found = {
  matches: Match[]
  /** The last file that the search entered. */
  at: string
  /** The files that the search had left out by then. */
  leftOut: LeftOut
  /** Set if the pattern as written found nothing and the search continued with another reading. */
  again: { end: SearchEnd; because: string } | undefined
  outcome: Outcome
}

/** Search in a thread, which a time-out or the user can terminate even within a regular expression. */
async function searchInThread(search: Search, limitMs: number, signal: AbortSignal): Promise<Found> {
  const found: Found = { matches: [], at: '', leftOut: {}, again: undefined, outcome: { how: 'stopped' } }
  if (signal.aborted) return found
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const worker = new Worker(entryPath('search-worker'), { workerData: search, env: {}, execArgv: [] })
  const stop = () => resolve({ how: 'stopped' })
  const timer = setTimeout(() => resolve({ how: 'late' }), limitMs)
  signal.addEventListener('abort', stop)
  worker.on('message', (news: SearchNews) => {
    if (news.type === 'match') found.matches.push(news.match)
    else if (news.type === 'again') found.again = news
    else if (news.type === 'enter') {
      found.at = news.file
      found.leftOut = news.leftOut ?? found.leftOut
    } else resolve({ how: 'done', end: news.end })
  })
  worker.on('error', error => resolve({ how: 'failed', reason: reasonOf(error) }))
  worker.on('exit', () => resolve({ how: 'failed', reason: 'it ended early' }))
  found.outcome = await promise
  clearTimeout(timer)
  signal.removeEventListener('abort', stop)
  void worker.terminate()
  return found
}

/** The end of an error message; that of a regular expression begins with the whole pattern. */
const reasonOf = (error: unknown): string => String(error).split(': ').at(-1)!.slice(-300)

type Shown = { base: string; limitMs: number; glob: string }

function report({ matches, at, leftOut, again, outcome }: Found, { base, limitMs, glob }: Shown): ToolResult {
  if (outcome.how === 'failed') return { ok: false, reason: `The search failed: ${outcome.reason}.` }
  if (outcome.how === 'stopped') return { ok: false, reason: 'The search was stopped by the user.' }
  const lines = matches.flatMap(({ file, line, text }) =>
    text.split('\n').map((each, index) => `${shortName(base + file, Infinity)}:${line + index}: ${each}`),
  )
  if (outcome.how === 'late') {
    // The other reading was only an attempt, so report the first one.
    if (again && lines.length === 0)
      return { ok: true, text: nothingText(again.end, leftOutText(again.end.leftOut, base), glob) }
    const where = at === '' ? '' : ` while it read ${shortName(base + at, Infinity)}`
    const note = `The search was ended after ${limitMs / 1_000} s${where}${leftOutText(leftOut, base)}. Use a simpler pattern, a path or a glob.`
    if (lines.length === 0) return { ok: false, reason: note }
    return { ok: true, text: [...(again ? [again.because] : []), ...lines, `[${note}]`].join('\n') }
  }
  const { end } = outcome
  const left = leftOutText(end.leftOut, base)
  if (end.matches === 0) return { ok: true, text: nothingText(end, left, glob) }
  const sum = `${end.more ? 'more than ' : ''}${many(end.matches, 'match', 'matches')} in ${many(end.files, 'file', 'files')}`
  const isCut = end.matches > matches.length
  const cut = isCut ? `; ${matches.length} shown (at most ${MOST_MATCHES}), narrow the search for more` : ''
  return {
    ok: true,
    text: [...end.notes, ...lines, `[${sum}${cut}${encodingsText(end, base)}${left}]`].join('\n'),
  }
}

/** The files with matches that are not UTF-8, as the end of a sentence. */
function encodingsText({ encodings }: SearchEnd, base: string): string {
  const named = encodings.map(({ file, encoding }) => `${shortName(base + file)} (${encoding})`)
  return named.length > 0 ? `; not UTF-8: ${named.join(', ')}` : ''
}

/** Reasons why files that match a glob were not searched. */
const OF_FITTING = ['keys', 'binary', 'big', 'unreadable'] as const

/** Say what was searched if nothing was found, so that the result is not taken for more than it is. */
function nothingText(end: SearchEnd, left: string, glob: string): string {
  const { searched, unfit, leftOut } = end
  const isFitting = searched > 0 || OF_FITTING.some(reason => leftOut[reason])
  const looked =
    !isFitting && unfit > 0
      ? `Nothing was searched: of ${many(unfit, 'file', 'files')} none fits the glob ${glob}`
      : `No matches in ${many(searched, 'file', 'files')}`
  const more = end.more
    ? `; the search ended there, at its limit of ${MOST_FILES.toLocaleString('en')} files: name a folder below`
    : ''
  const notes = end.notes.map(note => ` (${note})`).join('')
  return `${looked}${more}${left}.${howToSearch(end.leftOut)}${notes}`
}
