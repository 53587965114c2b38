import { z } from 'zod'
import { defineTool, type ToolResult } from './registry/tool.ts'
import { tellAnswer } from './tell/tell-plan.ts'

/** Limits of a question: its length in characters, how many choices it has, and the length of a choice. */
const LONGEST_QUESTION = 1_000
const MOST_CHOICES = 6
const LONGEST_CHOICE = 200

/**
 * The tool that asks the user a question. The question is shown like a request for permission, so it follows
 * the same rules: where it appears, how long it waits, who is notified, and what stopping does.
 */
export const askUserTool = defineTool({
  name: 'ask_user',
  tell: tellAnswer,
  says: 'Ask the user one question when you cannot go on without the answer, with a few choices if there are some. They may also answer in their own words.',
  input: z.object({ question: z.string(), choices: z.array(z.string()).optional() }),
  toolset: 'plan',
  risk: 'read',
  async intent({ question, choices = [] }, { workspace: folder }) {
    const text = question.trim()
    const given = [...new Set(choices.map(each => each.trim().replaceAll(/\s+/g, ' ')))].filter(
      each => each !== '',
    )
    if (text === '') return { refused: 'The question is empty.' }
    if (text.length > LONGEST_QUESTION)
      return { refused: `A question has at most ${LONGEST_QUESTION} characters. Ask more shortly.` }
    if (given.length > MOST_CHOICES) return { refused: `A question has at most ${MOST_CHOICES} choices.` }
    if (given.some(each => each.length > LONGEST_CHOICE))
      return { refused: `A choice has at most ${LONGEST_CHOICE} characters.` }
    return {
      title: `Ask: ${text.replaceAll(/\s+/g, ' ').slice(0, 120).toWellFormed()}`,
      detail: text,
      risk: 'read',
      inWorkspace: true,
      folder,
      question: { text, choices: given },
    }
  },
  async run(_input, { answer }): Promise<ToolResult> {
    if (answer === undefined) return { ok: false, reason: 'The question was not shown to anybody.' }
    return { ok: true, text: `The user answers: ${answer}` }
  },
})
