import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { recordNames, recordsOfNone, type Eval } from './all-evals.ts'
import type { Records } from './records.ts'
import { fileOfScript, readScripts } from './runner/run-eval.ts'

/**
 * What was forgotten in the list of evals, one sentence each: scripts in package.json without a row, rows
 * without a script, rows that claim to be tested although no test in their folder compares the figures, and
 * records of evals that no longer exist.
 */
export function findUnlisted(evals: readonly Eval[], records: Records, root: string): string[] {
  const scripts = readScripts(root)
  const listed = new Set(evals.map(({ script }) => script))
  const names = recordNames(evals)
  return [
    ...Object.keys(scripts)
      .filter(script => script.startsWith('eval:') && !listed.has(script))
      .map(script => `No eval of the list runs ${script} of package.json.`),
    ...evals
      .filter(({ script }) => fileOfScript(scripts[script]) === undefined)
      .map(({ name, script }) => `${name} runs ${script}, which package.json does not have as “node FILE”.`),
    ...evals.flatMap(({ name, script, inTests }) => {
      const file = fileOfScript(scripts[script])
      if (!inTests || file === undefined) return []
      return isCompared(name, join(root, dirname(file)))
        ? []
        : [
            `No test in ${dirname(file)} calls differences('${name}', …), although ${name} is said to be in the tests.`,
          ]
    }),
    ...names.filter((name, at) => names.indexOf(name) !== at).map(name => `Two evals have the name ${name}.`),
    ...recordsOfNone(evals, records).map(name => `The record ${name} belongs to no eval.`),
  ]
}

/**
 * Whether a test of a folder compares the figures of an eval: by its name, or by a template such as
 * `recall-own-${form}`.
 */
const isCompared = (name: string, folder: string): boolean =>
  globSync('**/*.test.ts', { cwd: folder }).some(file => {
    const text = readFileSync(join(folder, file), 'utf8')
    return [...text.matchAll(/\bdifferences\(\s*(['`])([\w${}.-]+)\1/g)].some(([, quote, named = '']) =>
      quote === '`'
        ? new RegExp(`^${named.replaceAll(/\$\{[^}]*\}/g, '[\\w-]+')}$`).test(name)
        : named === name,
    )
  })
