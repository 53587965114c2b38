import type { Word } from './shell-types.ts'
import { rootAt } from './system-paths.ts'

const INTERPRETERS =
  /^(python[\d.]*|pypy[\d.]*|perl[\d.]*|ruby[\d.]*|node|nodejs|deno|bun|php[\d.]*|lua[\d.]*|awk|gawk|mawk|osascript)$/
const DELETES =
  /(rmtree|rm_rf|rm_r|rmSync|rmdirSync|remove_tree|remove_entry|rimraf|removeSync|emptyDirSync|\brm\b)\s*\(?\s*$/
const STARTS_SHELL =
  /\b(system|exec\w*|spawn\w*|popen\w*|Popen|subprocess|shell_exec|passthru|do shell script|run)\b|`/
const FORKS = /fork\s+while\s+fork|(while|for|loop)\b[^\n]{0,60}\bfork\b/
const LITERAL = /(["'`])((?:\\.|(?!\1)[^\\]){0,2000})\1/gs

/**
 * The hard limits for Python, Perl, Node and other code given on the command line. `checkShell` judges strings
 * that the code passes to a shell.
 */
export function payloadDanger(
  name: string,
  args: readonly Word[],
  home: string,
  checkShell: (text: string) => string | undefined,
): string | undefined {
  if (!INTERPRETERS.test(name)) return undefined
  const code = args.map(word => word.text).join('\n')
  if (code.length > 100_000) return undefined
  if (FORKS.test(code))
    return 'It is a fork bomb: it would start processes until the computer stops answering.'
  if (name === 'osascript' && /\b(shut down|restart|log out)\b/.test(code)) {
    return 'It would shut down or restart this computer.'
  }
  const shell = STARTS_SHELL.test(code)
  for (const literal of code.matchAll(LITERAL)) {
    const text = literal[2]!
    const deleted = DELETES.test(code.slice(Math.max(0, literal.index - 40), literal.index))
    if (deleted && text.startsWith('/') && rootAt(text.replace(/\/\*$/, ''), home)) {
      return `It would delete ${text}.`
    }
    const danger = shell ? checkShell(text) : undefined
    if (danger !== undefined) return danger
  }
  return undefined
}
