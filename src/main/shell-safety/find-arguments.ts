import type { Word } from './shell-types.ts'

/** Names of files that tools leave behind and can recreate. */
const JUNK =
  /^(\*\.(py[co]|o|obj|class|tmp|temp|bak|orig|rej|sw[op]|log|gz|old|cache|part|crdownload|elc|gch|DS_Store)|.{0,20}\*?~|#\*#?|\.DS_Store|Thumbs\.db|desktop\.ini|__pycache__|node_modules|\.\w+_cache|\.cache|target|dist|build|\.\*?\.sw[op]|\._\*|[\w.-]*\.log(\.\*)?|npm-debug\*)$/i

/**
 * How much `find` narrows its results by name. `junk`: to files that tools can recreate. `names`: to names
 * that someone chose. `kinds`: at most to a kind of file. Sizes, times, owners and negations do not count,
 * because nearly every file matches them.
 */
export function narrowingOf(args: readonly Word[]): 'junk' | 'names' | 'kinds' | 'none' {
  const words = args.map(word => word.text)
  if (words.some(word => /^(!|-not)$/.test(word))) return 'none'
  const patterns = words.filter((_, at) => /^-i?(name|path|wholename|regex|lname)$/.test(words[at - 1] ?? ''))
  if (words.includes('-empty') && patterns.length === 0) return 'kinds'
  if (patterns.length === 0) return words.some(word => /^-(samefile|inum)$/.test(word)) ? 'names' : 'none'
  if (patterns.every(pattern => JUNK.test(pattern))) return 'junk'
  // Text after an unclosed bracket counts as nothing; searching each bracket's end would take too long.
  const lettersOf = (pattern: string) => pattern.replace(/\[[^\]]*(?:\]|$)|[^\p{L}\p{N}]/gu, '').length
  if (patterns.some(pattern => lettersOf(pattern) === 0)) return 'none'
  const isKind = (pattern: string) => /^\*?\.?\*?\w{0,8}\*?$/.test(pattern) && pattern.includes('*')
  return patterns.some(isKind) ? 'kinds' : 'names'
}

/** Whether `find` selects only some of what is below its folders. */
export const isNarrowed = (args: readonly Word[]): boolean => /^(junk|names)$/.test(narrowingOf(args))

/** The folders where `find` starts; the current folder if none is given. */
export function findStarts(args: readonly Word[]): Word[] {
  const until = args.findIndex(word => /^[-(!]/.test(word.text) && !/^-[HLPDO]/.test(word.text))
  const starts = args.slice(0, until < 0 ? undefined : until).filter(word => !word.text.startsWith('-'))
  return starts.length > 0 ? starts : [{ text: '.', literal: true, glob: false, runs: [] }]
}

/** The commands that `find` would run on its results, each with its arguments up to `;` or `+`. */
export function findCommands(args: readonly Word[]): Word[][] {
  const commands: Word[][] = []
  for (let at = 0; at < args.length; at++) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(args[at]!.text)) continue
    const end = args.findIndex((word, index) => index > at && (word.text === ';' || word.text === '+'))
    commands.push(args.slice(at + 1, end < 0 ? undefined : end))
    if (end < 0) break
    at = end
  }
  return commands
}
