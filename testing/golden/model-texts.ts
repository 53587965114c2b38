import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The folders whose texts a model may read: prompts, tools, results, refusals, reviews. */
const READ_BY_MODELS = [
  'src/main/agent',
  'src/main/chats/search',
  'src/main/learning',
  'src/main/memory',
  'src/main/models/formats',
  'src/main/runs',
  'src/main/skills',
  'src/main/tools',
]

/**
 * Every text of these folders that has two words or more, sorted, each once. Values in a template are written as `${}`.
 * Where a text stands does not count, so that code may be moved.
 */
export function modelTexts(): string[] {
  const texts = new Set<string>()
  for (const folder of READ_BY_MODELS)
    for (const path of globSync(`${folder}/**/*.ts`, { cwd: root })) {
      if (path.endsWith('.test.ts')) continue
      const text = readFileSync(join(root, path), 'utf8')
      JSON.stringify(parseSync(path, text).program, (_, node: Node) => {
        const found = textOf(node)
        if (found !== undefined && /\p{L}\S*\s+\S*\p{L}/u.test(found)) texts.add(found)
        return node
      })
    }
  return [...texts].toSorted()
}

type Node = { type?: string; value?: unknown; quasis?: { value: { cooked: string } }[] } | null

function textOf(node: Node): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral') return node.quasis?.map(each => each.value.cooked).join('${}')
  return undefined
}
