import { basename } from 'node:path'
import type { Refusal, Rereads } from '../../../../../shared/contract/models/model.ts'
import type { ModelProfile } from '../../../interface/engine.ts'
import { detectFormat } from '../../../formats/detect-format.ts'
import type { ModelFormat } from '../../../formats/format-table.ts'
import { askForCalls } from './ask-template.ts'
import { readTemplate } from './chat-template.ts'
import type { Thinking } from './switch-thinking.ts'
import { isBuiltinModel, type GgufFacts } from '../gguf/read-gguf.ts'

/** Facts about a model's prompts and calls. `because` tells the user how the call format was detected. */
export type TemplateFacts = {
  format: ModelFormat
  because: string
  /** Whether tool results have their own role. */
  toolRole: boolean
  /** Whether a longer chat only appends to the prompt of a shorter one. */
  appendOnly: boolean
  /** The text that changes in a longer chat. */
  rereads: Rereads | undefined
  /** How the template refuses chats. */
  refuses: Refusal | undefined
  /** The settings of thinking that change the output of the template. */
  thinking: readonly Thinking[]
  /** The reason the model's own template is not used. */
  problem: string | undefined
}

type Named = Pick<GgufFacts, 'path' | 'name' | 'architecture' | 'chatTemplate'>

const described = new WeakMap<Named, Map<Thinking | undefined, TemplateFacts>>()

/** Analyse a model's template and name. The first call takes some milliseconds to try the template. */
export function describeTemplate(facts: Named, thinking?: Thinking): TemplateFacts {
  const before = described.get(facts) ?? new Map<Thinking | undefined, TemplateFacts>()
  described.set(facts, before)
  const known = before.get(thinking) ?? describe(facts, thinking)
  before.set(thinking, known)
  return known
}

function describe(facts: Named, setTo: Thinking | undefined): TemplateFacts {
  const { chatTemplate: template, name, path, architecture } = facts
  // The actual start and end tokens of the vocabulary make no difference here.
  const usual = readTemplate(template, { bos: '<s>', eos: '</s>' })
  const { toolRole, ...read } = usual.withThinking(setTo)
  const { appendOnly, rereads, refuses, thinking } = read
  const { problem } = usual
  const known = { appendOnly, rereads, refuses, thinking, problem }
  const { format, because } = detectFormat({
    writes: askForCalls(template),
    template,
    name: name || basename(path),
    architecture,
  })
  return isBuiltinModel(facts)
    ? {
        format: 'hermes',
        because: 'the built-in model was trained on it',
        toolRole: false,
        ...known,
      }
    : { format, because, toolRole, ...known }
}

/** Return a model's trained call format and tool role, and why chats are read again, from its file alone. */
export function formatOfModel(
  facts: Named,
  thinking?: Thinking,
): Pick<ModelProfile, 'format' | 'toolRole' | 'rereads'> {
  const { format, toolRole, rereads } = describeTemplate(facts, thinking)
  return { format, toolRole, ...(rereads && { rereads }) }
}
