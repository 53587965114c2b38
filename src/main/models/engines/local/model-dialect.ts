import { basename } from 'node:path'
import { detectDialect } from '../../formats/detect-dialect.ts'
import type { DialectId } from '../../formats/dialect-table.ts'
import { readTemplate } from './chat-template.ts'
import { isBuiltinModel, type GgufFacts } from './read-gguf.ts'

/** What a model's file says about its prompt format. `because` explains to the user how the dialect was detected. */
export type TemplateFacts = {
  dialect: DialectId
  because: string
  /** Whether tool results have a role of their own. */
  toolRole: boolean
  /** Whether a longer chat only appends to the prompt of a shorter one. */
  appendOnly: boolean
  /** Why the model's own template is not used. */
  problem: string | undefined
}

type Named = Pick<GgufFacts, 'path' | 'name' | 'architecture' | 'chatTemplate'>

const described = new WeakMap<Named, TemplateFacts>()

/** Analyse a model's template and name. The first call takes some milliseconds, because it tries the template out. */
export function describeTemplate(facts: Named): TemplateFacts {
  const known = described.get(facts)
  if (known) return known
  const { chatTemplate: template, name, path, architecture } = facts
  // The actual start and end tokens of the vocabulary make no difference here.
  const { toolRole, appendOnly, problem } = readTemplate(template, { bos: '<s>', eos: '</s>' })
  const { id, because } = detectDialect({ template, name: name || basename(path), architecture })
  const found: TemplateFacts = isBuiltinModel(facts)
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

/** The call format and tool role that a model was trained on, from its file alone. */
export function dialectOfModel(facts: Named): Pick<TemplateFacts, 'dialect' | 'toolRole'> {
  const { dialect, toolRole } = describeTemplate(facts)
  return { dialect, toolRole }
}
