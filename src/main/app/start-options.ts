import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Fault } from '../../shared/rpc.ts'

/** The options of a launch. `open`: whether to open the browser; absent if the user gave neither flag. */
export type StartOptions = { home?: string; workspace?: string; port: number; open?: boolean; api?: boolean }

const options = {
  home: { type: 'string' },
  workspace: { type: 'string' },
  port: { type: 'string' },
  open: { type: 'boolean' },
  api: { type: 'boolean' },
} as const

/** The options of both entries, shown for `--help` and after a wrong option. */
export const usage =
  'Options: --home <folder>  --workspace <folder>  --port <number>  --open or --no-open (the browser)  --api (answer other programs)'

/**
 * Read the command line of an entry. `lenient` ignores unknown options, because Electron's arguments are
 * mixed with Chromium's switches. Otherwise a wrong option is a `bad_input`.
 */
export function readStartOptions(
  args: string[],
  env: NodeJS.ProcessEnv,
  mode: 'strict' | 'lenient',
): StartOptions {
  const given = parse(args, mode)
  // npm runs its scripts in the package folder; users mean their current one.
  const from = (path: string) => (path.startsWith('~') ? path : resolve(env['INIT_CWD'] ?? '', path))
  const home = text(given.home)
  const workspace = text(given.workspace)
  return {
    ...(home && { home: from(home) }),
    ...(workspace && { workspace: from(workspace) }),
    port: portNumber(text(given.port) ?? '0'),
    ...(given.api === true && { api: true }),
    ...(typeof given.open === 'boolean' && { open: given.open }),
  }
}

function parse(args: string[], mode: 'strict' | 'lenient') {
  try {
    const strict = mode === 'strict'
    return parseArgs({ args, options, allowNegative: true, strict, allowPositionals: !strict }).values
  } catch (error) {
    throw new Fault('bad_input', `${(error as Error).message}\n${usage}`)
  }
}

// In lenient mode, an option at the end without its value parses as a boolean.
const text = (value: string | boolean | undefined) =>
  typeof value === 'string' && value !== '' ? value : undefined

function portNumber(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value)
  throw new Fault(
    'bad_input',
    `“${value}” is not a port; use a number from 0 to 65535 (0 takes any free one).`,
  )
}
