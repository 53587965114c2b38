import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'

// On Windows the files in `node_modules/.bin` are shell scripts. They need a shell, and a shell splits the
// path of a folder with a blank in its name. So their JavaScript is started instead, on every system.

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

/** The arguments with which Node runs words such as `tsc -p tsconfig.json` or `node script.ts`. */
export const nodeArguments = ([program, ...args]: readonly [string, ...string[]]): string[] =>
  program === 'node' ? args : [programFile(program), ...args]

/**
 * Start a program of this project in the project's folder, with the same Node as this process and without a
 * shell.
 */
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
