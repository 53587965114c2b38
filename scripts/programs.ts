import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'

// The files of `node_modules/.bin` are shell scripts on Windows. Started there they need a shell, and a shell splits
// what stands in a folder with a blank in its name. So their JavaScript is started instead, on all systems alike.

const root = rootFolder()

/** The packages whose programs the scripts start. */
const PACKAGES: Readonly<Record<string, string>> = {
  knip: 'knip',
  oxfmt: 'oxfmt',
  oxlint: 'oxlint',
  playwright: '@playwright/test',
  tsc: 'typescript',
  vitest: 'vitest',
}

/** The JavaScript of a program of this project, as its package names it. */
export function programFile(name: string): string {
  const folder = join(root, 'node_modules', PACKAGES[name] ?? name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin?: string | Record<string, string>
  }
  const file = typeof bin === 'string' ? bin : bin?.[name]
  if (file === undefined) throw new Error(`${folder} has no program ${name}.`)
  return join(folder, file)
}

/** What Node is given to run words such as `tsc -p tsconfig.json` or `node script.ts`. */
export const nodeArguments = ([program, ...args]: readonly [string, ...string[]]): string[] =>
  program === 'node' ? args : [programFile(program), ...args]

/** Start a program of this project in its folder, on the Node that runs this and without a shell. */
export const startProgram = (
  command: readonly [string, ...string[]],
  { env, ...options }: SpawnOptions,
): ChildProcess =>
  spawn(process.execPath, nodeArguments(command), {
    ...options,
    cwd: root,
    env: {
      ...process.env,
      ...env,
      PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env['PATH']}`,
    },
  })
