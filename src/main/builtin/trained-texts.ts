import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { parseJson, type Refusal } from '../lib/expected-errors.ts'
import { resourcePath } from '../lib/disk/shipped-files.ts'

const text = z.string().min(1)

/** A tool as the model was trained to see it: `line` is in its prompt, `parameters` constrain its calls. */
const TrainedTool = z.strictObject({
  name: text,
  description: text,
  parameters: z.record(z.string(), z.unknown()),
  line: text,
})

/** The same question about memory, about skills, or about both, in paragraphs. */
const ByKinds = z.strictObject({
  'memory and skills': z.array(text).min(1),
  memory: z.array(text).min(1),
  skills: z.array(text).min(1),
})

const Texts = z.strictObject({
  about: text,
  identity: text,
  tools: z.strictObject({ opening: text, specs: z.array(TrainedTool).min(1) }),
  guidance: z.strictObject({
    heading: text,
    lines: z.array(z.strictObject({ text, tool: text.optional() })).min(1),
    withoutTools: text,
  }),
  sections: z.strictObject({
    user: text,
    notes: text,
    folderNotes: text,
    blocked: text,
    skills: z.strictObject({ head: text, byName: text, byCategory: text }),
    project: text,
    facts: text,
  }),
  conversation: z.strictObject({
    result: text,
    failed: text,
    skill: z.strictObject({ opening: text, ending: text }),
    interjected: text,
    summary: z.strictObject({ opening: text, ending: text }),
  }),
  questions: z.strictObject({
    triage: ByKinds,
    review: ByKinds,
    rules: z.strictObject({ heading: text, rule: text }),
    noticed: text,
    summary: z.strictObject({
      opening: text,
      earlier: text,
      form: text,
      focus: text,
      headings: z.array(text).min(1),
    }),
  }),
})

/** The texts that the built-in model was trained on, byte for byte. No chat asks the `questions` any more. */
export type TrainedTexts = z.infer<typeof Texts>

export type TrainedTool = z.infer<typeof TrainedTool>

const FILE = 'models/talaria-mini.prompt.json'
const read = new Map<string, TrainedTexts>()

/** Read the training texts of the built-in model, once. A Refusal says what is wrong with the file. */
export function readTrainedTexts(path = resourcePath(FILE)): TrainedTexts | Refusal {
  const known = read.get(path)
  if (known) return known
  let written: string
  try {
    written = readFileSync(path, 'utf8')
  } catch (error) {
    return { refused: `The prompt of the built-in model cannot be read: ${(error as Error).message}` }
  }
  const checked = Texts.safeParse(parseJson(written))
  if (!checked.success) {
    const [issue] = checked.error.issues
    const place = issue && issue.path.length > 0 ? ` at ${issue.path.join('.')}` : ''
    return {
      refused: `The prompt of the built-in model is damaged${place}: ${issue?.message}. File: ${path}`,
    }
  }
  read.set(path, checked.data)
  return checked.data
}

/** The offered tools that the model knows, in the order and with the words of its training. */
export const knownTools = ({ tools }: TrainedTexts, offered: readonly { name: string }[]): TrainedTool[] =>
  tools.specs.filter(({ name }) => offered.some(each => each.name === name))

/** The prompt section that describes the tools the model knows; empty if it knows none of them. */
export function presentTrainedTools(texts: TrainedTexts, tools: readonly { name: string }[]): string {
  const lines = knownTools(texts, tools).map(({ line }) => line)
  return lines.length === 0 ? '' : `${texts.tools.opening}${lines.join('\n')}`
}
