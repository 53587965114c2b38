import { byArchitecture, byName, byTemplate } from './evidence.ts'
import { dialects, fallbackDialect, type DialectId } from './table.ts'

/** Which dialect a model speaks, what told it, and why we think so, in one phrase for a person. */
export type Detected = { id: DialectId; from: 'template' | 'name' | 'default'; because: string }

/**
 * Find out in which dialect a model was trained to call tools. Its chat template is the best witness, because that is how
 * its makers wrote it; its name comes next, then its architecture. Of each, whatever is known: `name` may be that of a
 * file or of a model on a server.
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

/** Dialects whose calls cannot be told from words without their marks. */
const NEEDS_MARKS = new Set<DialectId>(['mistral-args', 'deepseek', 'harmony', 'glm'])

/**
 * The dialect for a model behind a server, of which only the name is known. Servers swallow the special tokens that a
 * model writes, so a dialect that is lost without its marks gives way to the fallback.
 */
export function servedDialect(name: string): DialectId {
  const { id } = detectDialect({ name })
  return NEEDS_MARKS.has(id) ? fallbackDialect : id
}
