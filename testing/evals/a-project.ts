import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Eval } from '../../evals/all-evals.ts'
import { Records, type Figures } from '../../evals/records.ts'
import { readOptions } from '../../evals/runner/read-options.ts'
import { runAll } from '../../evals/runner/run-all.ts'

/** A recorded eval in these projects. */
export const aRecord = (figures: Figures) => ({
  commit: '0123456789',
  on: '2026-01-31',
  machine: '1 x Abacus',
  figures,
})

/**
 * A project in a temporary folder, with evals that are tiny programs, given as texts. `files`: further files.
 * Each eval has the script `eval:<name>`.
 */
export function aProject(
  programs: Record<string, string>,
  {
    records = {},
    files = {},
    evals = {},
  }: { records?: Records; files?: Record<string, string>; evals?: Record<string, Partial<Eval>> } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-evals-'))
  const root = join(folder, 'project')
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  const names = Object.keys(programs)
  const scripts = Object.fromEntries(names.map(name => [`eval:${name}`, `node evals/${name}.mjs`]))
  put('package.json', JSON.stringify({ scripts }))
  put('bench/records.json', JSON.stringify(records))
  for (const [name, text] of Object.entries(programs)) put(`evals/${name}.mjs`, text)
  for (const [name, text] of Object.entries(files)) put(name, text)
  const list = names.map(name => ({ name, script: `eval:${name}`, args: [], inTests: false, ...evals[name] }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], {
      cwd: root,
      stdio: 'pipe',
    })
  return {
    root,
    put,
    read: (name: string) => readFileSync(join(root, name), 'utf8'),
    records: () => Records.parse(JSON.parse(readFileSync(join(root, 'bench/records.json'), 'utf8'))),
    /** Turn the project into a repository with everything committed. Returns the commit. */
    commit() {
      git('init', '-q')
      git('add', '.')
      git('commit', '-qm', 'All of it')
      return git('rev-parse', 'HEAD').toString().slice(0, 10)
    },
    /** Run `npm run evals` with arguments. Returns its lines and its exit code. */
    async measure(...args: string[]) {
      const options = readOptions(args, { root, evals: list })
      if ('wrong' in options) return { code: 2, lines: [options.wrong] }
      if (options.do !== 'measure') throw new Error('Nothing was to be measured.')
      const lines: string[] = []
      const now = new Date('2026-11-28T12:00:00Z')
      const code = await runAll({ ...options, root, evals: list, now, print: line => lines.push(line) })
      return { code, lines }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The program of an eval that prints a row, and then these figures under its own name as the last line. */
export const printing = (figures: Figures, end = ''): string =>
  `console.log(JSON.stringify({ id: 'row 1', right: true }))
console.log(JSON.stringify({ eval: import.meta.filename.match(/(\\w+)\\.mjs$/)[1], figures: ${JSON.stringify(figures)} }))
${end}`
