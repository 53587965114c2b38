import { existsSync, lstatSync, realpathSync, unlinkSync } from 'node:fs'
import { chmod, lstat, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ChangedFile, FileStep } from '../../shared/contract/chats/changed-files.ts'
import { whoObeys } from '../confinement/obeyed/who-obeys.ts'
import type { FileChange, FileChangeStore } from '../db/chats/file-change-tables.ts'
import { fileErrorCode, isRefusal, reasonOf, type Refusal } from '../lib/expected-errors.ts'
import { letOthersRun } from '../lib/timing.ts'
import { diffTexts } from '../files/diff-texts.ts'
import { resolveTarget, shownPath } from '../files/paths/resolve-path.ts'
import { decodeText } from '../lib/encodings/decode-text.ts'
import { sizeInWords } from '../files/read-text-file.ts'
import { replaceFile } from '../tools/files/file-jobs.ts'
import { runFileJob } from '../tools/files/run-file-job.ts'
import { byCount } from '../../shared/text/amounts.ts'
import { sayObeyed } from '../../shared/words/obeyed-words.ts'
import {
  COPY_LIMITS,
  createCopyKeeper,
  hashFile,
  isExecutable,
  type CopyKeeper,
  type CopyLimits,
} from './keep-copies.ts'
import { changesByFile, contentAfterGoingBack, contentBeforeCalls } from './judge-changes.ts'

type Parts = {
  home: string
  store: FileChangeStore
  now(): number
  limits?: CopyLimits
}

/** Which changes to look at: those on the present or future path, and those that matter (default: all). */
type Looking = {
  isOnPath(change: FileChange): boolean
  matters?(change: FileChange): boolean
}

/** The files that chats changed, with their old contents. */
export type ChangedFiles = Pick<CopyKeeper, 'keep' | 'share'> & {
  /** The files of a chat that differ from what its path left. */
  list(sessionId: string, looking: Looking): Promise<ChangedFile[]>
  /** The files that certain calls of a chat changed, and the result of undoing exactly these calls. */
  listOf(sessionId: string, calls: ReadonlySet<string>): Promise<ChangedFile[]>
  /** Restore files, each completely or not at all. */
  restore(
    sessionId: string,
    steps: readonly FileStep[],
    /** Whether the user agreed to changing obeyed files. */
    obeyed?: boolean,
  ): Promise<{ restored: (FileStep & { name: string })[]; failed: { name: string; why: string }[] }>
}

/** Decide what to do with a file whose present state is `now`; undefined if nothing needs to be said. */
type Judge = (
  changes: readonly FileChange[],
  now: { hash: string | null } | Refusal,
) => { target: string | null } | { problem: string; isAsBefore?: true } | undefined

/** Maximum length of a diff, and of all diffs, in characters. */
const DIFF_CHARACTERS = 20_000
const ALL_DIFFS = 400_000
const CHANGED = 'It was changed since by something else, so it stays as it is.'
const GONE = 'It no longer exists, and stays that way.'

const judgeGoingBack =
  ({ isOnPath }: Looking): Judge =>
  (changes, now) => {
    if (isRefusal(now)) return isOnPath(changes.at(-1)!) ? undefined : { problem: now.refused }
    const fate = contentAfterGoingBack(changes, now.hash, isOnPath)
    if (fate === 'as it should be') return undefined
    return fate === 'changed since' ? { problem: now.hash === null ? GONE : CHANGED } : fate
  }

const judgeTakingBack =
  (isOfCalls: (change: FileChange) => boolean): Judge =>
  (changes, now) => {
    if (isRefusal(now)) return { problem: now.refused }
    const fate = contentBeforeCalls(changes, now.hash, isOfCalls)
    if (typeof fate !== 'string') return fate
    switch (fate) {
      case 'not theirs':
        return undefined
      case 'as before':
        return { problem: 'The file is already as it was before.', isAsBefore: true }
      case 'changed since':
        return { problem: now.hash === null ? GONE : CHANGED }
      case 'changed by a later answer':
        return {
          problem:
            'A later answer in this chat changed it again, so it stays as it is. Undo that change first.',
        }
      case 'changed on another branch':
        return { problem: 'Another branch of this chat changed the file again, so it stays as it is.' }
    }
  }

/** Open the log of changed files in a home. */
export function openChangedFiles({ home, store, now, limits = COPY_LIMITS }: Parts): ChangedFiles {
  const keeper = createCopyKeeper({ home, store, now, limits })

  /** The path of a content's copy, if there is one. */
  function copyOf(changes: readonly FileChange[], hash: string): string | Refusal {
    const users = changes.filter(({ beforeHash }) => beforeHash === hash)
    const kept = users.find(({ copy }) => copy === 'kept')
    const path = kept && keeper.pathOf(kept.sessionId, hash)
    if (path !== undefined && existsSync(path)) return path
    if (users.some(({ copy }) => copy === 'too_big'))
      return { refused: `It was larger than ${sizeInWords(limits.each)}, so no copy of it was kept.` }
    return { refused: 'The copy of its earlier content no longer exists.' }
  }

  async function look(
    changes: readonly FileChange[],
    judge: Judge,
    all: readonly FileChange[],
  ): Promise<ChangedFile | undefined> {
    const { path, folder } = changes.at(-1)!
    const name = shownPath({ workspace: folder }, path)
    const cannot = (problem: string, isAsBefore?: true): ChangedFile => ({
      path,
      name,
      change: 'write',
      from: null,
      to: null,
      diff: null,
      note: '',
      problem,
      ...(isAsBefore && { isAsBefore }),
    })
    const isNow = await contentAt(home, folder, path)
    const fate = judge(changes, isNow)
    if (!fate) return undefined
    if ('problem' in fate) return cannot(fate.problem, fate.isAsBefore)
    if (isRefusal(isNow)) return cannot(isNow.refused)
    const { hash: from } = isNow
    const { target: to } = fate
    const change = to === null ? 'remove' : from === null ? 'create' : 'write'
    const copy = to === null ? undefined : copyOf(all, to)
    if (isRefusal(copy)) return cannot(copy.refused)
    const obeyedBy = firstObeyer(folder, path)
    const compared = await compare(path, name, from, copy)
    return { path, name, change, from, to, ...compared, problem: null, ...(obeyedBy && { obeyedBy }) }
  }

  /** Judge the files of a chat that have a change that matters; all of them without `matters`. */
  async function lookAt(
    sessionId: string,
    matters: Looking['matters'],
    judge: Judge,
  ): Promise<ChangedFile[]> {
    const all = store.list(sessionId)
    const files: ChangedFile[] = []
    let room = ALL_DIFFS
    for (const changes of changesByFile(all)) {
      if (matters && !changes.some(matters)) continue
      await letOthersRun()
      const file = await look(changes, judge, all)
      if (!file) continue
      room -= file.diff?.length ?? 0
      files.push(
        room < 0
          ? { ...file, diff: null, note: 'Too many files changed to show a diff for this one.' }
          : file,
      )
    }
    return files
  }

  async function restoreOne(
    sessionId: string,
    { path, from, to }: FileStep,
    all: readonly FileChange[],
  ): Promise<string | undefined> {
    const own = all.filter(change => change.path === path)
    const known = own.some(({ beforeHash, afterHash }) => beforeHash === to || afterHash === to)
    const { folder } = own.at(-1)!
    const isNow = await contentAt(home, folder, path)
    if (isRefusal(isNow)) return isNow.refused
    if (isNow.hash !== from || !known) return CHANGED
    const copy = to === null ? undefined : copyOf(all, to)
    if (isRefusal(copy)) return copy.refused
    const content = copy === undefined ? null : await readFile(copy)
    if (copy !== undefined && (await hashFile(copy)) !== to) return 'The copy of the old content is damaged.'
    const kept = await keeper.keep({ sessionId, callId: null, folder }, path, content)
    if (isRefusal(kept)) return kept.refused
    const failed = content === null ? removeFile(path) : await written(path, content)
    if (failed === undefined && from === null && copy !== undefined) await makeRunnable(path, copy)
    if (failed !== undefined) kept.forget()
    return failed
  }

  return {
    keep: keeper.keep,
    share: keeper.share,
    list: (sessionId, looking) => lookAt(sessionId, looking.matters, judgeGoingBack(looking)),
    listOf(sessionId, calls) {
      const isOfCalls = ({ callId }: FileChange) => callId !== null && calls.has(callId)
      return lookAt(sessionId, isOfCalls, judgeTakingBack(isOfCalls))
    },
    async restore(sessionId, steps, obeyed = false) {
      const restored: (FileStep & { name: string })[] = []
      const failed: { name: string; why: string }[] = []
      for (const step of steps) {
        const all = store.list(sessionId)
        const folder = all.findLast(({ path }) => path === step.path)?.folder
        if (folder === undefined) {
          failed.push({ name: step.path, why: 'This chat did not change this file.' })
          continue
        }
        const name = shownPath({ workspace: folder }, step.path)
        const by = obeyed ? undefined : firstObeyer(folder, step.path)
        const why = by === undefined ? await restoreOne(sessionId, step, all) : needsYes(by)
        if (why === undefined) restored.push({ ...step, name })
        else failed.push({ name, why })
      }
      return { restored, failed }
    },
  }
}

/** The program that obeys a file in a folder without being asked; undefined if none does. */
function firstObeyer(folder: string, path: string): string | undefined {
  const obeyed = whoObeys(folder, path)
  return obeyed?.tier === 1 ? obeyed.by : undefined
}

const needsYes = (by: string) => `${sayObeyed(by)} It stays as it is until you agree to that.`

/** The hash of a file that the chat's tools may write (null: no file), or why they may not. */
async function contentAt(
  home: string,
  folder: string,
  path: string,
): Promise<{ hash: string | null } | Refusal> {
  const target = await resolveTarget({ workspace: folder, home }, path, { forWrite: true, exact: true })
  if (isRefusal(target)) return target
  if (target.path !== path) return { refused: 'There is now a link to another place.' }
  if (target.kind === 'folder') return { refused: 'There is now a folder with this name.' }
  try {
    return { hash: target.kind === 'missing' ? null : await hashFile(path) }
  } catch (error) {
    return { refused: `It cannot be read: ${reasonOf(fileErrorCode(error))}.` }
  }
}

/** Describe what restoring would change in a file, as a diff or a sentence. */
async function compare(
  path: string,
  name: string,
  from: string | null,
  copy: string | undefined,
): Promise<{ diff: string | null; note: string }> {
  const bytes = copy === undefined ? Buffer.alloc(0) : await readFile(copy)
  const text = decodeText(bytes)?.text
  const changed =
    text === undefined
      ? { refused: '' }
      : from === null
        ? { diff: diffTexts('', text) }
        : await runFileJob('compare', { path, given: name, name }, [text])
  if (isRefusal(changed) && 'isUnfinished' in changed) return { diff: null, note: changed.refused }
  if (isRefusal(changed))
    return { diff: null, note: `It is not text; the old content has ${sizeInWords(bytes.length)}.` }
  const { diff } = changed
  if (diff.length <= DIFF_CHARACTERS) return { diff, note: '' }
  const rest = diff.length - DIFF_CHARACTERS
  const more = byCount(rest, '1 more character', `${rest} more characters`)
  return { diff: `${diff.slice(0, DIFF_CHARACTERS)}\n[… ${more} of this diff]`, note: '' }
}

async function written(path: string, content: Uint8Array): Promise<string | undefined> {
  const failed = await replaceFile(path, content, 'It')
  return failed && !failed.ok ? failed.reason : undefined
}

/** Make a recreated file executable for all who may read it, if its copy is executable. */
async function makeRunnable(path: string, copy: string): Promise<void> {
  if (!isExecutable(await lstat(copy))) return
  const { mode } = await lstat(path)
  await chmod(path, mode | ((mode & 0o444) >> 2))
}

/** Remove a file, unless it became a link. Returns the reason if it fails. */
function removeFile(path: string): string | undefined {
  try {
    if (lstatSync(path).isSymbolicLink() || realpathSync.native(dirname(path)) !== dirname(path))
      return 'There is now a link to another place.'
    unlinkSync(path)
    return undefined
  } catch (error) {
    return `It cannot be removed: ${reasonOf(fileErrorCode(error))}.`
  }
}
