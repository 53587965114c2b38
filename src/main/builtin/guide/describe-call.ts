import type { WantedCall } from './guide-scene.ts'

const textOf = (given: Record<string, unknown>, name: string): string => {
  const value = given[name]
  return typeof value === 'string' ? value : ''
}

const LONGEST = 80
const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1).toWellFormed()}…`
}

/** Describe a call as a phrase after “I would”. The rules understand the phrase as a request, too. */
export function describeCall({ name, arguments: given }: WantedCall): string {
  const path = textOf(given, 'path')
  switch (name) {
    case 'list_files':
      return path === '' || path === '.' ? 'list the files here' : `list the files in ${path}`
    case 'read_file':
      return `read ${path}`
    case 'search_files':
      return `search the files for “${short(textOf(given, 'pattern'))}”`
    case 'write_file':
      return `write “${short(textOf(given, 'content'))}” to ${path}`
    case 'patch_file':
      return `replace “${short(textOf(given, 'old_string'))}” with “${short(textOf(given, 'new_string'))}” in ${path}`
    case 'terminal':
      return `run \`${short(textOf(given, 'command'))}\``
    case 'memory':
      return textOf(given, 'action') === 'remove'
        ? `forget “${short(textOf(given, 'old_text'))}”`
        : textOf(given, 'action') === 'replace'
          ? `correct “${short(textOf(given, 'old_text'))}” to “${short(textOf(given, 'content'))}”`
          : `remember: ${short(textOf(given, 'content'))}`
    case 'session_search':
      return textOf(given, 'query') === ''
        ? 'list the latest chats'
        : `search earlier chats for “${short(textOf(given, 'query'))}”`
    case 'skills_list':
      return 'list the skills'
    case 'skill_view':
      return `use the skill ${textOf(given, 'name')}`
    case 'skill_manage':
      return `change the skill ${textOf(given, 'name')}`
    default:
      return `use ${name}`
  }
}

/** The description of a call as the label of a choice. */
export function labelOf(call: WantedCall): string {
  const what = describeCall(call)
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}`
}
