import { basename } from 'node:path'
import { detectFormat } from '../../formats/detect-format.ts'
import type { ModelFormat } from '../../formats/format-table.ts'
import { askForCalls } from './ask-template.ts'
import { readTemplate } from './chat-template.ts'
import { isBuiltinModel, type GgufFacts } from './read-gguf.ts'

/** What a model's file says about its prompts and calls. `because` says to the user how the call format was detected. */
export type TemplateFacts = {
  format: ModelFormat
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
  const { format, because } = detectFormat({
    writes: askForCalls(template),
    template,
    name: name || basename(path),
    architecture,
  })
  const found: TemplateFacts = isBuiltinModel(facts)
    ? {
        format: 'hermes',
        because: 'the built-in model was trained on it',
        toolRole: false,
        appendOnly,
        problem,
      }
    : { format, because, toolRole, appendOnly, problem }
  described.set(facts, found)
  return found
}

/** The call format and tool role that a model was trained on, from its file alone. */
export function formatOfModel(facts: Named): Pick<TemplateFacts, 'format' | 'toolRole'> {
  const { format, toolRole } = describeTemplate(facts)
  return { format, toolRole }
}
