import { basename } from 'node:path'
import { detectDialect } from '../../dialects/detect.ts'
import type { DialectId } from '../../dialects/table.ts'
import { readTemplate } from './chat-template.ts'
import { isBuiltin } from './builtin-model.ts'
import type { GgufFacts } from './gguf-file.ts'

/** What a model's file says about how it wants to be talked to; `because` says how the dialect was found, for a person. */
export type TemplateFacts = {
  dialect: DialectId
  because: string
  /** Whether results of tools have a place of their own. */
  toolRole: boolean
  /** Whether a longer chat only adds to the prompt of a shorter one. */
  appendOnly: boolean
  /** Why the model's own template is not in use. */
  problem: string | undefined
}

type Named = Pick<GgufFacts, 'path' | 'name' | 'architecture' | 'chatTemplate'>

const described = new WeakMap<Named, TemplateFacts>()

/** Read the template and the name of a model. The first time takes some milliseconds, since the template is tried out. */
export function describeTemplate(facts: Named): TemplateFacts {
  const known = described.get(facts)
  if (known) return known
  const { chatTemplate: template, name, path, architecture } = facts
  // Which words the vocabulary has for the ends of a text makes no difference to what is asked here.
  const { toolRole, appendOnly, problem } = readTemplate(template, { bos: '<s>', eos: '</s>' })
  const { id, because } = detectDialect({ template, name: name || basename(path), architecture })
  const found: TemplateFacts = isBuiltin(facts)
    ? {
        dialect: 'hermes',
        because: 'the built-in model was trained on it',
        toolRole: false,
        appendOnly,
        problem,
      }
    : { dialect: id, because, toolRole, appendOnly, problem }
  described.set(facts, found)
  return found
}

/** How a model was trained to call tools and whether it has a place for their results, told from its file alone. */
export function spokenBy(facts: Named): Pick<TemplateFacts, 'dialect' | 'toolRole'> {
  const { dialect, toolRole } = describeTemplate(facts)
  return { dialect, toolRole }
}
