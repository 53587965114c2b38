import { textOfWord, type CompoundWord, type List } from './compound-words.ts'

/** The assignments in a list, including nested ones, but not those in `$(…)`. */
type Assigned = { name: string; value: CompoundWord | undefined }

function assignmentsIn(list: List): Assigned[] {
  return list
    .flatMap(({ first, rest }) => [first, ...rest.map(({ pipeline }) => pipeline)])
    .flat()
    .flatMap((command): readonly Assigned[] => {
      switch (command.kind) {
        case 'simple':
          return command.words.length === 0 ? command.given : []
        case 'for':
          return [{ name: command.name, value: undefined }, ...assignmentsIn(command.body)]
        case 'while':
          return [...command.names.map(name => ({ name, value: undefined })), ...assignmentsIn(command.body)]
        case 'if':
          return [
            ...command.parts.flatMap(({ test, body }) => [...assignmentsIn(test), ...assignmentsIn(body)]),
            ...assignmentsIn(command.otherwise ?? []),
          ]
        case 'group':
          return assignmentsIn(command.body)
        default:
          return []
      }
    })
}

/** The variables that a list sets. */
export const namesSetIn = (list: List) => new Set(assignmentsIn(list).map(({ name }) => name))

/** Whether a list sets a variable only to sums. */
export const isCounter = (list: List, name: string): boolean =>
  assignmentsIn(list)
    .filter(each => each.name === name)
    .every(({ value }) => value?.length === 1 && value[0]!.kind === 'sum')

/** Remove wrappers such as `time` and `timeout 10`, which do not change what a command does. */
export function withoutWrappers(words: readonly CompoundWord[]): readonly CompoundWord[] {
  const first = textOfWord(words[0], true)
  if (first === 'time' && words.length > 1) return withoutWrappers(words.slice(1))
  if (first === 'timeout' && /^\d+[smh]?$/.test(textOfWord(words[1]) ?? '') && words.length > 2)
    return withoutWrappers(words.slice(2))
  return words
}
