import { numberOf, nameType, type Arguments, type Value } from './values.ts'

/** The arguments of a call in the order of the parameters' names. */
export function bindArguments(args: Arguments, ...names: string[]): Value[] {
  for (const name of args.named.keys())
    if (!names.includes(name)) throw new Error(`there is no argument '${name}'`)
  if (args.list.length > names.length) throw new Error(`at most ${names.length} arguments are taken`)
  return names.map((name, at) => (at < args.list.length ? args.list[at] : args.named.get(name)))
}

/** An argument that must be a text. */
export function expectText(value: Value): string {
  if (typeof value !== 'string') throw new Error(`a text is expected, not '${nameType(value)}'`)
  return value
}

/** An argument that must be a number, with what stands for it when it is missing. */
export function expectNumber(value: Value, missing?: number): number {
  const number = value === undefined || value === null ? missing : numberOf(value)
  if (number === undefined) throw new Error(`a number is expected, not '${nameType(value)}'`)
  return number
}
