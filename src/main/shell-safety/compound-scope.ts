import { joinValues, type Value } from './compound-values.ts'
import { NotKnown } from './compound-words.ts'

/** What is known while a list is followed: variables, and the folders that it may run in. */
export type Scope = { variables: Map<string, Value>; folders: readonly string[] }

/** What a subshell, a pipe or one of two ways begins with. */
export const copyOf = ({ variables, folders }: Scope): Scope => ({ variables: new Map(variables), folders })
/** Each folder once. */
export const joinFolders = (one: readonly string[], other: readonly string[]) => [
  ...new Set([...one, ...other]),
]

/** What is known after one of two ways. */
export function joinScopes(scope: Scope, other: Scope): void {
  for (const name of new Set([...scope.variables.keys(), ...other.variables.keys()])) {
    const value = joinValues(scope.variables.get(name), other.variables.get(name))
    if (value) scope.variables.set(name, value)
    else scope.variables.delete(name)
  }
  scope.folders = joinFolders(scope.folders, other.folders)
}

/** A loop would begin again in another folder. */
export function staysIn({ folders }: Scope, inside: Scope): void {
  if (inside.folders.join('\n') !== folders.join('\n')) throw new NotKnown()
}
