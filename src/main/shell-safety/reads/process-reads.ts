import { MARK } from '../shell-types.ts'

/** A cluster of `ps` flags; the last may take a value. */
const CLUSTER = /^-([AaedfFjlLrTwxyHZMcm]*)([uoOptCUG]?)(.*)$/s
const LONG = /^--(?:forest|no-headers|headers|sort(?:=[-+\w%,]+)?|pid(?:=[\d,]+)?)$/
/** Letters of the form without a dash. An `e` among them shows the environment of each process. */
const BSD_LETTERS = /^[acefghjklmnoprstuvwxzTLSUXZNOWMC]*e[acefghjklmnoprstuvwxzTLSUXZNOWMC]*$/
const VALUES: Readonly<Record<string, RegExp>> = {
  p: new RegExp(`^[\\d, ${MARK.some}]+$`),
  o: /^(?!.*env)[\w%,=:]+$/i,
  O: /^(?!.*env)[\w%,=:]+$/i,
}
const NAME = /^[\w./][\w./,-]*$/

/**
 * Whether `ps` shows processes without their environment. `ps e`, `ps auxe` and, on macOS, `-E` show it. If
 * `ps` does not understand flags with a dash, it reads them as if there were none: `ps -auxe`, or `ps -eu x`
 * for a missing user.
 */
export function psReads(words: readonly string[]): boolean {
  let takes: string | undefined
  let hasDashedE = false
  let hasOther = false
  for (const word of words) {
    if (takes !== undefined) {
      if (!isValue(takes, word)) return false
      takes = undefined
    } else if (word === '--pid') takes = 'p'
    else if (word === '--sort') takes = 'o'
    else if (word.startsWith('--')) {
      if (!LONG.test(word)) return false
    } else if (word.startsWith('-')) {
      const [, plain = '', last = '', value = ''] = CLUSTER.exec(word) ?? []
      if (word === '-' || !CLUSTER.test(word)) return false
      hasDashedE ||= plain.includes('e')
      // `-aux` is understood as `aux`.
      const isOld = last === 'u' && /^[axwfjlr]*$/.test(value)
      hasOther ||= !/^[oOpC]?$/.test(last)
      if (last === '' ? value !== '' : value !== '' && !isOld && !isValue(last, value)) return false
      if (last !== '' && value === '' && last !== 'u') takes = last
      else if (last === 'u' && value === '') takes = 'u?'
    } else if (!/^[auxwfjlrTv]+$/.test(word)) return false
  }
  return (takes === undefined || takes === 'u?') && !(hasDashedE && hasOther)
}

const isValue = (flag: string, value: string): boolean =>
  !BSD_LETTERS.test(value.replaceAll(',', '')) || flag === 'o' || flag === 'O'
    ? (VALUES[flag] ?? NAME).test(value)
    : false
