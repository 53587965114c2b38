import { Fault } from '../../../shared/rpc.ts'
import { jsonLine, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import { compressTrajectory } from '../../trajectories/compress-trajectory.ts'
import { countTokens, type Conversation, type Count, type Form } from '../../trajectories/conversation.ts'
import { contradictionIn, reasonToDrop, type Wanted } from '../../trajectories/filter-trajectory.ts'
import { numberedLines } from '../../trajectories/numbered-lines.ts'
import { readTrajectory, writeTrajectory } from '../../trajectories/read-trajectory.ts'
import { absolutePath } from '../command-line.ts'
import { openSource } from './line-source.ts'
import { openSink, type LineSink } from './line-sink.ts'
import { escapeInvisible, many, printAside } from '../output/terminal-text.ts'
import { stopOnSignals } from '../stop-on-signals.ts'

type FileOptions = {
  home?: string
  output?: string
  force?: true
  json?: true
  withMemory?: true
  /** A GGUF file with the tokenizer that counts the tokens; without one they are estimated. */
  tokenizer?: string
}

/** Maximum number of lines to report one by one; further lines are only counted. */
const MOST_NAMED = 20

type Statistics = {
  read: number
  written: number
  /** Lines that could not be used. */
  skipped: number
  /** Pictures and other files in messages, of which only the name is written. */
  pictures: number
  tokens: { before: number; after: number }
}

/**
 * Returns the changed trajectory, a refusal as the end of a sentence, or undefined to drop the trajectory.
 */
type Change = (conversation: Conversation, count: Count | undefined) => Conversation | Refusal | undefined
type Work = { change: Change; to?: Form; more?: () => Record<string, unknown> }

/** Shorten each trajectory to a number of tokens. Resolves to whether that worked for all. */
export async function compressFile(
  file: string | undefined,
  { budget, keepLast, ...options }: FileOptions & { budget: number; keepLast: number },
): Promise<boolean> {
  let compressed = 0
  const change: Change = (conversation, count) => {
    const made = compressTrajectory(conversation, { budget, keepLast, count })
    if (!isRefusal(made) && made !== conversation) compressed++
    return made
  }
  return await transform(file, options, { change, more: () => ({ compressed }) })
}

/** Keep the trajectories that match the options. */
export async function filterFile(file: string | undefined, options: FileOptions & Wanted): Promise<boolean> {
  const [least, most] = contradictionIn(options) ?? []
  if (least !== undefined && most !== undefined)
    throw new Fault('bad_input', `${flagOf(least)} is more than ${flagOf(most)}.`)
  const left: Record<string, number> = {}
  const change: Change = (conversation, count) => {
    const reason = reasonToDrop(conversation, options, count)
    if (reason === undefined) return conversation
    left[reason] = (left[reason] ?? 0) + 1
    return undefined
  }
  return await transform(file, options, { change, more: () => ({ leftOut: left }) })
}

/** Write each trajectory in another form. */
export async function convertFile(
  file: string | undefined,
  { to, ...options }: FileOptions & { to: Form },
): Promise<boolean> {
  return await transform(file, options, { change: conversation => conversation, to })
}

const flagOf = (option: string) => `--${option.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`

async function transform(
  file: string | undefined,
  { home, output, force, json, withMemory, tokenizer }: FileOptions,
  work: Work,
): Promise<boolean> {
  using stopping = stopOnSignals()
  // The reader may stop early, as `head` does.
  process.stdout.on('error', stopping.stop)
  await using vocabulary = tokenizer === undefined ? undefined : await vocabularyOf(tokenizer)
  const source = openSource(file, stopping.signal)
  const sink = openSink(output, { home, force, input: source.stats, signal: stopping.signal })
  try {
    const statistics = await copyLines(source.bytes, sink, work, {
      withMemory: withMemory === true,
      count: vocabulary?.count,
      signal: stopping.signal,
    })
    if (stopping.signal.aborted) return tellStopped()
    sink.finish()
    tell({ ...statistics, ...work.more?.(), countedBy: vocabulary?.name ?? 'estimate' }, json === true)
    return statistics.skipped === 0
  } catch (error) {
    if (stopping.signal.aborted) return tellStopped()
    throw sink.sayFailed(error)
  } finally {
    await sink.discard()
  }
}

/**
 * Open the vocabulary of a model file, which counts tokens. Throws a `bad_input` Fault if the file cannot be
 * read.
 */
async function vocabularyOf(file: string) {
  const { openVocabulary } = await import('../../models/engines/local/gguf/open-vocabulary.ts')
  const opened = await openVocabulary(absolutePath(file))
  if ('code' in opened) throw new Fault('bad_input', `--tokenizer: ${escapeInvisible(opened.text)}`)
  return opened
}

function tellStopped(): false {
  printAside('Stopped.')
  return false
}

async function copyLines(
  chunks: AsyncIterable<Buffer>,
  sink: LineSink,
  { change, to }: Work,
  { withMemory, count, signal }: { withMemory: boolean; count: Count | undefined; signal: AbortSignal },
): Promise<Statistics> {
  const statistics: Statistics = {
    read: 0,
    written: 0,
    skipped: 0,
    pictures: 0,
    tokens: { before: 0, after: 0 },
  }
  const skip = (number: number, why: string) => {
    if (++statistics.skipped <= MOST_NAMED)
      printAside(`Line ${number} is left out: ${showHiddenInLine(why)}.`)
  }
  for await (const line of numberedLines(chunks)) {
    if (signal.aborted) break
    const { number } = line
    statistics.read++
    const read = isRefusal(line) ? line : readTrajectory(line.text, { withMemory })
    if (isRefusal(read)) {
      skip(number, read.refused)
      continue
    }
    const made = change(read.conversation, count)
    if (made === undefined) continue
    if (isRefusal(made)) {
      skip(number, made.refused)
      continue
    }
    await sink.write(writeTrajectory(made, to ?? read.form))
    statistics.written++
    statistics.pictures += made.pictures ?? 0
    const tokens = countTokens(read.conversation, count)
    statistics.tokens.before += tokens
    statistics.tokens.after += made === read.conversation ? tokens : countTokens(made, count)
  }
  const unnamed = statistics.skipped - MOST_NAMED
  if (unnamed > 0) printAside(`${many(unnamed, 'more line')} cannot be used.`)
  return statistics
}

function tell(
  statistics: Statistics & { compressed?: number; leftOut?: Record<string, number>; countedBy: string },
  json: boolean,
): void {
  // Standard output may be the lines themselves.
  if (json) return printAside(jsonLine(statistics))
  const { countedBy, read, written, skipped, pictures, tokens, compressed, leftOut = {} } = statistics
  const dropped = Object.entries(leftOut).map(
    ([name, count]) => `${count.toLocaleString('en')} by ${flagOf(name)}`,
  )
  printAside(
    [
      `${written.toLocaleString('en')} of ${many(read, 'trajectory', 'trajectories')} written`,
      ...(compressed === undefined ? [] : [`${compressed.toLocaleString('en')} of them compressed`]),
      ...(dropped.length > 0 ? [`left out: ${dropped.join(', ')}`] : []),
      ...(skipped > 0 ? [`${many(skipped, 'line')} skipped`] : []),
      ...(pictures > 0
        ? [`${many(pictures, 'picture or other file', 'pictures or other files')} only named`]
        : []),
      tokens.before === tokens.after
        ? `about ${many(tokens.after, 'token')}`
        : `about ${tokens.after.toLocaleString('en')} of ${many(tokens.before, 'token')}`,
      countedBy === 'estimate' ? 'estimated' : `counted as by ${showHiddenInLine(countedBy)}`,
    ].join('; ') + '.',
  )
}
