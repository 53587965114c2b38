import type { Word } from './shell-types.ts'

const NARROWING =
  /^-(i?name|i?path|i?wholename|i?regex|i?lname|newer\w*|[acm](time|min)|size|user|group|uid|gid|perm|empty|inum|links|samefile|maxdepth|nouser|nogroup)$/

/** Whether `find` selects only some of what is below its folders. */
export const isNarrowed = (args: readonly Word[]): boolean =>
  args.some((word, at) => NARROWING.test(word.text) && !/^\*+$/.test(args[at + 1]?.text ?? ''))

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
