import type { Word } from '../shell-types.ts'
import { isVital, rootAt } from './system-paths.ts'

const INTERPRETERS =
  /^(python[\d.]*|pypy[\d.]*|perl[\d.]*|ruby[\d.]*|node|nodejs|deno|bun|php[\d.]*|lua[\d.]*|awk|gawk|mawk|osascript)$/
const DELETES =
  /(rmtree|rm_rf|rm_r|rmSync|rmdirSync|remove_tree|remove_entry|rimraf|removeSync|emptyDirSync|\brm\b|unlink(Sync)?|os\.remove)\s*\(?\s*(glob\s*\(?\s*)?$/
const STARTS_SHELL =
  /\b(system|exec\w*|spawn\w*|popen\w*|Popen|subprocess|shell_exec|passthru|do shell script|run)\b|`/
const FORKS = /fork\s+while\b|\bfork\(\)\s+for\b|(while|for|loop)\b[^\n]{0,60}\bfork\b/
const DELETES_HOME =
  /(rmtree|rm_rf|rm_r|rmSync|rmdirSync|remove_tree|remove_entry\w*|rimraf|removeSync|emptyDirSync)\W{0,3}(pathlib\.)?(Path\.home\(\)|os\.path\.expanduser\(\s*["']~\/?["']\s*\)|(os|require\(["'](node:)?os["']\))\.homedir\(\)|Dir\.home|ENV\[["']HOME["']\]|process\.env\.HOME|os\.environ\[["']HOME["']\])\s*[,)]/
/** A command given as a list of strings, as in `run(['rm', '-rf', '/'])`. */
const COMMAND_LIST =
  /(["'])(rm|find|mv|dd|chmod|chown|mkfs[\w.]*|shutdown|reboot|poweroff|halt|sudo)\1(?:[\s,[\]]{1,20}(["'])(?:(?!\3)[^\\\n]){0,200}\3){1,20}|(["'])(reboot|poweroff|halt)\4/g
const LITERAL = /(["'`])((?:\\.|(?!\1)[^\\]){0,2000})\1/gs

/**
 * The hard limits for Python, Perl, Node and other code on the command line. `checkShell` judges strings that
 * the code passes to a shell.
 */
export function codeDanger(
  name: string,
  args: readonly Word[],
  input: string | undefined,
  home: string,
  checkShell: (text: string) => string | undefined,
): string | undefined {
  if (!INTERPRETERS.test(name)) return undefined
  const code = [...args.map(word => word.text), input ?? ''].join('\n')
  if (code.length > 100_000) return undefined
  if (FORKS.test(code))
    return 'It is a fork bomb: it would start processes until the computer stops answering.'
  if (name === 'osascript' && /\b(shut down|restart|log out)\b/.test(code)) {
    return 'It would shut down or restart this computer.'
  }
  if (DELETES_HOME.test(code)) return 'It would delete a whole home folder.'
  const shell = STARTS_SHELL.test(code)
  const lists = shell ? code.matchAll(COMMAND_LIST) : []
  for (const [list] of lists) {
    const words = Array.from(list.matchAll(LITERAL), each => each[2]!)
    const danger = checkShell(words.join(' '))
    if (danger !== undefined) return danger
  }
  for (const literal of code.matchAll(LITERAL)) {
    const text = literal[2]!
    const deleted = DELETES.test(code.slice(Math.max(0, literal.index - 40), literal.index))
    if (deleted && text.startsWith('/') && (isVital(text) || rootAt(text.replace(/\/\*$/, ''), home))) {
      return `It would delete ${text}.`
    }
    const danger = shell ? checkShell(text) : undefined
    if (danger !== undefined) return danger
  }
  return undefined
}
