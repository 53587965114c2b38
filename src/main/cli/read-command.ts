import { stat } from 'node:fs/promises'
import { Fault } from '../../shared/rpc.ts'
import { jsonLine } from '../../shared/visible-text/show-hidden.ts'
import { joinPages, nameDocument } from '../documents/join-pages.ts'
import { readDocument } from '../documents/read-document.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { absolutePath, type PageRange } from './command-line.ts'
import { askHidden } from './interactive/ask-at-terminal.ts'
import { stopOnSignals } from './stop-on-signals.ts'
import { printAside, printLine, stripControls } from './output/terminal-text.ts'

type Options = { json?: true; password?: string | true; pages?: PageRange }

/**
 * Print the text of a document, or all findings about it as JSON. Resolves to false if none of it could be
 * read.
 */
export async function readInTerminal(given: string, { json, password, pages }: Options): Promise<boolean> {
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
  if (pages && outcome.pages.length > 0) {
    const chosen = outcome.pages.filter(({ n }) => n >= pages.from && n <= pages.to)
    if (chosen.length === 0) {
      printAside(stripControls(`There is no page ${pages.from}: ${given} is ${nameDocument(outcome)}.`))
      return false
    }
    outcome = { ...outcome, pages: chosen }
  }
  if (json) printLine(jsonLine(outcome))
  else {
    // Page numbers alone say nothing; missing parts are reported below.
    if (outcome.pages.some(({ text }) => text.trim() !== '')) printLine(stripControls(joinPages(outcome)))
    for (const problem of outcome.problems) printAside(stripControls(`(${problem})`))
  }
  return outcome.kind !== 'other' && outcome.kind !== 'picture'
}
