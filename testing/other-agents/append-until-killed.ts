import { closeSync, openSync, writeSync } from 'node:fs'
import { aLine } from './a-spool-line.ts'
import { seededNumbers } from '../gguf/seeded-numbers.ts'

/**
 * Append the events of a session as a script inside another program does, until killed or until the session
 * ends, and print the id of each written event. Some lines take many pages, so that a kill may cut a line.
 */
const [path = '', round = ''] = process.argv.slice(2)
const next = seededNumbers(Number(round))

function append(id: string, line: string): void {
  const file = openSync(path, 'a', 0o600)
  writeSync(file, line)
  closeSync(file)
  writeSync(1, `${id}\n`)
}

for (let n = 0; n < 40; n++) {
  const id = `${round}-${n}`
  const words = next() % 4 === 0 ? next() % 30_000 : next() % 100
  append(id, aLine(`${id} ${'word '.repeat(words)}${id}`, { id }))
}
append(`${round}-end`, aLine('', { id: `${round}-end`, event: { type: 'session_end' } }))
