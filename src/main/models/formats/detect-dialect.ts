import { byArchitecture, byName, byTemplate } from './dialect-evidence.ts'
import { dialects, fallbackDialect, type DialectId } from './dialect-table.ts'

/** The dialect of a model, what identified it, and the reason as a phrase for the user. */
export type Detected = { id: DialectId; from: 'template' | 'name' | 'default'; because: string }

/**
 * Detect the dialect in which a model was trained to call tools. Its chat template is the best evidence, because its
 * makers wrote it; then its name, then its architecture. Any of them may be missing. `name` may be that of a file or
 * of a model on a server.
 */
export function detectDialect(facts: {
  template?: string | undefined
  name?: string | undefined
  architecture?: string | undefined
}): Detected {
  const { template = '', name = '', architecture = '' } = facts
  const written = byTemplate.find(([, marks]) => marks.every(mark => template.includes(mark)))
  if (written)
    return {
      id: written[0],
      from: 'template',
      because: `its chat template writes ${written[1].join(' with ')}`,
    }

  const plain = plainName(name)
  const named = byName.find(([, pattern]) => pattern.test(plain))
  if (named)
    return { id: named[0], from: 'name', because: `its name is that of ${dialects[named[0]].families}` }

  const built = byArchitecture.get(architecture.toLowerCase())
  if (built) return { id: built, from: 'name', because: `its architecture is ${architecture}` }
  return {
    id: fallbackDialect,
    from: 'default',
    because: 'nothing tells how it was trained to call tools, and this notation is the most widely known',
  }
}

/** Such as `llama-3.2-3b-instruct-q4-k-m` for `Meta-Llama-3.2-3B-Instruct-Q4_K_M.gguf`. */
const plainName = (name: string) =>
  (name.trim().toLowerCase().split(/[/\\]/).at(-1) ?? '').replace(/\.gguf$/, '').replace(/[:_\s]+/g, '-')

/**
 * The dialect for a model behind a server, where only the name is known. Servers remove the special tokens that a
 * model writes, so a dialect that needs its marks is replaced by the fallback.
 */
export function servedDialect(name: string): DialectId {
  const { id } = detectDialect({ name })
  return dialects[id].needsMarks ? fallbackDialect : id
}
