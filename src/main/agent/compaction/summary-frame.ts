/** What stands around a summary. Labels: after sentences, such as “The conversation goes on from here.”, small models began each answer with them. */
export const SUMMARY_FRAME = {
  opening:
    '[Summary of earlier messages · the messages themselves: session_search · of lines that disagree: the later one]',
  ending: '[/Summary]',
}

const { opening, ending } = SUMMARY_FRAME

/** The summary as the text of a message that a model reads. */
export const frameSummary = (summary: string): string => `${opening}\n\n${summary}\n\n${ending}`

/** Whether a text is a summary in our frame rather than something the user wrote. */
export const isFramed = (text: string): boolean => text.startsWith(opening)

/** The summary that a framed text holds; undefined for any other text. */
export function summaryIn(text: string): string | undefined {
  const [before, behind] = [`${opening}\n\n`, `\n\n${ending}`]
  return text.startsWith(before) && text.endsWith(behind)
    ? text.slice(before.length, -behind.length)
    : undefined
}
