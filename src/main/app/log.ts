import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as others } from 'node:timers/promises'
import { pino } from 'pino'
import { writeAtomic } from '../lib/disk/durable-files.ts'
import { undefinedIfMissing, readIfThere } from '../lib/expected-errors.ts'
import { redactLine } from '../untrusted/redact.ts'

const FILES = 5
const FILE_BYTES = 1_000_000

/** The log of the host, for finding errors later. Secrets are redacted. */
export type Log = {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
  /** Remove the lines of a time span, in epoch milliseconds, and lines without a time. */
  forget(from: number, to: number): Promise<void>
  close(): void
}

const SECRET_FIELDS = [
  'apiKey',
  'api_key',
  'authorization',
  'Authorization',
  'cookie',
  'key',
  'password',
  'secret',
  'token',
]

/**
 * Append to `<home>/logs/talaria.log`, synchronously, without a worker. Keeps five files of about 1 MB.
 * Errors never stop the product: lines that cannot be written are counted, and a later line reports the
 * count.
 */
export function openLog(home: string): Log {
  const file = openRotating(join(home, 'logs'), 'talaria.log')
  const paths = SECRET_FIELDS.flatMap(name => [name, `*.${name}`, `*.*.${name}`])
  const { err } = pino.stdSerializers
  const logger = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      serializers: { error: err, err },
      redact: { paths, censor: '[redacted]' },
    },
    { write: line => file.write(redactLine(line)) },
  )
  return {
    info: (fields, text) => logger.info(fields, text),
    warn: (fields, text) => logger.warn(fields, text),
    error: (fields, text) => logger.error(fields, text),
    forget: file.forget,
    close: () => file.close(),
  }
}

function openRotating(folder: string, name: string) {
  const path = (age: number) => join(folder, age === 0 ? name : `${name}.${age}`)
  let file: number | undefined
  let size = 0
  let lost = 0

  function open() {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    file = openSync(path(0), 'a', 0o600)
    size = fstatSync(file).size
  }
  function close() {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
  function rotate() {
    close()
    for (let age = FILES - 2; age >= 0; age -= 1) renameIfThere(path(age), path(age + 1))
  }
  function append(line: string) {
    if (file === undefined) open()
    size += writeSync(file!, line)
  }

  return {
    write(line: string) {
      try {
        if (size > 0 && size + line.length > FILE_BYTES) rotate()
        append(line)
        if (lost > 0) {
          append(
            `${JSON.stringify({ level: 'warn', msg: `${lost} lines before this one could not be written` })}\n`,
          )
          lost = 0
        }
      } catch {
        // A full or missing disk can only be reported later, in this log.
        lost += 1
        size = 0
      }
    },
    /** Each file is rewritten in one go, so that no line can be appended in the meantime. */
    async forget(from: number, to: number) {
      for (let age = 0; age < FILES; age += 1) {
        const text = readIfThere(path(age))
        const kept = linesOutside(text, from, to)
        if (kept !== text) {
          if (age === 0) close()
          writeAtomic(path(age), kept)
        }
        await others()
      }
    },
    close,
  }
}

function linesOutside(text: string, from: number, to: number): string {
  return text
    .split(/(?<=\n)/)
    .filter(line => {
      const at = Date.parse(/"time":"([^"]{1,40})"/.exec(line)?.[1] ?? '')
      return at < from || at > to
    })
    .join('')
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    undefinedIfMissing(error)
  }
}
