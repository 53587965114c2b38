import { fstatSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { many } from '../../../shared/text/amounts.ts'
import { MAX_MESSAGE_CHARS } from '../../../shared/contract/chats/messages.ts'
import { Fault } from '../../../shared/rpc.ts'
import { fileErrorCode } from '../../lib/expected-errors.ts'
import { decodeText, encodingName } from '../../lib/encodings/decode-text.ts'
import { sizeInWords } from '../../files/read-text-file.ts'

/**
 * Maximum size of piped text, in bytes. A character has at most four bytes, so a longer text does not fit
 * into a message.
 */
const MAX_BYTES = 4 * MAX_MESSAGE_CHARS
/**
 * How long to wait for the first byte of an open pipe if a question is given, in ms. An inherited pipe may
 * never deliver anything. Shells connect programs by pipes; a socket mostly is the default that Node gives
 * its child processes.
 */
const FIRST_BYTE_MS = { pipe: 3_000, socket: 1_000 }

const ADVICE =
  'Write it to a file and name that file in the question, or send the part that matters, with head, tail or grep.'

type Reading = {
  /** Print a remark that is not part of the answer. */
  say(text: string): void
  /** How long a pipe may stay empty, in ms; if absent, wait for its end. */
  firstByteMs?: number
}

/**
 * Read the question of a command: `given` and the piped text, or the piped text alone with `-` or without
 * `given`. An undefined question means that the user is at a terminal and will type it.
 */
export async function readQuestion(
  given: string | undefined,
  input: Readable & { isTTY?: boolean; fd?: number },
  { isTerminal, say }: { isTerminal: boolean; say(text: string): void },
): Promise<{ question: string | undefined; piped: string }> {
  if (given?.trim() === '') throw new Fault('bad_input', 'The question is empty.')
  if (given === '-' || (given === undefined && !isTerminal)) {
    if (input.isTTY) say('Type the question, then press Ctrl-D.\n')
    const question = (await readPiped(input, { say })).trim()
    if (question === '')
      throw new Fault('bad_input', 'No question given. Pass one with -q or through standard input.')
    return { question, piped: '' }
  }
  if (given === undefined || input.isTTY) return { question: given, piped: '' }
  const piped = await readPiped(input, {
    say,
    firstByteMs: FIRST_BYTE_MS[isSocket(input) ? 'socket' : 'pipe'],
  })
  return { question: given, piped }
}

function isSocket(input: { fd?: number }): boolean {
  try {
    return input.fd !== undefined && fstatSync(input.fd).isSocket()
  } catch (error) {
    fileErrorCode(error)
    return false
  }
}

/** Add piped text below a question, in a fence that the text cannot close. */
export function withPiped(question: string, piped: string): string {
  if (piped.trim() === '') return question
  const text = piped
    .replaceAll('\r\n', '\n')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd()
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(run => run.length))
  const fence = '`'.repeat(longest + 1)
  const whole = `${question.trimEnd()}\n\nText from standard input, which is material for this message:\n${fence}\n${text}\n${fence}`
  if (whole.length > MAX_MESSAGE_CHARS) throw tooLong(many(text.length, 'character'))
  return whole
}

/** Read standard input to its end, as text. */
async function readPiped(input: Readable, { say, firstByteMs }: Reading): Promise<string> {
  const bytes = await readBytes(input, firstByteMs, say)
  const decoded = decodeText(bytes)
  if (!decoded)
    throw new Fault(
      'bad_input',
      `Standard input is not text (${sizeInWords(bytes.length)}). Write it to a file and name that file in the question.`,
    )
  const isUtf8 = decoded.encoding === 'utf8' || decoded.encoding.startsWith('utf16')
  if (!isUtf8)
    say(
      `Standard input is not UTF-8. It was read as ${decoded.isUnsure ? 'perhaps ' : ''}${encodingName(decoded.encoding)}.\n`,
    )
  else if (!decoded.exact)
    say('Standard input is not valid UTF-8. Unreadable characters appear as “\ufffd” in the message.\n')
  return decoded.text
}

/** Read all bytes, or none if `firstByteMs` passes before the first byte arrives. */
async function readBytes(
  input: Readable,
  firstByteMs: number | undefined,
  say: Reading['say'],
): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  let isHeard = false
  let timer: NodeJS.Timeout | undefined
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onData = (piece: Buffer | string) => {
    clearTimeout(timer)
    isHeard = true
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    pieces.push(bytes)
    size += bytes.length
    if (size > MAX_BYTES) reject(tooLong(`more than ${sizeInWords(MAX_BYTES)}`))
  }
  // Standard input may be a folder, or the write-only file that nohup puts there.
  const onError = (error: NodeJS.ErrnoException) => {
    isHeard = true
    const text = `Standard input cannot be read (${error.code ?? error.message})`
    if (firstByteMs === undefined || size > 0) return reject(new Fault('bad_input', `${text}.`))
    say(`${text}, so the question is asked without it.\n`)
    resolve()
  }
  if (firstByteMs !== undefined) {
    const giveUp = () => {
      say(
        `Nothing arrived through the pipe within ${many(Math.ceil(firstByteMs / 1_000), 'second')}, so the question is asked without it.\n`,
      )
      resolve()
    }
    // On a busy computer the timer may fire before data that arrived in time is read.
    timer = setTimeout(() => setImmediate(() => void (isHeard || giveUp())), firstByteMs)
  }
  const onEnd = () => {
    isHeard = true
    resolve()
  }
  input.on('data', onData).once('end', onEnd).once('close', onEnd).on('error', onError)
  try {
    await promise
  } finally {
    clearTimeout(timer)
    input.off('data', onData).off('end', onEnd).off('close', onEnd)
    // An open pipe would keep the process from ending.
    input.destroy()
  }
  return Buffer.concat(pieces)
}

const tooLong = (size: string) =>
  new Fault(
    'bad_input',
    `The text from standard input is too long: ${size}; a message has at most ${many(MAX_MESSAGE_CHARS, 'character')}. ${ADVICE}`,
  )
