import type { Setting } from '../../shared/contract/settings.ts'
import { Fault } from '../../shared/rpc.ts'

/** Settings as lines, each with its value and description. */
export function showSettings(settings: readonly Setting[]): string {
  return settings
    .map(({ path, value, changed, standard, help }) => {
      const was = changed ? `   (default: ${showValue(standard)})` : ''
      return `${path}: ${showValue(value)}${was}\n    ${help}`
    })
    .join('\n')
}

/** A value as a user would type it. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '(none)' : value
  if (Array.isArray(value) && value.every(each => typeof each === 'string'))
    return value.length === 0 ? '(none)' : value.join(', ')
  return JSON.stringify(value)
}

const YES = new Set(['true', 'yes', 'on'])
const NO = new Set(['false', 'no', 'off'])

/** Parse the value of a setting from the command line. Throws a `bad_input` Fault that says what is allowed. */
export function readValue({ path, kind }: Setting, words: readonly string[]): unknown {
  const word = words.join(' ')
  switch (kind.type) {
    case 'switch':
      if (YES.has(word.toLowerCase())) return true
      if (NO.has(word.toLowerCase())) return false
      throw new Fault('bad_input', `${path} is on or off.`)
    case 'number':
    case 'auto_number': {
      if (kind.type === 'auto_number' && word === 'auto') return word
      const number = Number(word)
      const or = kind.type === 'auto_number' ? '“auto” or ' : ''
      if (word === '' || !Number.isFinite(number))
        throw new Fault('bad_input', `${path} is ${or}a number from ${kind.min} to ${kind.max}.`)
      return number
    }
    case 'list':
      return words.filter(each => each !== '')
    case 'choice':
    case 'text':
      return word
    case 'other':
      try {
        return JSON.parse(word)
      } catch {
        throw new Fault(
          'bad_input',
          `${path} takes JSON, such as ${path === 'models.options' ? '{}' : '[]'}.`,
        )
      }
  }
}
