import { McpServer } from '../../../shared/contract/connections/mcp.ts'

/** A server as form fields: its arguments as typed in a terminal, and its values one per line. */
export type ServerFields = {
  kind: 'program' | 'address'
  name: string
  description: string
  /** The program and its arguments. */
  command: string
  url: string
  /** `NAME=value` of variables, or `Name: value` of headers. */
  values: string
  folder: string
  network: boolean
}

export const NO_FIELDS: ServerFields = {
  kind: 'program',
  name: '',
  description: '',
  command: '',
  url: '',
  values: '',
  folder: '',
  network: false,
}

/** The invalid field, and the reason. */
export type FieldProblem = { field: 'name' | 'command' | 'url' | 'values' | 'folder'; text: string }

const PLAIN = /^[\w@%+=:,./-]+$/

/** The fields of an existing server. */
export function fieldsOf(server: McpServer): ServerFields {
  const { name, description } = server
  const line = (values: Record<string, string>, between: string) =>
    Object.entries(values)
      .map(([key, value]) => `${key}${between}${value}`)
      .join('\n')
  if ('url' in server) {
    const { url, headers } = server
    return { ...NO_FIELDS, kind: 'address', name, description, url, values: line(headers, ': ') }
  }
  const { command, args, env, cwd = '', network } = server
  const words = [command, ...args].map(word =>
    PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`,
  )
  return {
    ...NO_FIELDS,
    name,
    description,
    command: words.join(' '),
    values: line(env, '='),
    folder: cwd,
    network,
  }
}

/** The server that the fields describe, with the other values of `known`; or the invalid field. */
export function serverOf(fields: ServerFields, known?: McpServer): McpServer | FieldProblem {
  const { name, description, kind } = fields
  const values = readValues(fields.values, kind === 'program' ? '=' : ':')
  if (typeof values === 'string') return { field: 'values', text: values }
  const { enabled, pinned, off, by_shape, start_timeout_s, call_timeout_s } = known ?? {}
  const kept = known ? { enabled, pinned, off, by_shape, start_timeout_s, call_timeout_s } : {}
  const [command, ...args] = wordsOf(fields.command)
  const folder = fields.folder.trim()
  const own =
    kind === 'address'
      ? { url: fields.url.trim(), headers: values }
      : { command, args, env: values, network: fields.network, ...(folder !== '' && { cwd: folder }) }
  if (kind === 'program' && command === undefined)
    return { field: 'command', text: 'Enter the program and its arguments.' }
  const read = McpServer.safeParse({ ...kept, name: name.trim(), description: description.trim(), ...own })
  if (read.success) return read.data
  return kind === 'address' && !/^https?:\/\/[^/]/.test(fields.url.trim())
    ? { field: 'url', text: 'An address starts with http:// or https://.' }
    : {
        field: 'name',
        text: 'A name has up to 32 lowercase letters, digits, - and _, and starts with a letter or digit.',
      }
}

/** Split a command into words as a shell would. No other shell syntax is supported. */
function wordsOf(command: string): string[] {
  const pieces = command.matchAll(/'([^']*)'|"((?:\\[^]|[^"\\])*)"|\\([^])|(\s+)|([^\s'"\\]+|['"\\])/g)
  const words: string[] = []
  let isOpen = false
  for (const [, single, double, escaped, space, plain] of pieces) {
    if (space !== undefined) isOpen = false
    else {
      if (!isOpen) words.push('')
      isOpen = true
      words.push(
        (words.pop() ?? '') + (single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? plain),
      )
    }
  }
  return words
}

function readValues(text: string, between: '=' | ':'): Record<string, string> | string {
  const values: Record<string, string> = {}
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const cut = line.indexOf(between)
    const name = line.slice(0, cut).trim()
    if (cut < 1 || !/^[\w-]{1,100}$/.test(name))
      return between === '=' ? `Line ${at + 1} is not NAME=value.` : `Line ${at + 1} is not Name: value.`
    values[name] = line.slice(cut + 1).trim()
  }
  return values
}
