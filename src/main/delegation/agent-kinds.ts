import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readFileStart } from '../lib/disk/read-file-start.ts'
import { fileErrorCode, type Refusal } from '../lib/expected-errors.ts'
import { resourcePath } from '../lib/disk/shipped-files.ts'
import { nearNames } from '../lib/words/similarity.ts'
import { unsafeReason } from '../untrusted/unsafe-text.ts'

/** A named kind of sub-agent. `tools`: the tools and toolsets it may have; if empty, its chat's. */
export type AgentKind = {
  name: string
  description: string
  tools: readonly string[]
  /** The model; if undefined, the model of its chat. */
  model: string | undefined
  instructions: string
}

const NAME = /^([a-z0-9][a-z0-9_-]{0,31})\.md$/i
const FILE = /^\uFEFF?---\r?\n(?<front>[\s\S]*?)\r?\n---\r?\n(?<body>[\s\S]*)$/
const LIMIT = 4_000
const MOST = 30

/**
 * The kinds of sub-agents by name: those shipped with Talaria, and `agents/NAME.md` in the home, which
 * override shipped kinds of the same name. An unusable file has a `problem`.
 */
async function readKinds(home: string): Promise<Map<string, AgentKind | { problem: string }>> {
  const shipped = await readFolder(resourcePath('agents'))
  const own = await readFolder(join(home, 'agents'))
  return new Map([...shipped, ...own])
}

/** The kind of that name, or why there is none. */
export async function findKind(home: string, name: string): Promise<AgentKind | Refusal> {
  const kinds = await readKinds(home)
  const found = kinds.get(name.toLowerCase())
  if (found && 'problem' in found)
    return { refused: `The kind “${name}” cannot be used: its file ${found.problem}.` }
  if (found) return found
  const usable = [...kinds].flatMap(([known, kind]) => ('problem' in kind ? [] : [known]))
  const [near] = nearNames(name, usable, 1)
  const hint = near === undefined ? `There are: ${usable.join(', ')}.` : `Did you mean “${near}”?`
  return { refused: `There is no kind of sub-agent “${name.slice(0, 50)}”. ${hint}` }
}

async function readFolder(folder: string): Promise<[string, AgentKind | { problem: string }][]> {
  const files = await readdir(folder).catch((error: unknown) => {
    fileErrorCode(error)
    return []
  })
  const named = files.filter(file => NAME.test(file)).toSorted()
  return Promise.all(
    named.slice(0, MOST).map(async (file): Promise<[string, AgentKind | { problem: string }]> => {
      const name = file.replace(NAME, '$1').toLowerCase()
      return [name, await readKind(name, join(folder, file))]
    }),
  )
}

async function readKind(name: string, path: string): Promise<AgentKind | { problem: string }> {
  try {
    // A link could lead to any of the user's files.
    if ((await lstat(path)).isSymbolicLink()) return { problem: 'is a link' }
  } catch (error) {
    fileErrorCode(error)
  }
  const text = await readFileStart(path, LIMIT)
  if (text === undefined) return { problem: 'cannot be read as text' }
  if (text.length > LIMIT) return { problem: `is longer than ${LIMIT} characters` }
  const { front = '', body = '' } = FILE.exec(text)?.groups ?? {}
  const fields = new Map(
    front.split(/\r?\n/).flatMap(line => {
      const [, key, value] = /^([a-z_]+):\s*(.*?)\s*$/i.exec(line) ?? []
      return key === undefined ? [] : [[key.toLowerCase(), value ?? ''] as const]
    }),
  )
  const instructions = body.trim()
  if (instructions === '') return { problem: 'has no instructions below its front matter' }
  const unsafe = unsafeReason(text)
  if (unsafe !== undefined) return { problem: unsafe }
  const list = (fields.get('tools') ?? '').replace(/^\[|\]$/g, '')
  return {
    name,
    description: fields.get('description') ?? '',
    tools: list.split(',').flatMap(each => each.trim().replace(/^["']|["']$/g, '') || []),
    model: fields.get('model') || undefined,
    instructions,
  }
}
