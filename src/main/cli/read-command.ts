import { stat } from 'node:fs/promises'
import { Fault } from '../../shared/rpc.ts'
import { jsonLine } from '../../shared/visible-text/show-hidden.ts'
import { joinPages } from '../documents/document-text.ts'
import { readDocument } from '../documents/read-document.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { absolutePath } from './command-line.ts'
import { askHidden, stopOnSignals } from './terminal.ts'
import { printAside, printLine, stripControls } from './terminal-text.ts'

type Options = { json?: true; password?: string | true }

/** Print the text of a document, or all that was found out about it as JSON. False when nothing of it could be read. */
export async function readInTerminal(given: string, { json, password }: Options): Promise<boolean> {
  const path = absolutePath(given)
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  if (!isThere) throw new Fault('not_found', `There is no file ${given}, or it cannot be opened.`)
  using stopping = stopOnSignals()
  const { signal } = stopping
  const ask = () =>
    askHidden(`The password of ${given}: `, `${given} is locked. Give its password with --password.`)
  const first = password === true ? await ask() : password
  let outcome = await readDocument(path, { signal, ...(first !== undefined && { password: first }) })
  if (isRefusal(outcome) && outcome.needs === 'password' && first === undefined && process.stdin.isTTY)
    outcome = await readDocument(path, { signal, password: await ask() })
  if (isRefusal(outcome)) {
    const more = outcome.needs === 'password' ? ' Give it with --password.' : ''
    printAside(stripControls(`${given} ${outcome.refused}.${more}`))
    return false
  }
  if (json) printLine(jsonLine(outcome))
  else {
    if (outcome.pages.length > 0) printLine(stripControls(joinPages(outcome)))
    for (const problem of outcome.problems) printAside(stripControls(`(${problem})`))
  }
  return outcome.kind !== 'other' && outcome.kind !== 'picture'
}
