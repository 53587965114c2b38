import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { rootFolder } from '../../src/main/lib/disk/shipped-files.ts'
import type { Reader } from './find-readers.ts'
import type { Task } from './measure-reader.ts'
import { whyNotCalled } from './samples.ts'
import { INPUTS } from './table/inputs.ts'
import { readRows, ROWS, whyOwn } from './table/index.ts'
import { INSIDE } from './table/inside.ts'
import { OUTSIDE } from './table/outside.ts'
import { SHOWN } from './table/shown.ts'

/** The sources of the product, by paths with slashes. Tests and their builders are left out. */
export function readSources(): Record<string, string> {
  const root = rootFolder()
  const files = globSync('src/{main,preload,renderer,shared}/**/*.{ts,tsx}', { cwd: root })
    .map(path => path.replaceAll(sep, '/'))
    .filter(path => !/\.test\.tsx?$|\/(?:test|an?)-[\w-]+\.tsx?$|\/test\//.test(path))
  return Object.fromEntries(files.map(path => [path, readFileSync(join(root, path), 'utf8')]))
}

/**
 * The functions of the table that can be called, each with how its parameters are filled and what it reads.
 */
export function tasksOf(readers: readonly Reader[], shapes: readonly string[]): Task[] {
  const params = new Map(readers.map(reader => [`${reader.file} ${reader.name}`, reader.params]))
  return readRows()
    .filter(({ file, name }) => whyNotCalled(file, name) === undefined)
    .map(({ file, name, input }) => ({
      file,
      name,
      input,
      params: params.get(`${file} ${name}`) ?? ['text'],
      most: INPUTS[input].most,
      shapes,
    }))
}

const TABLE = 'bench/bounds/table'

/** What to add to the table, in words: functions that read a text from others and are in no row. */
export function missingRows(readers: readonly Reader[]): string[] {
  const named = new Set(readRows().map(({ file, name }) => `${file} ${name}`))
  return readers.flatMap(({ file, name, texts }) => {
    const row = ROWS[file]
    if (named.has(`${file} ${name}`) || (row === undefined && whyOwn(file) !== undefined)) return []
    const reads = `${name} in ${file} reads a text (${texts.join(', ')}).`
    const which = `another input of ${TABLE}/inputs.ts, whichever says how long the text can be`
    const table = `${TABLE}/${tableOf(file)}`
    if (row !== undefined)
      return [
        `${reads} Add its name behind “${row.split(':')[0]}:” in the row of its file in ${table}, or behind the name of ${which}.`,
      ]
    return [
      `${reads} Add a row '${file}': 'INPUT: ${name}' to ${table}; INPUT is the name of an input of ${TABLE}/inputs.ts, whichever says how long the text can be. If every text that this file reads is the user’s own, add the file to OWN in ${TABLE}/index.ts instead.`,
    ]
  })
}

/** The file of the table that the rows of a source belong in. */
function tableOf(file: string): string {
  const [name] = [INSIDE, OUTSIDE, SHOWN].flatMap((rows, at) => (file in rows ? [TABLES[at]!] : []))
  return name ?? (/^src\/(?:renderer|shared)\//.test(file) ? 'shown.ts' : 'inside.ts or outside.ts')
}
const TABLES = ['inside.ts', 'outside.ts', 'shown.ts']

/** Rows whose functions do not exist any more, in words. */
export const staleRows = (sources: Readonly<Record<string, string>>): string[] =>
  readRows().flatMap(({ file, name }) =>
    new RegExp(String.raw`^export (?:async )?(?:function\*?|const) ${name}\b`, 'm').test(sources[file] ?? '')
      ? []
      : [`${TABLE} names ${name} in ${file}, which exports no such function.`],
  )
