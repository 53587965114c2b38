import type { LocalMcpServer } from '../../../shared/contract/connections/mcp.ts'
import { programOf } from './named-places.ts'

/** A package that a command downloads and runs. */
export type NamedPackage = {
  /** Index of the argument that names it. */
  at: number
  /** The package as the argument names it, such as `tool@latest`. */
  spec: string
  from: 'npm' | 'python'
  name: string
  /** A tag such as `latest`, or a range; empty if there is none. */
  wanted: string
  /** Whether `wanted` is an exact version. */
  isExact: boolean
  /** The argument with this version. */
  withVersion(version: string): string
}

const NPM_RUNNERS = /^(?:npx|bunx|pnpx)$/
/** Options of these programs that take no value. */
const FLAGS =
  /^(?:-y|--yes|-q|--quiet|-s|--silent|--no|--no-install|--offline|--prefer-offline|--prefer-online|--bun|--verbose|--isolated|--refresh|--no-cache)$/
/** Options that name the package in place of the first word. */
const PACKAGE_OPTION = /^(?:-p|--package|--from)$/
const NPM_SPEC = /^(?<name>(?:@[\w.~-]+\/)?[\w.~-]+)(?:@(?<wanted>[^@/:]+))?$/
const PYTHON_SPEC = /^(?<name>[A-Za-z\d][\w.-]*)(?<extras>\[[\w,.-]+\])?(?:(?:@|==)(?<wanted>[^@/:=<>~!]+))?$/
/** The form of an exact version in both registries. */
export const EXACT = { npm: /^\d+\.\d+\.\d+[\w.+-]*$/, python: /^\d[\w.+!-]*$/ }

/** The package that a server's command downloads; undefined if its words do not say it for certain. */
export function namedPackage({ command, args }: LocalMcpServer): NamedPackage | undefined {
  const program = programOf(command)
  const from = NPM_RUNNERS.test(program) ? 'npm' : program === 'uvx' ? 'python' : undefined
  if (!from) return undefined
  let at = 0
  let prefix = ''
  for (; at < args.length; at++) {
    const arg = args[at]!
    const [option = '', ...value] = arg.split('=')
    if (PACKAGE_OPTION.test(option) && value.length > 0) prefix = `${option}=`
    else if (PACKAGE_OPTION.test(arg)) at++
    else if (FLAGS.test(arg)) continue
    break
  }
  const isOption = prefix !== '' || PACKAGE_OPTION.test(args[at - 1] ?? '')
  const others = isOption && args.slice(at + 1).some(arg => PACKAGE_OPTION.test(arg.split('=')[0]!))
  const spec = args[at]?.slice(prefix.length) ?? ''
  const found = (from === 'npm' ? NPM_SPEC : PYTHON_SPEC).exec(spec)?.groups
  if (!found || others || spec.startsWith('-')) return undefined
  const { name = '', extras = '', wanted = '' } = found
  const between = from === 'npm' || !isOption ? '@' : '=='
  return {
    at,
    spec,
    from,
    name,
    wanted,
    isExact: EXACT[from].test(wanted),
    withVersion: version => prefix + name + extras + between + version,
  }
}
