import { readFile, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { setImmediate as others } from 'node:timers/promises'
import type { LearningEvent, LearnStep, Review } from '../../../shared/contract/learned/learning.ts'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import { Fault } from '../../../shared/rpc.ts'
import { isGuided } from '../../agent/guide.ts'
import { fileErrorCode, isRefusal, reasonOf, type Refusal } from '../../lib/expected-errors.ts'
import { redactText } from '../../untrusted/redact.ts'
import { isFailure } from '../../models/interface/engine.ts'
import { mayHoldKeys } from '../../files/paths/credential-paths.ts'
import { resolveTarget, shownFolder, type Where } from '../../files/paths/resolve-path.ts'
import { decodeText } from '../../lib/encodings/decode-text.ts'
import { walkFolder, withSlashes } from '../../files/walk-folder.ts'
import { messagesOf } from '../reviews/learning-events.ts'
import { type OutsideParts, runReviews } from './review-other-agents.ts'

/** A review by rules needs the user's own words, so it cannot review other people's texts. */
const TOO_SMALL =
  'Learning from a text needs a larger model. This one cannot judge what is worth keeping. Choose another model, then try again.'

type TextToReview = { name: string; text: string }

/** Limits of one request: characters in all, bytes per file, number of files, and depth of folders. */
const MAX_CHARS = 200_000
const MAX_BYTES = 1_000_000
const MAX_FILES = 200
const MAX_DEPTH = 8
const MAX_ENTRIES = 20_000
/** How many entries to look at before yielding to other work. */
const LOOK_AT_ONCE = 200

/**
 * Read the text file that the user named, or the text files of the folder, with secrets redacted. In a
 * folder, hidden, ignored and binary files, files with keys, and links are left out. Nothing outside is read.
 */
export async function readNamed(where: Where, given: string): Promise<TextToReview[] | Refusal> {
  const target = await resolveTarget(where, given)
  if (isRefusal(target)) return target
  const { path, kind } = target
  const shown = shownFolder(path)
  if (kind === 'missing') return { refused: `${shown} does not exist.` }
  if (mayHoldKeys(path))
    return { refused: `${shown} contains keys or passwords, so Talaria does not learn from it.` }
  if (kind === 'file') {
    const text = await readText(path, shown)
    return isRefusal(text) ? text : withinLimit([{ name: basename(path), text }], shown)
  }
  const texts: TextToReview[] = []
  let seen = 0
  for (const entry of walkFolder(path, { depth: MAX_DEPTH, hidden: false })) {
    if (++seen > MAX_ENTRIES) return tooMuch(shown)
    if (seen % LOOK_AT_ONCE === 0) await others()
    if (entry.kind !== 'file' || mayHoldKeys(entry.path)) continue
    // The entry may have become a link in the meantime. A credential file is refused wherever it is.
    const inside = await resolveTarget({ ...where, workspace: path }, entry.path, { exact: true })
    if (isRefusal(inside) || !inside.inWorkspace || inside.kind !== 'file') continue
    const name = withSlashes(relative(path, inside.path))
    const text = await readText(inside.path, name)
    if (isRefusal(text)) continue
    texts.push({ name: withSlashes(join(basename(path), name)), text })
    if (isRefusal(withinLimit(texts, shown))) return tooMuch(shown)
  }
  return withinLimit(texts, shown)
}

async function readText(path: string, shown: string): Promise<string | Refusal> {
  try {
    const about = await stat(path)
    if (!about.isFile()) return { refused: `${shown} is neither a file nor a folder.` }
    if (about.size > MAX_BYTES) return { refused: `${shown} is larger than 1 MB. Name a smaller file.` }
    const file = decodeText(await readFile(path))
    if (file === undefined) return { refused: `${shown} is not a text file.` }
    if (file.isUnsure)
      return { refused: `${shown} is not UTF-8, and its encoding is uncertain. Save it as UTF-8 first.` }
    return redactText(file.text)
  } catch (error) {
    return { refused: `${shown} cannot be read: ${reasonOf(fileErrorCode(error))}.` }
  }
}

function withinLimit(texts: TextToReview[], shown: string): TextToReview[] | Refusal {
  const chars = texts.reduce((sum, { text }) => sum + text.length, 0)
  if (chars > MAX_CHARS || texts.length > MAX_FILES) return tooMuch(shown)
  return texts.some(({ text }) => text.trim() !== '') ? texts : { refused: `${shown} contains no text.` }
}

const tooMuch = (shown: string): Refusal => ({
  refused: `${shown} is too large: Talaria reads at most ${MAX_CHARS.toLocaleString('en-US')} characters in ${MAX_FILES} files. Choose a smaller folder or one file.`,
})

/**
 * Review a text that the user named, in parts that fit the model. Others wrote it, so it is passed as results
 * of `read_file`. None of its sentences counts as the user's, and every finding becomes a proposal.
 */
export async function* reviewNamedTexts(
  parts: OutsideParts,
  { texts, kinds }: { texts: readonly TextToReview[]; kinds: Review['kinds'] },
  signal: AbortSignal,
): AsyncGenerator<LearnStep> {
  const input = await parts.inputFor([])
  if (isFailure(input)) throw new Fault('not_ready', input.text)
  if (await isGuided(input.turn)) throw new Fault('not_ready', TOO_SMALL)
  // About a quarter of the context window: prompt, tools, questions and answers need the rest.
  const wanted = packTexts(texts, input.turn.contextTokens).map(part => {
    const messages = asMessages(part)
    return { session: part[0]!.name, trigger: 'text' as const, kinds, messages, fromId: messages.length }
  })
  for await (const step of runReviews(parts, 'text', wanted, signal)) {
    if (step.type === 'reviewed' && step.ended === 'failed')
      throw new Fault('not_ready', `The model could not read it: ${step.outcome}`)
    yield step
  }
}

/** Pack texts into parts of at most `most` characters. Long texts are split, at a line end if possible. */
function packTexts(texts: readonly TextToReview[], most: number): TextToReview[][] {
  const packed: TextToReview[][] = []
  let room = 0
  for (const { name, text } of texts)
    for (let from = 0; from < text.length;) {
      const rest = text.length - from
      const line = rest > most ? text.lastIndexOf('\n', from + most) + 1 : 0
      const to = rest <= most ? text.length : line > from ? line : from + most
      if (room < to - from || packed.length === 0) {
        packed.push([])
        room = most
      }
      packed.at(-1)!.push({ name, text: text.slice(from, to).toWellFormed() })
      room -= to - from
      from = to
    }
  return packed
}

function asMessages(part: readonly TextToReview[]): Message[] {
  const common = { session: 'text', at: 0 }
  const events: LearningEvent[] = [
    { ...common, type: 'user_message', text: 'Read what I named, so that you can learn from it.' },
    ...part.map(({ name, text }) => ({
      ...common,
      type: 'tool_result' as const,
      name: 'read_file',
      arguments: { path: name },
      ok: true,
      text,
    })),
  ]
  return messagesOf(events)
}
